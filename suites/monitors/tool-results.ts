import { at, followResults, isObject, type JsonObject, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** What tools return, whoever called them. */
export default monitor({
  title: 'Results of tools have a content array, and isError and structuredContent of their types',
  claims: {
    content: 'tools.result.content-array',
    flag: 'tools.result.is-error-boolean',
    structured: 'tools.structured.is-object',
  },
  start: () => ({ results: followResults('tools/call') }),
  *see(state, frame) {
    for (const { params, result } of state.results(frame)) {
      // The answer to a call as a task is the task; its result comes later, by another method.
      if (at(params, 'task') !== undefined && isObject(at(result, 'task'))) continue
      const flag = at(result, 'isError')
      const structured = at(result, 'structuredContent')
      yield judge('content', Array.isArray(at(result, 'content')), 'a content array', frame)
      yield judge('flag', flag === undefined || typeof flag === 'boolean', 'isError as a boolean, or absent', frame)
      if (structured !== undefined)
        yield judge('structured', isObject(structured), 'structuredContent as an object', frame)
    }
  },
  defects: [
    { named: 'no content', ...rewrite({ structuredContent: {} }), breaks: 'content' },
    { named: 'content is a text', ...rewrite({ content: 'done' }), breaks: 'content' },
    { named: 'content is a single block', ...rewrite({ content: { type: 'text', text: '' } }), breaks: 'content' },
    { named: 'content is null', ...rewrite({ content: null, structuredContent: {} }), breaks: 'content' },
    { named: 'isError is a text', ...rewrite({ content: [], isError: 'false' }), breaks: 'flag' },
    { named: 'isError is null', ...rewrite({ content: [], isError: null }), breaks: 'flag' },
    ...[[1], null, 'x', 5].map(structuredContent => ({
      named: `structuredContent is ${JSON.stringify(structuredContent)}`,
      ...rewrite({ content: [], structuredContent }),
      breaks: 'structured' as const,
    })),
  ],
  variants: [
    {
      named: 'all members, and some of its own',
      shows: ['content', 'flag', 'structured'],
      ...rewrite({ content: [], isError: false, structuredContent: {}, 'x-own': 1 }),
    },
    { named: 'nothing to say', shows: ['content', 'flag'], ...rewrite({ content: [] }) },
  ],
})

/** What every call returns. */
function rewrite(result: JsonObject) {
  return { on: 'server/tools/unknown-tool', tamper: tampers.result('tools/call', () => result) }
}
