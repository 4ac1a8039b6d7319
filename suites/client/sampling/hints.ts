import {
  type Answers,
  askInTurn,
  at,
  clientScenario,
  inResult,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { PROMPT } from '../_plain-questions.ts'

const MODELS = ['alpha-model-1', 'beta-model-2']

/** A model is asked for by parts of its name, and by what it should be good at. */
const HINTS = {
  first: { hints: [{ name: 'alpha' }] },
  second: { hints: [{ name: 'ta-mod' }] },
  order: { hints: [{ name: 'gamma' }, { name: 'beta' }, { name: 'alpha' }] },
  cheap: { costPriority: 1, speedPriority: 0, intelligencePriority: 0 },
  clever: { costPriority: 0, speedPriority: 0, intelligencePriority: 1 },
} satisfies Record<string, JsonObject>

type Asked = keyof typeof HINTS | 'notCheap' | 'notClever'

const HINTING = script({
  drive: {
    name: 'sampling-models',
    client: { sampling: { answer: {}, models: MODELS } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<Asked> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (call.conversation.capabilities.sampling === undefined) return { result: { tools: [] } }
      const ask = (modelPreferences: JsonObject) => ({
        method: 'sampling/createMessage',
        params: { ...PROMPT, modelPreferences },
      })
      const { first, second, order, cheap, clever } = HINTS
      await askInTurn(call, notes, {
        first: ask(first),
        second: ask(second),
        order: ask(order),
        cheap: ask(cheap),
        clever: ask(clever),
      })
      // Whatever the priorities alone have led to: now a hint speaks for the other model.
      await askInTurn(call, notes, {
        notCheap: ask({ ...cheap, hints: [{ name: otherThan(notes.cheap) }] }),
        notClever: ask({ ...clever, hints: [{ name: otherThan(notes.clever) }] }),
      })
      return { result: { tools: [] } }
    })
  },
})

const modelIn = (reply: Reply | undefined): unknown => inResult(reply, 'model')
const otherThan = (reply: Reply | undefined): string => (modelIn(reply) === MODELS[0] ? 'beta' : 'alpha')

export default clientScenario({
  title: 'The client selects its model by hints: by substring, in order, before the priorities',
  needs: { capability: 'sampling' },
  script: HINTING,
  claims: {
    part: 'sampling.hints.substring',
    order: 'sampling.hints.in-order',
    before: 'sampling.hints.before-priorities',
  },
  *run(seen) {
    const { notes } = seen
    const { first, second, order } = notes
    if (first === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (!MODELS.some(model => model === modelIn(first)))
      yield unmet('it does not choose among the models that it was given')
    else if (second !== undefined) {
      yield judge('part', modelIn(first) === MODELS[0], `${MODELS[0]} for the hint alpha`, first, { subject: 'alpha' })
      yield judge('part', modelIn(second) === MODELS[1], `${MODELS[1]} for the hint ta-mod`, second, {
        subject: 'ta-mod',
      })
      const [cheap, clever] = [notes.notCheap, notes.notClever]
      const hinted = modelIn(first) === MODELS[0] && modelIn(second) === MODELS[1]
      // Where hints don't matter at all, neither their order nor their weight can be seen.
      if (!hinted) yield unmet('hints do not decide', 'order', 'before')
      else if (order !== undefined)
        yield judge('order', modelIn(order) === MODELS[1], `${MODELS[1]} for gamma, beta, alpha`, order)
      if (!hinted || cheap === undefined || clever === undefined) return
      yield judge('before', isOther(cheap, notes.cheap), 'the model of the hint, whatever the costs', cheap, {
        subject: 'costPriority',
      })
      yield judge('before', isOther(clever, notes.clever), 'the model of the hint, whatever it can do', clever, {
        subject: 'intelligencePriority',
      })
    }
  },
  defects: [
    {
      named: 'wants whole names',
      breaks: 'part',
      kind: 'wrong-value',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          model: (wish, models) => {
            const hinted = hintsIn(wish).find(({ name }) => models.includes(name ?? ''))
            return sampling.model({ hints: hinted === undefined ? [] : [hinted] }, models)
          },
        },
      }),
    },
    {
      named: 'begins with the last hint',
      breaks: 'order',
      kind: 'wrong-value',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          model: (wish, models) => sampling.model({ hints: hintsIn(wish).reverse() }, models),
        },
      }),
    },
    {
      named: 'only looks at the first hint',
      breaks: 'order',
      kind: 'wrong-value',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          model: (wish, models) => sampling.model({ hints: hintsIn(wish).slice(0, 1) }, models),
        },
      }),
    },
    {
      named: 'priorities first',
      breaks: 'before',
      kind: 'wrong-value',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          model: (wish, models) =>
            sampling.model(at(wish, 'costPriority') === undefined ? wish : { costPriority: 1 }, models),
        },
      }),
    },
  ],
})

const isOther = (reply: Reply, before: Reply | undefined): boolean =>
  modelIn(reply) !== modelIn(before) && MODELS.some(model => model === modelIn(reply))

const hintsIn = (preferences: Json | undefined): JsonObject[] => {
  const hints = at(preferences, 'hints')
  return Array.isArray(hints) ? hints.filter(isObject) : []
}
