import { clientScenario, endKind, fateOfClient, judge, script, sent, undone, unmet } from '../../../src/suite/client.ts'

/** A revision that no client of today can know. */
const FUTURE = script({ drive: { name: 'initialize' }, setup: () => ({ negotiate: () => '2099-12-31' }) })

export default clientScenario({
  title: 'The client disconnects from a server that answers with a version that it cannot know',
  script: FUTURE,
  claims: { leaves: 'schema.initialize.client-must-disconnect' },
  *run(seen) {
    const [hello] = sent(seen, 'initialize')
    if (hello === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    const next = sent(seen).find(({ method, frame }) => frame.seq > hello.frame.seq && !FAREWELL.test(method))
    // Over HTTP there is no connection to close: no further request is enough.
    const stays = seen.via === 'stdio' && seen.end.how === 'stopped'
    const got = next?.frame ?? fateOfClient(seen)
    yield judge(
      'leaves',
      next === undefined && !stays,
      'nothing more, and the end of the connection',
      got,
      next === undefined ? endKind(seen) : 'accepted',
    )
  },
  defects: [
    { named: 'goes on with any version', breaks: 'leaves', kind: 'accepted', replace: { acceptsVersion: () => true } },
    {
      named: 'goes on with what looks like a date',
      breaks: 'leaves',
      kind: 'accepted',
      replace: { acceptsVersion: answered => /^\d{4}-\d\d-\d\d$/.test(String(answered)) },
    },
  ],
})

/** What a client may still send: `initialize` once more, or a cancellation. */
const FAREWELL = /^(?:initialize|ping|notifications\/cancelled)$/
