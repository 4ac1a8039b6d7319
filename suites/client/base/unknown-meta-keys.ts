import {
  at,
  clientScenario,
  codes,
  failure,
  isObject,
  type Json,
  judge,
  type Tamper,
  tampers,
  unmet,
} from '../../../src/suite/client.ts'
import { QUESTIONS, RESERVED_KEY, unasked } from './_base-questions.ts'

export default clientScenario({
  title: 'The client ignores unknown keys in the _meta of a request',
  script: QUESTIONS,
  claims: {
    reserved: 'base.meta.reserved-keys-no-assumptions',
    foreign: 'base.meta.is-object',
  },
  *run(seen) {
    const [control, ...others] = seen.notes.metas
    if (control === undefined) yield unmet(unasked(seen))
    else if (control.reply.kind !== 'result') yield unmet('a ping with an empty _meta was not answered with a result')
    else {
      for (const { key, value, reply } of others) {
        const claim = key === RESERVED_KEY ? 'reserved' : 'foreign'
        const expected = `a result for ping with ${key}: ${JSON.stringify(value)} in _meta`
        yield judge(claim, reply.kind === 'result', expected, reply, key === undefined ? {} : { subject: key })
      }
    }
  },
  defects: [
    {
      named: 'knows progressToken only',
      breaks: 'foreign',
      kind: 'refused',
      also: ['reserved'],
      tamper: refusing(key => key !== 'progressToken'),
    },
    {
      named: 'wants plain keys only',
      breaks: 'foreign',
      kind: 'refused',
      also: ['reserved'],
      tamper: refusing(key => key.includes('/')),
    },
    {
      named: 'takes what is reserved for an object',
      breaks: 'reserved',
      kind: 'refused',
      tamper: refusing((key, value) => key === RESERVED_KEY && !isObject(value)),
    },
    {
      named: 'hangs on null at a reserved key',
      breaks: 'reserved',
      kind: 'silent',
      replace: { drops: message => at(message, 'params', '_meta', RESERVED_KEY) === null },
    },
  ],
})

/** Refuses requests with such a key in `_meta`. */
function refusing(fits: (key: string, value: Json | undefined) => boolean): Tamper {
  return tampers.message((message, cause) => {
    const meta = at(cause, 'params', '_meta')
    const refused = isObject(meta) && Object.entries(meta).some(([key, value]) => fits(key, value))
    if (!refused || message.result === undefined) return message
    return failure(cause?.id, codes.invalidParams, 'Unknown key in _meta')
  })
}
