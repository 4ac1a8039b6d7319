import { expect, test } from 'vitest'
import { at, type JsonObject, request } from '../../wire/json-rpc.ts'
import { askClient, settleQuestion, type WaitingAnswers } from './questions.ts'

function asked(timeoutMs = 60_000) {
  const waiting: WaitingAnswers = new Map()
  const sent: JsonObject[] = []
  const given: string[] = []
  let giveUp: (why: string) => void = () => {}
  const answer = askClient(waiting, {
    message: request('s-1', 'roots/list'),
    timeoutMs,
    send: message => sent.push(message),
    onGiveUp: why => given.push(why),
    whileOpen(act) {
      giveUp = act
      return () => {}
    },
  })
  return { waiting, sent, given, answer, giveUp: (why: string) => giveUp(why) }
}

test('a question resolves with the answer to it', async () => {
  const { waiting, sent, answer } = asked()
  settleQuestion(waiting, { jsonrpc: '2.0', id: 'other', result: {} })
  settleQuestion(waiting, { jsonrpc: '2.0', id: 's-1', result: { roots: [] } })
  expect([sent.length, at(await answer, 'result', 'roots'), waiting.size]).toEqual([1, [], 0])
})

test('a question that is given up resolves with an error, and who was asked may be told', async () => {
  const { waiting, given, answer, giveUp } = asked()
  giveUp('no longer needed')
  expect([at(await answer, 'error', 'message'), given, waiting.size]).toEqual([
    'no longer needed',
    ['no longer needed'],
    0,
  ])
})

test('a question is given up when its time is over', async () => {
  expect(at(await asked(1).answer, 'error', 'message')).toBe('no answer in time')
})
