import {
  at,
  clientScenario,
  codes,
  failure,
  isResponse,
  judge,
  response,
  shapeOf,
  unmet,
} from '../../../src/suite/client.ts'
import { QUESTIONS, unasked } from './_base-questions.ts'

export default clientScenario({
  title: 'The client answers no notification, and ignores unknown ones',
  script: QUESTIONS,
  claims: {
    silent: 'base.notification.no-response',
    ignored: 'base.notification.unknown-ignored',
  },
  *run(seen) {
    const { told, metas } = seen.notes
    if (told.length === 0 || metas.at(-1)?.reply.kind === 'none') yield unmet(unasked(seen))
    else {
      for (const { method, heard, barrier } of told) {
        const id = `barrier behind ${method}`
        const answers = heard.filter(({ json }) => isResponse(shapeOf(json)) && at(json, 'id') !== id)
        yield judge(
          'silent',
          answers.length === 0,
          `no response to ${method}`,
          answers.length === 0 ? barrier : answers,
          { kind: 'unasked', subject: method },
        )
        yield judge('ignored', barrier.kind !== 'none', `an answer to the ping behind ${method}`, barrier, {
          subject: method,
        })
      }
    }
  },
  defects: [
    {
      named: 'answers with a result',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onNotification: () => response(0, {}) },
    },
    {
      named: 'answers with method not found and the id null',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onNotification: () => failure(null, codes.methodNotFound, 'no') },
    },
    {
      named: 'answers with an error that has no id',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onNotification: () => failure(undefined, codes.methodNotFound, 'no') },
    },
    {
      named: 'takes every notification for an unsupported message and fails',
      breaks: 'ignored',
      kind: 'died',
      replace: {
        notices: message => {
          if (shapeOf(message) === 'notification') throw new Error('Unsupported message type')
        },
      },
    },
    {
      named: 'ends at an unknown notification',
      breaks: 'ignored',
      kind: 'died',
      replace: {
        notices: message => {
          if (String(at(message, 'method')).includes('unknown')) throw new Error('no handler')
        },
      },
    },
  ],
})
