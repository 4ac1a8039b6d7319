import {
  type Answers,
  askInTurn,
  clientScenario,
  codes,
  declaration,
  declared,
  failure,
  isObject,
  judge,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { PROMPT } from '../_plain-questions.ts'
import { withTool } from './_tool-questions.ts'

/** A client whose model knows no tools gets a plain request, and the same with tools and with a choice of tools. */
const WITHOUT_TOOLS = script({
  drive: {
    name: 'sampling-without-tools',
    client: { sampling: { answer: {} } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<'plain' | 'tools' | 'choice'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { sampling } = call.conversation.capabilities
      const method = 'sampling/createMessage'
      if (isObject(sampling) && sampling.tools === undefined)
        await askInTurn(call, notes, {
          plain: { method, params: PROMPT },
          tools: { method, params: withTool(), odd: true },
          choice: { method, params: { ...PROMPT, toolChoice: { mode: 'auto' } }, odd: true },
        })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'A client that does not declare tools for sampling refuses requests with them',
  needs: { since: '2025-11-25' },
  script: WITHOUT_TOOLS,
  claims: {
    declares: 'sampling.tools.client-declares',
    tools: 'sampling.error.tools-undeclared',
    choice: 'sampling.error.tool-choice-undeclared',
  },
  *run(seen) {
    const { plain, tools, choice } = seen.notes
    if (seen.conversations.length === 0) yield unmet(undone(seen, 'open a session'))
    else if (declared(seen, 'sampling') === undefined || declared(seen, 'sampling', 'tools') !== undefined) {
      const got = declaration(
        seen,
        `it declares sampling: ${JSON.stringify(declared(seen, 'sampling')) ?? 'not at all'}`,
      )
      for (const claim of ['declares', 'tools', 'choice'] as const)
        yield judge(claim, 'n/a', 'sampling without tools', got)
    } else if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    // An error proves nothing where a plain request gets one, too.
    else if (plain.kind !== 'result') yield unmet('its model does not answer a plain request either')
    else {
      if (tools !== undefined) {
        yield judge('tools', tools.kind === 'error', 'an error for a request with tools', tools, 'accepted')
        yield judge('declares', tools.kind !== 'result', 'no result for a request with tools', tools, 'accepted')
      }
      if (choice !== undefined)
        yield judge('choice', choice.kind === 'error', 'an error for a toolChoice', choice, 'accepted')
    }
  },
  defects: [
    {
      named: 'ignores tools',
      breaks: 'tools',
      kind: 'accepted',
      also: ['declares'],
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          undeclared: ({ tools: _, ...params }, capability) => sampling.undeclared(params, capability),
        },
      }),
    },
    {
      named: 'uses tools without having said that it can',
      breaks: 'declares',
      kind: 'accepted',
      also: ['tools', 'choice'],
      replace: ({ sampling }) => ({ sampling: { ...sampling, undeclared: () => undefined } }),
    },
    {
      named: 'ignores a choice of tools',
      breaks: 'choice',
      kind: 'accepted',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          undeclared: ({ toolChoice: _, ...params }, capability) => sampling.undeclared(params, capability),
        },
      }),
    },
    {
      named: 'never answers a request with tools',
      breaks: 'tools',
      kind: 'silent',
      replace: { drops: ({ params }) => isObject(params) && params.tools !== undefined },
    },
  ],
  variants: [
    {
      named: 'another code',
      shows: ['declares', 'tools', 'choice'],
      replace: ({ sampling }) => ({
        onException: (_problem, { id }) => failure(id, codes.internalError, 'No tools'),
        sampling: {
          ...sampling,
          undeclared: (params, capability) => {
            if (sampling.undeclared(params, capability) !== undefined) throw new Error('no tools')
            return undefined
          },
        },
      }),
    },
  ],
})
