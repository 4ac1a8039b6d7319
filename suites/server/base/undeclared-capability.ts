import { at, codes, isObject, type Json, judge, serverScenario } from '../../../src/suite/server.ts'
import { refused } from '../_refusals.ts'

/** It needs sampling, which no request of ours declares here. */
const TOOL = 'test_missing_capability'

export default serverScenario({
  title: 'A tool that needs a capability which the request does not declare is refused with -32021',
  needs: { since: '2026-07-28', capability: 'tools', fixture: { tool: TOOL } },
  claims: {
    code: 'base.meta.missing-capability-error',
    data: 'base.meta.missing-capability-error-data',
    status: 'base.meta.missing-capability-http-400',
  },
  async *run(peer) {
    const reply = await peer.request('tools/call', { name: TOOL, arguments: {} })
    yield refused('code', reply, { code: codes.missingClientCapability })
    if (reply.kind !== 'error' || reply.code !== codes.missingClientCapability) return
    const needed = at(reply.data, 'requiredCapabilities')
    const kind = needed === undefined ? 'missing' : areCapabilities(needed) ? 'wrong-value' : 'wrong-type'
    const holds = areCapabilities(needed) && at(needed, 'sampling') !== undefined
    yield judge('data', holds, 'data.requiredCapabilities, client capabilities with sampling in it', reply, kind)
    if (peer.via === 'http') yield refused('status', reply, { code: reply.code, status: 400 })
  },
  defects: [
    {
      named: 'calls the tool all the same',
      breaks: 'code',
      kind: 'accepted',
      replace: { stateless: { lacks: () => undefined } },
    },
    {
      named: 'the code of a draft',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { stateless: { onLack: requiredCapabilities => ({ code: -32003, data: { requiredCapabilities } }) } },
    },
    {
      named: 'does not say what it needs',
      breaks: 'data',
      kind: 'missing',
      replace: { stateless: { onLack: () => ({ code: codes.missingClientCapability }) } },
    },
    {
      named: 'a list of names',
      breaks: 'data',
      kind: 'wrong-type',
      replace: {
        stateless: {
          onLack: needed => ({
            code: codes.missingClientCapability,
            data: { requiredCapabilities: Object.keys(needed) },
          }),
        },
      },
    },
    {
      named: 'says that it needs another one',
      breaks: 'data',
      kind: 'wrong-value',
      replace: {
        stateless: {
          onLack: () => ({ code: codes.missingClientCapability, data: { requiredCapabilities: { roots: {} } } }),
        },
      },
    },
    {
      named: 'status 200',
      breaks: 'status',
      kind: 'wrong-status',
      via: 'http',
      replace: { stateless: { statusOf: () => 200 } },
    },
  ],
})

const areCapabilities = (value: Json | undefined): boolean => isObject(value) && Object.values(value).every(isObject)
