import {
  ADD_NUMBERS,
  at,
  type CallAnswer,
  type ClientReplacement,
  clientScenario,
  codes,
  fateOfClient,
  type JsonObject,
  judge,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { versionIn } from '../_versions.ts'

/** A revision that no client of today can know. */
const FUTURE = '2099-12-31'
/** More requests than these, after the refusal, are no second try any more. */
const MANY = 10

/** A server that refuses the first request for its version, and names those that it speaks. */
const WANTING = script({
  drive: { name: 'initialize' },
  setup({ revision }) {
    let asked = 0
    const second = (result: JsonObject) => (): CallAnswer => {
      asked += 1
      const data = { supported: [FUTURE, revision], requested: revision }
      return asked === 1
        ? { error: { code: codes.unsupportedVersion, message: 'Unsupported protocol version', data } }
        : { result }
    }
    return {
      handlers: {
        'server/discover': second({ supportedVersions: [FUTURE, revision], capabilities: { tools: {} } }),
        'tools/list': second({ tools: [ADD_NUMBERS] }),
      },
    }
  },
})

const FALLING_BACK: { replace: ClientReplacement } = {
  replace: correct => ({ modern: { ...correct.modern, maxRetries: 0, fallsBack: () => true } }),
}

export default clientScenario({
  title: 'A client whose version is refused goes on with one that the server names, and opens no session',
  needs: { since: '2026-07-28' },
  script: WANTING,
  claims: {
    retries: 'versioning.client-retries-supported-version',
    modern: 'versioning.client-modern-error-means-modern',
    body: 'transport-http.client-inspects-400-body',
    probe: 'transport-stdio.probe-modern-error-no-fallback',
  },
  *run(seen) {
    const asked = sent(seen).filter(({ id }) => id !== undefined)
    const first = asked.findIndex(({ params }) => versionIn(params) === seen.revision)
    if (first === -1) {
      yield unmet(undone(seen, `ask in version ${seen.revision}`))
      return
    }
    const later = asked.slice(first + 1)
    const session = later.find(({ method }) => method === 'initialize')
    const again = later.find(({ params }) => versionIn(params) === seen.revision)
    const other = later.find(({ params }) => versionIn(params) !== seen.revision)
    const got = (again ?? other)?.frame ?? fateOfClient(seen)
    // A client may also tell its user that it goes no further.
    const told = later.length === 0 && (seen.end.code !== 0 || at([...seen.steps.values()], 0, 'outcome') === 'error')
    const isGood = again !== undefined && later.length <= MANY
    yield judge('retries', isGood || (told ? 'bends' : false), `the request again, in version ${seen.revision}`, got, {
      kind: again !== undefined ? 'duplicate' : other !== undefined ? 'wrong-value' : 'ignored',
    })
    const expected = 'no initialize: the error is one of a server without sessions'
    for (const claim of ['modern', seen.via === 'http' ? 'body' : 'probe'] as const)
      yield judge(claim, session === undefined, expected, session?.frame ?? got, 'unasked')
  },
  defects: [
    {
      named: 'tries a version that it does not know',
      breaks: 'retries',
      kind: 'wrong-value',
      replace: correct => ({ modern: { ...correct.modern, chooses: supported => String(supported[0]) } }),
    },
    {
      named: 'tells of the error and stops',
      breaks: 'retries',
      kind: 'ignored',
      verdict: 'info',
      replace: correct => ({ modern: { ...correct.modern, maxRetries: 0 } }),
    },
    {
      named: 'opens a session instead',
      breaks: 'modern',
      kind: 'unasked',
      also: ['retries', 'body', 'probe'],
      ...FALLING_BACK,
    },
    {
      named: 'takes any 400 for a server with sessions',
      breaks: 'body',
      kind: 'unasked',
      also: ['retries', 'modern'],
      ...FALLING_BACK,
    },
    {
      named: 'takes any error for a server with sessions',
      breaks: 'probe',
      kind: 'unasked',
      also: ['retries', 'modern'],
      ...FALLING_BACK,
    },
  ],
  variants: [
    {
      named: 'asks without a look at the server',
      replace: correct => ({ modern: { ...correct.modern, discovers: false } }),
    },
  ],
})
