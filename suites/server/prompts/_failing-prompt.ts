/** A prompt whose making fails inside the server: two clauses say with which error it is answered. */
import { judge, type Outcome, type Reply, type ServerPeer, unmet } from '../../../src/suite/server.ts'

const FIXTURE = 'test_failing_prompt'

export const FAILING_PROMPT = { capability: 'prompts', fixture: { prompt: FIXTURE } }

/** Asks for it, and judges the code of the error. */
export const getFailingPrompt = (outcomeOf: (reply: Reply) => boolean | Outcome) =>
  async function* (peer: ServerPeer) {
    const reply = await peer.request('prompts/get', { name: FIXTURE })
    if (reply.kind === 'result') yield unmet(`fixture ${FIXTURE} does not fail`)
    else yield judge('code', outcomeOf(reply), 'error -32603', reply, 'wrong-code')
  }
