import {
  at,
  expandTemplate,
  judge,
  listAll,
  memberFault,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test://template/{id}/data'
const MAX_READS = 10
/** A plain value, which many templates know: a number, an id, a name. */
const VALUE = '1'

export default serverScenario({
  title: 'resources/templates/list gives a list, and what its templates describe can be asked for',
  needs: { capability: 'resources' },
  claims: {
    lists: 'resources.templates.supported',
    reads: 'resources.read.supported',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'resources/templates/list', 'resourceTemplates')
    const first = replies[0]
    if (first === undefined) return
    const right = first.kind === 'result' && Array.isArray(at(first.result, 'resourceTemplates'))
    yield judge(
      'lists',
      right,
      'a list of resource templates, which may be empty',
      first,
      memberFault(first, 'resourceTemplates'),
    )
    if (!right) {
      yield judge('reads', 'n/a', 'a list of templates to read by', first)
      return
    }

    const templates = entries.map(entry => textAt(entry, 'uriTemplate')).filter(template => template !== undefined)
    if (templates.includes(FIXTURE)) {
      const reply = await peer.request('resources/read', { uri: expandTemplate(FIXTURE, '123') })
      const text = reply.kind === 'result' ? textAt(reply.result, 'contents', 0, 'text') : undefined
      yield judge('reads', text?.includes('123') === true, 'a text that holds the id 123', reply, { subject: FIXTURE })
    }
    // Which values exist is the server's business: contents or any refusal is right, silence is not.
    for (const template of templates.filter(one => one !== FIXTURE).slice(0, MAX_READS)) {
      const uri = expandTemplate(template, VALUE)
      if (uri === undefined) continue
      const reply = await peer.request('resources/read', { uri })
      const contents = reply.kind === 'result' && Array.isArray(at(reply.result, 'contents'))
      const refused = reply.kind === 'error' || reply.kind === 'http-error'
      yield judge('reads', contents ? 'holds' : refused ? 'n/a' : 'breaks', `contents of ${uri}, or an error`, reply, {
        kind: memberFault(reply, 'contents'),
        subject: template,
      })
    }
    if (templates.length === 0) yield judge('reads', 'n/a', 'a template to read by', first)
    else if (!templates.includes(FIXTURE)) yield unmet(`fixture ${FIXTURE} not offered`)
  },
  defects: [
    {
      named: 'does not know templates',
      breaks: 'lists',
      kind: 'refused',
      tamper: tampers.refuse('resources/templates/list', -32601, 'Method not found'),
    },
    {
      named: 'lists them as templates',
      breaks: 'lists',
      kind: 'missing',
      tamper: tampers.result('resources/templates/list', () => ({ templates: [] })),
    },
    {
      named: 'a URI of a listed template is unknown',
      breaks: 'reads',
      kind: 'refused',
      tamper: ofFixture(refusal(-32002, 'Resource not found')),
    },
    {
      named: 'the template itself is read, for any value',
      breaks: 'reads',
      kind: 'wrong-value',
      tamper: ofFixture(message => ({ ...message, result: { contents: [{ uri: FIXTURE, text: '{"id":"{id}"}' }] } })),
    },
    {
      named: 'never answers for an unknown value',
      breaks: 'reads',
      kind: 'silent',
      replace: { drops: message => textAt(message, 'params', 'uri') === `test://failing/${VALUE}` },
    },
  ],
  variants: [
    {
      named: 'no template',
      shows: ['lists'],
      tamper: tampers.result('resources/templates/list', () => ({ resourceTemplates: [] })),
    },
    {
      named: 'knows no such value',
      shows: ['lists'],
      tamper: tampers.result('resources/templates/list', () => ({
        resourceTemplates: [{ uriTemplate: 'test://unknown/{x}', name: 'x' }],
      })),
    },
  ],
})

function ofFixture(rewrite: Parameters<typeof tampers.answer>[1]): Tamper {
  return tampers.answer('resources/read', (message, cause) =>
    textAt(cause, 'params', 'uri')?.startsWith('test://template/') === true ? rewrite(message, cause) : message,
  )
}
