import {
  at,
  clientScenario,
  codes,
  failure,
  inResult,
  judge,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { WITH_TOOLS } from './_sampling-with-tools.ts'
import { useOf } from './_tool-questions.ts'

export default clientScenario({
  title: 'A client that declares sampling.tools accepts requests with tools, and uses none with toolChoice none',
  needs: { capability: 'sampling.tools' },
  script: WITH_TOOLS,
  claims: { takes: 'sampling.tools.client-declares', none: 'sampling.tool-choice.none' },
  *run(seen) {
    const { plain, tool, none } = seen.notes
    if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (plain.kind !== 'result') yield unmet('its model does not answer a plain request either')
    if (plain?.kind !== 'result') return
    if (tool !== undefined && tool.kind !== 'none') {
      // A refusal is the right of the user; that the request is not understood contradicts the capability.
      const unsupported =
        tool.kind === 'error' && (tool.code === codes.methodNotFound || tool.code === codes.invalidParams)
      yield judge('takes', !unsupported, 'a result for a request with one tool, or a refusal by the user', tool)
    }
    if (none === undefined || none.kind === 'none')
      yield unmet('it did not answer a request with tools', 'takes', 'none')
    else if (none.kind !== 'result') yield unmet('it refused a request that allows no tool', 'none')
    else yield judge('none', !uses(inResult(none, 'content')), 'an answer without tool_use', none, 'ignored')
  },
  defects: [
    {
      named: 'does not understand tools',
      breaks: 'takes',
      kind: 'refused',
      tamper: tampers.answer('sampling/createMessage', (message, cause) =>
        at(cause, 'params', 'tools') === undefined || at(cause, 'params', 'toolChoice') !== undefined
          ? message
          : failure(message.id, codes.invalidParams, 'Tools are not supported'),
      ),
    },
    {
      named: 'uses a tool whatever is said',
      breaks: 'none',
      kind: 'ignored',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          speaks: (params, settings, model) =>
            params.tools === undefined
              ? sampling.speaks(params, settings, model)
              : { role: 'assistant', model, content: [useOf('use-1', 'Paris')], stopReason: 'toolUse' },
          checks: result => result,
        },
      }),
    },
  ],
  variants: [
    {
      named: 'its user refuses tools',
      shows: ['takes'],
      tamper: tampers.answer('sampling/createMessage', (message, cause) =>
        at(cause, 'params', 'tools') === undefined
          ? message
          : failure(message.id, -1, 'User rejected sampling request'),
      ),
    },
  ],
})

const uses = (content: unknown): boolean =>
  (Array.isArray(content) ? content : [content]).some(block => at(block, 'type') === 'tool_use')
