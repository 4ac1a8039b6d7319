import {
  at,
  codes,
  judge,
  listAll,
  mayDescribe,
  type Outcome,
  type Reply,
  refusalFault,
  serverScenario,
  success,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const NOWHERE = 'x-conformance://none/5e0c9f41'

export default serverScenario({
  title: 'Reading a resource that does not exist gets error -32002',
  needs: { capability: 'resources' },
  claims: {
    code: 'resources.errors.not-found',
    data: 'resources.errors.not-found-data',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/list', 'resources')
    const known = entries.map(entry => textAt(entry, 'uri')).find(uri => uri !== undefined)
    const control = known === undefined ? undefined : await peer.request('resources/read', { uri: known })
    if (control?.kind !== 'result') {
      yield unmet('no listed resource can be read')
      return
    }
    const reply = await peer.request('resources/read', { uri: NOWHERE })
    if (reply.kind === 'result') {
      const { entries: templates } = await listAll(peer, 'resources/templates/list', 'resourceTemplates')
      const described = templates.some(entry => mayDescribe(textAt(entry, 'uriTemplate') ?? '-', NOWHERE))
      yield judge(
        'code',
        described ? 'n/a' : 'breaks',
        'error -32002 for a URI that no template describes',
        reply,
        'accepted',
      )
    } else yield judge('code', outcomeOf(reply), 'error -32002', reply, refusalFault(reply))
    if (reply.kind !== 'error') {
      yield judge('data', 'n/a', 'an error', reply)
      return
    }
    const named = at(reply.data, 'uri')
    const same = named === undefined ? 'bends' : named === NOWHERE
    yield judge(
      'data',
      same,
      'the requested URI as data.uri, where the error has one',
      reply,
      named === undefined ? 'missing' : 'wrong-value',
    )
  },
  defects: [
    { named: 'the code 0', breaks: 'code', kind: 'wrong-code', tamper: failing({ code: 0 }) },
    { named: 'the code -32001', breaks: 'code', kind: 'wrong-code', tamper: failing({ code: -32001 }) },
    { named: 'an internal error', breaks: 'code', kind: 'wrong-code', tamper: failing({ code: -32603 }) },
    { named: 'empty contents', breaks: 'code', kind: 'accepted', tamper: answering(() => ({ contents: [] })) },
    {
      named: 'the error as a text',
      breaks: 'code',
      kind: 'accepted',
      tamper: answering(() => ({ contents: [{ uri: NOWHERE, text: 'Error: not found' }] })),
    },
    {
      named: 'never answers',
      breaks: 'code',
      kind: 'silent',
      replace: { drops: message => textAt(message, 'params', 'uri') === NOWHERE },
    },
    {
      named: 'another uri in data',
      breaks: 'data',
      kind: 'wrong-value',
      tamper: failing({ data: { uri: 'test://static-text' } }),
    },
    {
      named: 'the uri without its scheme',
      breaks: 'data',
      kind: 'wrong-value',
      tamper: failing({ data: { uri: 'none/5e0c9f41' } }),
    },
  ],
  variants: [
    { named: 'invalid params, the code of a later revision', bends: ['code'], tamper: failing({ code: -32602 }) },
    { named: 'no data', bends: ['data'], shows: ['code'], tamper: failing({ data: undefined }) },
    {
      named: 'a template for every URI',
      tamper: out =>
        answering(() => ({ contents: [{ uri: NOWHERE, text: '' }] }))(out).flatMap(
          tampers.result('resources/templates/list', () => ({
            resourceTemplates: [{ uriTemplate: '{+uri}', name: 'any' }],
          })),
        ),
    },
  ],
})

/** Revision 2026-07-28 has -32602 here, and SDKs do not choose by revision: tolerated, though not what this one says. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.kind !== 'error') return 'breaks'
  if (reply.code === codes.resourceNotFound) return 'holds'
  return reply.code === codes.invalidParams ? 'bends' : 'breaks'
}

function failing(change: Parameters<typeof Object.assign>[0]): Tamper {
  return tampers.error(error => ({ ...error, ...change }))
}

function answering(result: () => { contents: { uri: string; text: string }[] }): Tamper {
  return tampers.answer('resources/read', (message, cause) =>
    textAt(cause, 'params', 'uri') === NOWHERE ? success(result())(message) : message,
  )
}
