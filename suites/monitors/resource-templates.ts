import {
  at,
  followResults,
  isObject,
  type Json,
  judge,
  lacks,
  monitor,
  type Outcome,
  type Revision,
  type Tamper,
  tampers,
  templateProblem,
} from '../../src/suite/monitor.ts'

/** An entry is shown up to this length. */
const SHOWN = 160

/** The answers to resources/templates/list. A template without any expression is odd, but is one. */
export default monitor({
  title: 'A resource template has a name and a URI template of RFC 6570',
  claims: { shape: 'resources.templates.shape' },
  start: ({ revision }) => ({ follow: followResults('resources/templates/list'), revision, settled: false, seen: 0 }),
  *see(state, frame) {
    if (lacks(frame, 'resources')) state.settled = true
    for (const { result } of state.follow(frame)) {
      state.settled = true
      const templates = at(result, 'resourceTemplates')
      for (const template of Array.isArray(templates) ? templates : []) {
        state.seen += 1
        const { outcome, problem } = fitOf(template, state.revision())
        const text = `${problem === undefined ? '' : `${problem}: `}${JSON.stringify(template).slice(0, SHOWN)}`
        yield judge('shape', outcome, 'a name, a URI template, and members of the right type', {
          text,
          frames: [frame],
        })
      }
    }
  },
  *end({ settled, seen }) {
    if (settled && seen === 0)
      yield judge('shape', 'n/a', 'a resource template', { text: 'no template was listed', frames: [] })
  },
  defects: [
    { named: 'no name', breaks: 'shape', ...listing({ uriTemplate: 'test://{x}' }) },
    { named: 'a uri in place of the template', breaks: 'shape', ...listing({ uri: 'test://{x}', name: 'x' }) },
    ...['test://{x', 'test://x}', 'test://{{x}}', 'test://{}', 'test://{|x}', 'test://{user-id}'].map(uriTemplate => ({
      named: `the template ${uriTemplate}`,
      breaks: 'shape' as const,
      ...listing({ uriTemplate, name: 'x' }),
    })),
    ...[{ title: 7 }, { mimeType: null }, { description: {} }, { icons: 'x' }, { annotations: 'x' }].map(member => ({
      named: `lists ${JSON.stringify(member)}`,
      breaks: 'shape' as const,
      ...listing({ uriTemplate: 'test://{x}', name: 'x', ...member }),
    })),
  ],
  variants: [
    {
      named: 'all operators, and all members',
      shows: ['shape'],
      ...listing({
        uriTemplate: 'test://h{/a,b*}{;c}{?q,n:3}{&more}{+rest}{#end}',
        name: '',
        title: 'All',
        description: '',
        mimeType: 'text/plain',
        annotations: { priority: 1 },
        icons: [],
      }),
    },
    { named: 'a template without expression', shows: ['shape'], ...listing({ uriTemplate: 'test://x', name: 'x' }) },
    { named: 'no template', on: 'server/resources/templates', tamper: withTemplates(() => []) },
  ],
})

function fitOf(template: Json, revision: Revision): { outcome: Outcome; problem?: string } {
  if (!isObject(template)) return { outcome: 'breaks', problem: 'no object' }
  const { name, uriTemplate, title, description, mimeType, icons, annotations } = template
  if (typeof name !== 'string') return { outcome: 'breaks', problem: 'no name' }
  if (typeof uriTemplate !== 'string') return { outcome: 'breaks', problem: 'no uriTemplate' }
  const texts = [description, mimeType, ...(revision < '2025-06-18' ? [] : [title])]
  const typed =
    texts.every(text => text === undefined || typeof text === 'string') &&
    (annotations === undefined || isObject(annotations)) &&
    (revision < '2025-11-25' || icons === undefined || Array.isArray(icons))
  if (!typed) return { outcome: 'breaks', problem: 'a member of the wrong type' }
  const found = templateProblem(uriTemplate)
  return found === undefined ? { outcome: 'holds' } : { outcome: found.fit, problem: found.problem }
}

function withTemplates(rewrite: (templates: Json[]) => Json[]): Tamper {
  return tampers.result('resources/templates/list', result => {
    const templates = at(result, 'resourceTemplates')
    return { ...result, resourceTemplates: rewrite(Array.isArray(templates) ? templates : []) }
  })
}

function listing(template: Json): { on: string; tamper: Tamper } {
  return { on: 'server/resources/templates', tamper: withTemplates(templates => [...templates, template]) }
}
