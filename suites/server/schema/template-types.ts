import {
  at,
  type JsonObject,
  judge,
  listAll,
  mediaType,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const TEMPLATE = 'test://template/{id}/data'

export default serverScenario({
  title: 'A template names a MIME type only if all the resources that it describes have it',
  needs: { capability: 'resources' },
  claims: { uniform: 'schema.resources.template-mime-type-uniform' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/templates/list', 'resourceTemplates')
    const template = entries.find(entry => entry.uriTemplate === TEMPLATE)
    if (template === undefined) {
      yield unmet(`fixture ${TEMPLATE} not offered`)
      return
    }
    const promised = textAt(template, 'mimeType')
    if (promised === undefined) {
      yield judge('uniform', 'n/a', 'a template with a mimeType', { text: 'it has none', frames: [] })
      return
    }
    for (const id of ['123', '456']) {
      const uri = TEMPLATE.replace('{id}', id)
      const reply = await peer.request('resources/read', { uri })
      const content = reply.kind === 'result' ? at(reply.result, 'contents', 0) : undefined
      if (content === undefined) {
        yield unmet(`${uri} could not be read`)
        continue
      }
      const actual = textAt(content, 'mimeType')
      const same = actual !== undefined && mediaType(actual) === mediaType(promised)
      yield judge('uniform', actual === undefined ? 'bends' : same, `${uri} as ${promised}, like its template`, reply, {
        kind: actual === undefined ? 'missing' : 'wrong-value',
        subject: uri,
      })
    }
  },
  defects: [
    {
      named: 'one of the resources is of another type',
      breaks: 'uniform',
      kind: 'wrong-value',
      tamper: contents(content =>
        String(content.uri).includes('456') ? { ...content, mimeType: 'text/csv' } : content,
      ),
    },
    {
      named: 'the template promises pictures',
      breaks: 'uniform',
      kind: 'wrong-value',
      tamper: tampers.result('resources/templates/list', () => ({
        resourceTemplates: [{ uriTemplate: TEMPLATE, name: 'x', mimeType: 'image/png' }],
      })),
    },
  ],
  variants: [
    {
      named: 'the template names no type',
      tamper: tampers.result('resources/templates/list', () => ({
        resourceTemplates: [{ uriTemplate: TEMPLATE, name: 'x' }],
      })),
    },
    {
      named: 'the same type with a charset',
      shows: ['uniform'],
      tamper: contents(content => ({ ...content, mimeType: `${content.mimeType}; charset=utf-8` })),
    },
    {
      named: 'resources without a type',
      bends: ['uniform'],
      tamper: contents(content => ({ ...content, mimeType: undefined })),
    },
    {
      named: 'has no templates',
      tamper: tampers.result('resources/templates/list', () => ({ resourceTemplates: [] })),
    },
  ],
})

function contents(change: (content: JsonObject) => JsonObject) {
  return tampers.result('resources/read', result => ({
    contents: ((at(result, 'contents') ?? []) as JsonObject[]).map(change),
  }))
}
