import {
  at,
  instanceProblems,
  isToolError,
  type JsonObject,
  judge,
  listAll,
  type Outcome,
  type Reply,
  refusal,
  serverScenario,
  succeeded,
  tampers,
  textAt,
  UNKNOWN_DIALECT,
  unmet,
} from '../../../src/suite/server.ts'

const DEFAULT_2020_12 = 'test_schema_default_dialect'
const DRAFT_07 = 'test_schema_draft_07'
const UNKNOWN = 'test_schema_unknown_dialect'
const RIGHT: JsonObject = { pair: ['a', 1] }
const SWAPPED: JsonObject = { pair: [1, 'a'] }

/** Fixtures whose schemas mean one thing under their own dialect, and another under others. */
export default serverScenario({
  title: 'Arguments are validated under the dialect of their schema, and an unknown dialect is an error',
  needs: { capability: 'tools' },
  claims: {
    default: 'base.json-schema.support-2020-12',
    declared: 'base.json-schema.validate-by-dialect',
    unknown: 'base.json-schema.unsupported-dialect-error',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const call = (name: string, args: JsonObject): PromiseLike<Reply> =>
      peer.request('tools/call', { name, arguments: args })
    const missing: string[] = []
    for (const name of [DEFAULT_2020_12, DRAFT_07, UNKNOWN]) {
      if (!entries.some(tool => tool.name === name)) {
        missing.push(`fixture ${name} not offered`)
        continue
      }
      // The control: pair is required under every dialect.
      if (!refused(await call(name, {}))) {
        missing.push(`fixture ${name} does not validate its arguments at all`)
        continue
      }
      const right = await call(name, RIGHT)
      if (name === UNKNOWN) {
        yield judge('unknown', unsupported(right), 'an error that says that the dialect is not supported', right, {
          kind: refused(right) ? 'wrong-value' : 'accepted',
          subject: 'the answer',
        })
        const ping = await peer.request('ping')
        yield judge('unknown', ping.kind === 'result', 'an answer to ping after that', ping, {
          subject: 'the next ping',
        })
        continue
      }
      const claim = name === DRAFT_07 ? 'declared' : 'default'
      yield judge(claim, succeeded(right), 'arguments that are right to be accepted', right, {
        kind: 'refused',
        subject: 'the right arguments',
      })
      const swapped = await call(name, SWAPPED)
      const keyword = name === DRAFT_07 ? 'items' : 'prefixItems'
      yield judge(claim, refused(swapped), `an error to arguments that ${keyword} forbids`, swapped, {
        kind: 'accepted',
        subject: `arguments that ${keyword} forbids`,
      })
      if (name !== DRAFT_07) continue
      const loose = await call(name, { ...RIGHT, loose: [1] })
      yield judge('declared', succeeded(loose), 'prefixItems, which draft-07 does not know, to forbid nothing', loose, {
        kind: 'refused',
        subject: 'a keyword of 2020-12',
      })
    }
    if (missing.length > 0) yield unmet(missing.join('; '))
  },
  defects: [
    {
      named: 'a schema without $schema is read as draft-07',
      breaks: 'default',
      kind: 'accepted',
      replace: {
        argumentProblems: (schema, args) =>
          instanceProblems({ $schema: 'http://json-schema.org/draft-07/schema#', ...(schema as JsonObject) }, args),
      },
    },
    {
      named: 'every schema is read as 2020-12',
      breaks: 'declared',
      kind: 'refused',
      also: ['unknown'],
      replace: {
        argumentProblems: (schema, args) =>
          instanceProblems(
            { ...(schema as JsonObject), $schema: 'https://json-schema.org/draft/2020-12/schema' },
            args,
          ),
      },
    },
    {
      named: 'keywords of 2020-12 count under draft-07, too',
      breaks: 'declared',
      kind: 'refused',
      replace: {
        argumentProblems: (schema, args) =>
          typeof at(args, 'loose', 0) === 'number' ? 'loose/0 must be string' : instanceProblems(schema, args),
      },
    },
    {
      named: 'what is described in an unknown dialect is not checked',
      breaks: 'unknown',
      kind: 'accepted',
      replace: {
        argumentProblems: (schema, args) => {
          const problem = instanceProblems(schema, args)
          return problem === UNKNOWN_DIALECT && args.pair !== undefined ? undefined : problem
        },
      },
    },
    {
      named: 'hangs on an unknown dialect',
      breaks: 'unknown',
      kind: 'silent',
      replace: {
        drops: ({ params }) => at(params, 'name') === UNKNOWN && at(params, 'arguments', 'pair') !== undefined,
      },
    },
  ],
  variants: [
    {
      named: 'a protocol error for what does not fit',
      tamper: tampers.answer('tools/call', message =>
        at(message, 'result', 'isError') === true
          ? refusal(-32602, textAt(message, 'result', 'content', 0, 'text'))(message)
          : message,
      ),
    },
    {
      named: 'an error that does not name the dialect',
      bends: ['unknown'],
      replace: {
        argumentProblems: (schema, args) => (instanceProblems(schema, args) === undefined ? undefined : 'no'),
      },
    },
    { named: 'validates nothing', replace: { argumentProblems: () => undefined } },
    { named: 'has no such tools', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

/** A tool error since 2025-11-25, a protocol error before; both refuse. */
const refused = (reply: Reply): boolean => reply.kind === 'error' || isToolError(reply)

function unsupported(reply: Reply): Outcome {
  if (!refused(reply)) return 'breaks'
  const said = reply.kind === 'error' ? reply.error : reply.kind === 'result' ? reply.result : undefined
  return /dialect|\$?schema/i.test(JSON.stringify(said)) ? 'holds' : 'bends'
}
