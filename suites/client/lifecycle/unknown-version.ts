import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const STRANGE = script({ drive: { name: 'initialize' }, setup: () => ({ negotiate: () => '1999-01-01' }) })

export default clientScenario({
  title: 'A client that does not support the version of the server disconnects without a crash',
  script: STRANGE,
  claims: {
    parts: 'lifecycle.version.client-disconnects-on-unsupported',
    orderly: 'lifecycle.errors.version-mismatch',
  },
  *run(seen) {
    if (sent(seen, 'initialize').length === 0) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const requests = sent(seen).filter(
      ({ method, id }) => id !== undefined && method !== 'initialize' && method !== 'ping',
    )
    const fate = fateOfClient(seen)
    // Over HTTP there is no connection to close: no further request is enough.
    const stays = seen.via === 'stdio' && seen.end.how === 'stopped'
    yield judge(
      'parts',
      requests.length === 0 && !stays,
      'no request in that version, and an end of the connection',
      requests[0]?.frame ?? fate,
      requests.length > 0 ? 'accepted' : endKind(seen),
    )
    // One that goes on looking for another way has not crashed.
    const outcome = crashed(seen) ? 'breaks' : seen.end.how === 'stopped' ? 'bends' : 'holds'
    yield judge('orderly', outcome, 'an end without a crash', fate, endKind(seen))
  },
  defects: [
    { named: 'takes any version', breaks: 'parts', kind: 'accepted', replace: { acceptsVersion: () => true } },
    {
      named: 'crashes',
      breaks: 'orderly',
      kind: 'died',
      replace: {
        acceptsVersion: () => {
          throw new RangeError('no such version')
        },
      },
    },
  ],
})
