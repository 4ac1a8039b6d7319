import { idKey, judge, serverScenario, tampers } from '../../../src/suite.ts'

/** Ids that tell types and values apart: 7 and "7", zero, the empty string, a negative one, a long one. */
const IDS = [7, '7', 0, '', -1, 'x'.repeat(200), Number.MAX_SAFE_INTEGER]

export default serverScenario({
  title: 'A response repeats the id of its request, type and value',
  session: 'fresh',
  claims: { same: 'base.response.result-id-matches' },
  async *run(peer) {
    for (const id of IDS) {
      const reply = await peer.request('ping', undefined, { id })
      if (reply.kind === 'result') {
        yield judge('same', idKey(reply.id) === idKey(id), `the id ${JSON.stringify(id).slice(0, 40)}`, reply)
      } else {
        yield judge('same', false, `a result with the id ${JSON.stringify(id).slice(0, 40)}`, reply)
      }
    }
  },
  defects: [
    {
      named: 'numbers come back as strings',
      breaks: 'same',
      tamper: tampers.answer('ping', message => ({ ...message, id: String(message.id) })),
    },
    {
      named: 'strings of digits come back as numbers',
      breaks: 'same',
      tamper: tampers.answer('ping', message => (message.id === '7' ? { ...message, id: 7 } : message)),
    },
    {
      named: 'falsy ids come back as null',
      breaks: 'same',
      tamper: tampers.answer('ping', message => ({ ...message, id: message.id || null })),
    },
    {
      named: 'a request with id 0 is taken for a notification',
      breaks: 'same',
      replace: { drops: message => message.id === 0 },
    },
  ],
})
