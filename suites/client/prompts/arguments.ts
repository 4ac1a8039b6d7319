import {
  clientScenario,
  isObject,
  type Json,
  type JsonObject,
  judge,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** Values that look like something else. */
const VALUES = { count: '7', flag: 'true', none: 'null', list: '["a"]', empty: '', text: 'Grüße' }

const GETTING = script({
  drive: {
    name: 'prompt-arguments',
    steps: [
      { request: 'prompts/list' },
      { request: 'prompts/get', params: { name: 'with_arguments', arguments: VALUES } },
      { request: 'prompts/get', params: { name: 'without_arguments' } },
    ],
  },
  setup: () => ({
    capabilities: { prompts: {} },
    prompts: [
      {
        name: 'with_arguments',
        description: 'A prompt with arguments',
        arguments: Object.keys(VALUES).map(name => ({ name, description: 'An argument', required: true })),
      },
      { name: 'without_arguments', description: 'A prompt without arguments' },
    ],
  }),
})

export default clientScenario({
  title: 'The arguments with which the client gets a prompt are strings',
  script: GETTING,
  claims: { strings: 'prompts.get.arguments-are-strings' },
  *run(seen) {
    const gets = sent(seen, 'prompts/get')
    if (gets.length === 0) yield unmet(undone(seen, 'get a prompt'))
    for (const { params, frame } of gets) {
      const wrong = mistyped(params.arguments)
      const expected = 'arguments as an object of strings, if there are any'
      if (wrong.length === 0) yield judge('strings', true, expected, frame)
      for (const subject of wrong) yield judge('strings', false, expected, frame, { kind: 'wrong-type', subject })
    }
  },
  defects: [
    {
      named: 'makes numbers and truth values of them',
      breaks: 'strings',
      kind: 'wrong-type',
      replace: { params: (method, params) => (method === 'prompts/get' ? parsed(params) : params) },
    },
    {
      named: 'sends null for none',
      breaks: 'strings',
      kind: 'wrong-type',
      replace: {
        params: (method, params) =>
          method === 'prompts/get' && params?.arguments === undefined ? { ...params, arguments: null } : params,
      },
    },
    {
      named: 'sends a list of pairs',
      breaks: 'strings',
      kind: 'wrong-type',
      replace: {
        params: (method, params) =>
          method === 'prompts/get' && isObject(params?.arguments)
            ? { ...params, arguments: Object.entries(params.arguments).map(([name, value]) => [name, value ?? null]) }
            : params,
      },
    },
  ],
  variants: [
    {
      named: 'sends an empty object for none',
      replace: {
        params: (method, params) =>
          method === 'prompts/get' && params?.arguments === undefined ? { ...params, arguments: {} } : params,
      },
    },
  ],
})

/** The places that are no object of strings. */
function mistyped(given: Json | undefined): string[] {
  if (given === undefined) return []
  if (!isObject(given)) return ['params.arguments']
  return Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [`params.arguments.${name}`],
  )
}

function parsed(params: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(params?.arguments)) return params
  const values = Object.entries(params.arguments).map(([name, value]) => [
    name,
    /^\d+$|^true$/.test(String(value)) ? JSON.parse(String(value)) : value,
  ])
  return { ...params, arguments: Object.fromEntries(values) }
}
