import {
  annotationProblem,
  at,
  type Frame,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Revision,
  type Tamper,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** The types of content, with the first revision that has them; the page leaves links out, the schema does not. */
const TYPES: Record<string, Revision> = {
  text: '2024-11-05',
  image: '2024-11-05',
  resource: '2024-11-05',
  audio: '2025-03-26',
  resource_link: '2025-06-18',
}
/** Content may be long: it is shown up to here. */
const SHOWN = 160

const CLAIMS = {
  role: 'prompts.message.role',
  single: 'prompts.message.content-single',
  type: 'prompts.message.content-type',
  text: 'prompts.message.text',
  annotations: 'prompts.message.annotations',
} as const
type Claim = keyof typeof CLAIMS

/** The results of prompts/get. */
export default monitor({
  title: 'The messages of a prompt have a role and one block of content of a known type',
  claims: CLAIMS,
  start: context => ({ context, follow: followResults('prompts/get'), heard: false, seen: new Set<Claim>() }),
  *see(state, frame) {
    state.heard ||= theirMessages(frame).length > 0
    for (const { result } of state.follow(frame)) {
      const messages = at(result, 'messages')
      for (const message of Array.isArray(messages) ? messages : []) {
        for (const judgement of judgeMessage(message, frame, state.context.revision())) {
          state.seen.add(judgement.claim)
          yield judgement
        }
      }
    }
  },
  *end(state) {
    if (!state.heard) return
    for (const claim of Object.keys(CLAIMS) as Claim[])
      if (!state.seen.has(claim))
        yield judge(claim, 'n/a', 'a prompt message with it', { text: 'nothing of the kind was sent', frames: [] })
  },
  defects: [
    ...['system', 'User', '', null].map(role => ({
      named: `the role is ${JSON.stringify(role)}`,
      on: 'server/prompts/get',
      breaks: 'role' as const,
      tamper: saying({ role, content: { type: 'text', text: 'x' } }),
    })),
    {
      named: 'there is no role',
      on: 'server/prompts/get',
      breaks: 'role',
      tamper: saying({ content: { type: 'text', text: 'x' } }),
    },
    ...[[{ type: 'text', text: 'x' }], 'x', null].map(content => ({
      named: `the content is ${JSON.stringify(content)}`,
      on: 'server/prompts/get',
      breaks: 'single' as const,
      tamper: saying({ role: 'user', content }),
    })),
    ...[{ text: 'x' }, { type: 'video', data: '' }, { type: 'tool_use', id: '1', name: 'x', input: {} }].map(
      content => ({
        named: `the content is ${JSON.stringify(content)}`,
        on: 'server/prompts/get',
        breaks: 'type' as const,
        tamper: saying({ role: 'user', content }),
      }),
    ),
    {
      named: 'audio in a revision that has none',
      on: 'server/prompts/get',
      spec: '2024-11-05',
      breaks: 'type',
      tamper: saying({ role: 'user', content: { type: 'audio', data: '', mimeType: 'audio/wav' } }),
    },
    ...[{ type: 'text' }, { type: 'text', text: null }, { type: 'text', text: { value: 'x' } }].map(content => ({
      named: `the content is ${JSON.stringify(content)}`,
      on: 'server/prompts/get',
      breaks: 'text' as const,
      tamper: saying({ role: 'user', content }),
    })),
    ...[null, { audience: 'user' }, { audience: ['system'] }, { priority: 10 }, { lastModified: 'today' }].map(
      annotations => ({
        named: `the annotations are ${JSON.stringify(annotations)}`,
        on: 'server/prompts/get',
        breaks: 'annotations' as const,
        tamper: saying({ role: 'user', content: { type: 'text', text: 'x', annotations } }),
      }),
    ),
  ],
  variants: [
    {
      named: 'an empty text with all annotations',
      on: 'server/prompts/get',
      shows: ['role', 'single', 'type', 'text', 'annotations'],
      tamper: saying({
        role: 'assistant',
        content: { type: 'text', text: '', annotations: { audience: [], priority: 0, lastModified: '2025-11-25' } },
      }),
    },
    {
      named: 'a link',
      on: 'server/prompts/get',
      shows: ['type'],
      tamper: saying({ role: 'user', content: { type: 'resource_link', uri: 'test://x', name: 'x' } }),
    },
    { named: 'no message', on: 'server/prompts/get', tamper: tampers.result('prompts/get', () => ({ messages: [] })) },
  ],
})

function* judgeMessage(message: Json, frame: Frame, revision: Revision) {
  const content = at(message, 'content')
  const got = { text: `the message ${JSON.stringify(message).slice(0, SHOWN)}`, frames: [frame] }
  const role = at(message, 'role')
  yield judge('role', role === 'user' || role === 'assistant', 'the role user or assistant', got)
  yield judge('single', isObject(content), 'content that is one object', got)
  if (!isObject(content)) return
  const type = String(content.type)
  const known = Object.entries(TYPES).flatMap(([name, since]) => (since <= revision ? [name] : []))
  yield judge('type', known.includes(type), `content of a type among ${known.join(', ')}`, got)
  if (type === 'text') yield judge('text', typeof content.text === 'string', 'text content with a text', got)
  if (content.annotations === undefined) return
  const flaw = annotationProblem(content.annotations)
  const shown =
    flaw === undefined ? got : { text: `${flaw.problem}: ${JSON.stringify(content.annotations)}`, frames: [frame] }
  yield judge('annotations', flaw?.fit ?? 'holds', 'audience, priority and lastModified as the page has them', shown)
}

function saying(message: JsonObject): Tamper {
  return tampers.result('prompts/get', () => ({ messages: [message] }))
}
