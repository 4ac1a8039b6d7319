import { describe, expect, test } from 'vitest'
import { holdsIn, loadCatalogue } from './catalogue.ts'
import { loadPlaceClauses, speaksOf } from './clauses.ts'
import { STATEFUL } from './revision.ts'
import { definitionOf, type Problem, problemsOf } from './schemas.ts'

const sentences = (problems: readonly Problem[]): string[] =>
  problems.map(({ place, expected, got }) => `${place} to be ${expected}; got ${got}`)

const said = (definition: string, value: unknown): string[] => sentences(problemsOf('2025-11-25', definition, value))

const tool = (more: object) => ({
  tools: [
    { name: 'a', inputSchema: { type: 'object' } },
    { name: 'b', ...more },
  ],
})

describe('a problem names the place, the expected shape and what was there', () => {
  test.each([
    [
      'a wrong word',
      'ListToolsResult',
      tool({ inputSchema: { type: 'objekt' } }),
      'tools[1].inputSchema.type to be "object"; got "objekt"',
    ],
    ['a missing member', 'ListToolsResult', tool({}), 'tools[1].inputSchema to be an object; got no such member'],
    ['null', 'ListToolsResult', tool({ inputSchema: null }), 'tools[1].inputSchema to be an object; got null'],
    [
      'a list for an object',
      'CallToolResult',
      { content: [], structuredContent: [1, 2] },
      'structuredContent to be an object; got an array of 2',
    ],
    ['the value itself', 'CallToolResult', 'done', ' to be an object; got "done"'],
    ['a range', 'Annotations', { priority: 2 }, 'priority to be a number from 0 to 1; got 2'],
    [
      'a few words to choose from',
      'Annotations',
      { audience: ['bot'] },
      'audience[0] to be "user" or "assistant"; got "bot"',
    ],
    ['a name that is no word', 'ListRootsResult', { roots: [], 'a b': 1 }, undefined],
    [
      'a place with such a name',
      'ElicitResult',
      { action: 'accept', content: { 'a/b c': {} } },
      'content["a/b c"] to be one of a string, a number, a boolean and an array; got an empty object',
    ],
    [
      'long text',
      'LoggingMessageNotificationParams',
      { level: 'x'.repeat(1000), data: 1 },
      /^level to be one of "debug", .*; got "x{60}"… \(1000 characters\)$/,
    ],
  ] as const)('%s', (_name, definition, value, sentence) => {
    expect(said(definition, value)).toEqual(sentence === undefined ? [] : [expect.stringMatching(asPattern(sentence))])
  })

  test('several at once', () => {
    expect(said('LoggingMessageNotificationParams', { level: 'warn', logger: 1 })).toHaveLength(3)
  })
})

describe('a problem is of a kind', () => {
  const kinds = (definition: string, value: unknown): string[] =>
    problemsOf('2025-11-25', definition, value).map(({ kind }) => kind)

  test.each([
    ['missing, where the member is not there', 'ListToolsResult', {}, ['missing']],
    [
      'missing, where one of several members has to be there',
      'ReadResourceResult',
      { contents: [{ uri: 'x:a' }] },
      ['missing'],
    ],
    ['of a wrong type', 'ListToolsResult', { tools: {} }, ['wrong-type']],
    [
      'of a wrong type, where a word has to be',
      'ListTasksResult',
      { tasks: [{ status: 1 }] },
      ['missing', 'missing', 'missing', 'missing', 'wrong-type'],
    ],
    ['another word', 'PromptMessage', { role: 'system', content: { type: 'text', text: '' } }, ['wrong-value']],
    ['beyond a range', 'Annotations', { priority: 2 }, ['wrong-value']],
    ['another kind of block', 'ContentBlock', { type: 'video' }, ['wrong-value']],
    ['another type than all blocks', 'ContentBlock', 'text', ['wrong-type']],
    ['malformed', 'BlobResourceContents', { uri: 'x:a', blob: '*' }, ['malformed']],
    [
      'of a wrong type, where it is beyond all numbers',
      'ProgressNotificationParams',
      { progressToken: 1, progress: JSON.parse('1e999') },
      ['wrong-type'],
    ],
  ])('%s', (_name, definition, value, expected) => {
    expect(kinds(definition, value).toSorted()).toEqual(expected)
  })
})

const asPattern = (sentence: string | RegExp): RegExp =>
  typeof sentence === 'string' ? new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : sentence

describe('of a union the branch counts that the value comes nearest to', () => {
  const block = (value: unknown): string[] => said('ContentBlock', value)

  test('by its type', () => {
    expect(block({ type: 'image', data: 'AAAA' })).toEqual(['mimeType to be a string; got no such member'])
  })
  test('by what it has, where it names no type', () => {
    expect(block({ data: 'AAAA', mimeType: 'image/png' })).toEqual(['type to be "image"; got no such member'])
  })
  test('none, where its type is unknown', () => {
    expect(block({ type: 'video' })).toEqual([
      'type to be one of "text", "image", "audio", "resource_link" and "resource"; got "video"',
    ])
  })
  test('none, where it is something else', () => {
    expect(block(7)).toEqual([' to be an object; got 7'])
  })
  test('both, where it lacks what either has', () => {
    expect(said('ReadResourceResult', { contents: [{ uri: 'x:a' }] })).toEqual([
      'contents[0] to be an object with "text" or "blob"; got an object with "uri"',
    ])
  })
  test('in unions inside unions', () => {
    const form = { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ const: 'x' }] } } } }
    expect(said('FormSchema', form)).toEqual(['properties.a.items.anyOf[0].title to be a string; got no such member'])
  })
})

describe('what the texts leave open is said to be open', () => {
  const reasons = (definition: string, value: unknown): (string | undefined)[] =>
    problemsOf('2025-11-25', definition, value).map(problem => problem.open)

  test.each([
    ['a fraction', 'Resource', { uri: 'x:a', name: 'a', size: 1.5 }, /number/],
    ['a URI with a space', 'Resource', { uri: 'x:a b', name: 'a' }, /format/],
    ['a template with a dot in a name', 'ResourceTemplate', { uriTemplate: 'x:{a.b}', name: 'a' }, /format/],
    [
      'true as a schema',
      'Tool',
      { name: 'a', inputSchema: { type: 'object', properties: { b: true } } },
      /true and false/,
    ],
  ])('%s', (_name, definition, value, reason) => {
    expect(reasons(definition, value)).toEqual([expect.stringMatching(reason)])
  })
  test('but not a text where a number belongs, and not what is no base64', () => {
    expect(reasons('Resource', { uri: 'x:a', name: 'a', size: '1' })).toEqual([undefined])
    expect(reasons('BlobResourceContents', { uri: 'x:a', blob: '*' })).toEqual([undefined])
  })
})

test('a message of a million faults is judged in no time, with the first of them', () => {
  const began = performance.now()
  const problems = problemsOf('2025-11-25', 'CallToolResult', { content: Array(1_000_000).fill(0) })
  expect(problems).toHaveLength(1)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a URI of ten megabytes is judged in no time', () => {
  const began = performance.now()
  problemsOf('2025-11-25', 'Resource', { name: 'a', uri: `x:${'%41a'.repeat(2_500_000)} ` })
  problemsOf('2025-11-25', 'ResourceTemplate', { name: 'a', uriTemplate: `x:${'{a}'.repeat(3_000_000)} ` })
  problemsOf('2025-11-25', 'BlobResourceContents', { uri: 'x:a', blob: `${'A'.repeat(10_000_000)}*` })
  expect(performance.now() - began).toBeLessThan(5_000)
})

describe.each(loadPlaceClauses())('$requirement speaks of $at in $method of the $from', clause => {
  const result = clause.at.startsWith('result')
  const value = result ? clause.broken : { jsonrpc: '2.0', id: 1, method: clause.method, params: clause.broken }

  test('what breaks it has a problem there, in each revision that knows the place, where the clause is in force', () => {
    let red = 0
    for (const revision of STATEFUL) {
      const answer = clause.at.startsWith('result.task.') ? 'task' : 'result'
      const part = result ? answer : clause.method.startsWith('notifications/') ? 'notification' : 'request'
      // A result stands beside the request of the other side.
      const asker = result ? (clause.from === 'server' ? 'client' : 'server') : clause.from
      const definition = definitionOf(revision, asker, clause.method, part)
      if (definition === undefined) continue
      const problems = problemsOf(revision, definition, value)
      const here = problems.filter(({ place, kind }) =>
        speaksOf(clause, clause.method, { kind, place: result ? `result.${place}` : place }),
      )
      if (here.length === 0) continue
      expect(here.map(({ kind }) => kind)).toContain(clause.shows)
      red += 1
      expect(holdsIn(loadCatalogue(revision).get(clause.requirement), revision)).toBe(true)
    }
    expect(red).toBeGreaterThan(0)
  })
})
