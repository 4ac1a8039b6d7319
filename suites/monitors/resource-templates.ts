import {
  at,
  followResults,
  inapplicable,
  type Json,
  judge,
  lacks,
  monitor,
  type Tamper,
  tampers,
  templateProblem,
  textAt,
} from '../../src/suite/monitor.ts'

/** An entry is shown up to this length. */
const SHOWN = 160

/**
 * The answers to resources/templates/list. Types are a matter of monitors/schema; a template without any expression is
 * unusual, but is one.
 */
export default monitor({
  title: 'A resource template is a URI template of RFC 6570',
  claims: { shape: 'resources.templates.shape' },
  start: () => followResults('resources/templates/list'),
  *see(follow, frame) {
    const results = follow(frame)
    if (results.length > 0 || lacks(frame, 'resources'))
      yield* inapplicable(['shape'], 'a resource template', { text: 'no template was listed', frames: [] })
    for (const { result } of results) {
      const templates = at(result, 'resourceTemplates')
      for (const template of Array.isArray(templates) ? templates : []) {
        const written = textAt(template, 'uriTemplate')
        if (written === undefined) continue
        const found = templateProblem(written)
        const text = `${found === undefined ? '' : `${found.problem}: `}${JSON.stringify(template).slice(0, SHOWN)}`
        yield judge(
          'shape',
          found?.fit ?? 'holds',
          'a URI template',
          { text, frames: [frame] },
          { kind: 'malformed', subject: textAt(template, 'name') ?? written },
        )
      }
    }
  },
  defects: [
    ...['test://{x', 'test://x}', 'test://{{x}}', 'test://{}', 'test://{|x}'].map(uriTemplate => ({
      named: `the template ${uriTemplate}`,
      breaks: 'shape' as const,
      kind: 'malformed' as const,
      ...listing({ uriTemplate, name: 'x' }),
    })),
    {
      named: 'the template test://{user-id}',
      breaks: 'shape',
      kind: 'malformed',
      verdict: 'warn',
      ...listing({ uriTemplate: 'test://{user-id}', name: 'x' }),
    },
  ],
  variants: [
    {
      named: 'all operators',
      shows: ['shape'],
      ...listing({ uriTemplate: 'test://h{/a,b*}{;c}{?q,n:3}{&more}{+rest}{#end}', name: '' }),
    },
    { named: 'a template without expression', shows: ['shape'], ...listing({ uriTemplate: 'test://x', name: 'x' }) },
    { named: 'no template', on: 'server/resources/templates', tamper: withTemplates(() => []) },
  ],
})

function withTemplates(rewrite: (templates: Json[]) => Json[]): Tamper {
  return tampers.result('resources/templates/list', result => {
    const templates = at(result, 'resourceTemplates')
    return { ...result, resourceTemplates: rewrite(Array.isArray(templates) ? templates : []) }
  })
}

function listing(template: Json): { on: string; tamper: Tamper } {
  return { on: 'server/resources/templates', tamper: withTemplates(templates => [...templates, template]) }
}
