import {
  type Answers,
  actionOf,
  askInTurn,
  type ClientDefect,
  clientScenario,
  inResult,
  instanceProblems,
  isObject,
  type JsonObject,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** What the user enters, into every form alike. */
const ENTERED = { age: 5, email: 'nobody at all', colour: 'pink', nick: 'Ann' }

/** Each form finds another fault with it; the first one finds none. */
const FORMS = {
  fitting: { properties: { nick: { type: 'string' } }, required: ['nick'] },
  minimum: { properties: { age: { type: 'integer', minimum: 18 } }, required: ['age'] },
  format: { properties: { email: { type: 'string', format: 'email' } }, required: ['email'] },
  choice: { properties: { colour: { type: 'string', enum: ['red', 'green'] } }, required: ['colour'] },
  required: { properties: { name: { type: 'string' } }, required: ['name'] },
} satisfies Record<string, JsonObject>

type Fault = Exclude<keyof typeof FORMS, 'fitting'>

const FAULTS: Record<Fault, string> = {
  minimum: 'a number below the minimum',
  format: 'a text that is no e-mail address',
  choice: 'a choice that there is not',
  required: 'nothing in a field that is required',
}

const ENTERING = script({
  drive: {
    name: 'elicitation-wrong-entries',
    client: { elicitation: { action: 'accept', content: ENTERED } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<keyof typeof FORMS> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { elicitation } = call.conversation.capabilities
      if (isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)) {
        const questions = Object.entries(FORMS).map(([name, form]) => {
          const params = { message: 'Please fill this in', requestedSchema: { type: 'object', ...form } }
          // What comes back was provoked: that it does not fit is judged here, and by no monitor.
          return [name, { method: 'elicitation/create', params, odd: name !== 'fitting' }]
        })
        await askInTurn(call, notes, Object.fromEntries(questions))
      }
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client does not send content that does not match the requested schema',
  needs: { capability: 'elicitation', since: '2025-06-18' },
  script: ENTERING,
  claims: { validates: 'elicitation.form.client-validates' },
  *run(seen) {
    const { fitting } = seen.notes
    if (fitting === undefined) yield unmet(undone(seen, 'list the tools'))
    // Whoever accepts nothing, or enters something else, shows nothing by what is not sent.
    else if (actionOf(fitting) !== 'accept' || inResult(fitting, 'content', 'nick') !== ENTERED.nick)
      yield unmet('its user did not enter what was set up')
    else
      for (const [name, fault] of Object.entries(FAULTS) as [Fault, string][]) {
        const reply = seen.notes[name]
        if (reply === undefined) yield unmet('it had stopped answering before')
        else
          yield judge('validates', !sends(reply, name), `no acceptance of ${fault}`, reply, {
            kind: 'accepted',
            subject: fault,
          })
      }
  },
  defects: [
    {
      named: 'sends whatever is entered',
      breaks: 'validates',
      kind: 'accepted',
      replace: client => ({ elicitation: { ...client.elicitation, withProblem: 'send' } }),
    },
    ...(['minimum', 'format', 'enum', 'required'] as const).map(
      (keyword): ClientDefect<'validates'> => ({
        named: `does not look at ${keyword}`,
        breaks: 'validates',
        kind: 'accepted',
        replace: client => ({
          elicitation: {
            ...client.elicitation,
            contentProblem: (schema, content) => client.elicitation.contentProblem(without(schema, keyword), content),
          },
        }),
      }),
    ),
  ],
})

/** It was accepted as entered, fault and all. */
function sends(reply: Reply, name: Fault): boolean {
  if (actionOf(reply) !== 'accept') return false
  const content = inResult(reply, 'content')
  if (name === 'format') return inResult(reply, 'content', 'email') === ENTERED.email
  return instanceProblems({ type: 'object', ...FORMS[name] }, content ?? {}) !== undefined
}

/** The schema as one sees it who does not know a keyword. */
function without(schema: JsonObject, keyword: string): JsonObject {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === keyword ? undefined : value)))
}
