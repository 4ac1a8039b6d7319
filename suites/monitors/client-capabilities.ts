import { at, isObject, type Json, judge, type MonitorContext, monitor, theirMessages } from '../../src/suite/monitor.ts'

/** From that revision on there are members to declare; before, what is inside is not judged. */
const MEMBERS_SINCE = '2025-11-25'

type Claim = 'roots' | 'sampling' | 'elicitation'

/**
 * What a client declares of each feature (basic/lifecycle#capability-negotiation, and the pages of the features). That of
 * tasks is a matter of monitors/schema.
 */
export default monitor({
  title: 'Each capability of a client has the members of its feature, of the right type',
  sides: ['client'],
  claims: {
    roots: 'roots.capability.list-changed-flag',
    sampling: 'sampling.capability.shape',
    elicitation: 'elicitation.capability.shape',
  },
  start: (context: MonitorContext) => context,
  *see(context, frame) {
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'initialize') continue
      const declared = at(message, 'params', 'capabilities')
      if (!isObject(declared)) continue
      for (const claim of ['roots', 'sampling', 'elicitation'] as const) {
        const value = declared[claim]
        const got = { text: `${claim}: ${JSON.stringify(value) ?? 'not declared'}`, frames: [frame] }
        if (value === undefined) yield judge(claim, 'n/a', `the capability ${claim}`, got)
        else {
          const right = isRight(claim, value, context.revision() >= MEMBERS_SINCE)
          yield judge(claim, right, EXPECTED[claim], got, 'wrong-type')
        }
      }
    }
  },
  defects: [
    declaring('roots', { listChanged: 'yes' }),
    declaring('roots', { listChanged: null }),
    declaring('roots', { listChanged: {} }),
    declaring('sampling', true),
    declaring('sampling', null),
    declaring('sampling', { tools: true }),
    declaring('sampling', { context: 'all' }),
    declaring('elicitation', true),
    declaring('elicitation', { form: true }),
    declaring('elicitation', { form: {}, url: null }),
  ],
  variants: [
    {
      named: 'all of them, with members that nobody knows',
      on: 'client/lifecycle/opens',
      shows: ['roots', 'sampling', 'elicitation'],
      replace: {
        capabilities: () => ({
          roots: { listChanged: false, 'x-own': 1 },
          sampling: { tools: {}, context: { 'x-own': 1 }, 'x-own': true },
          elicitation: { form: { 'x-own': [] }, url: {}, 'x-own': 1 },
        }),
      },
    },
    { named: 'none of them', on: 'client/lifecycle/opens', replace: { capabilities: () => ({}) } },
    {
      named: 'what had no members then',
      on: 'client/lifecycle/opens',
      spec: '2025-06-18',
      shows: ['sampling', 'elicitation'],
      replace: { capabilities: () => ({ sampling: { tools: true }, elicitation: { form: 1 } }) },
    },
  ],
})

const EXPECTED: Record<Claim, string> = {
  roots: 'listChanged as a boolean, if at all',
  sampling: 'an object, with objects as tools and context',
  elicitation: 'an object, with objects as form and url',
}

function isRight(claim: Claim, value: Json, hasMembers: boolean): boolean {
  // That it is no object is the fault of lifecycle.capabilities.value-types, where the feature has no clause of its own.
  if (claim === 'roots') return !isObject(value) || [undefined, true, false].includes(value.listChanged as boolean)
  if (!isObject(value)) return false
  if (!hasMembers) return true
  if (claim === 'sampling') return isObjectOrAbsent(value.tools) && isObjectOrAbsent(value.context)
  return isObjectOrAbsent(value.form) && isObjectOrAbsent(value.url)
}

const isObjectOrAbsent = (value: Json | undefined): boolean => value === undefined || isObject(value)

function declaring(claim: Claim, value: Json) {
  return {
    named: `declares ${JSON.stringify({ [claim]: value })}`,
    on: 'client/lifecycle/opens',
    breaks: claim,
    kind: 'wrong-type' as const,
    replace: { capabilities: () => ({ [claim]: value }) },
  }
}
