import { expect, test } from 'vitest'
import { untampered } from '../reference/outgoing.ts'
import { defaultPolicies } from '../reference/policies.ts'
import { serveStdio } from '../reference/server/stdio.ts'
import { at, textAt } from '../wire/json-rpc.ts'
import { loadFixtures } from './fixtures.ts'

const LISTS = [
  { method: 'tools/list', member: 'tools', kind: 'tool', key: 'name' },
  { method: 'resources/list', member: 'resources', kind: 'resource', key: 'uri' },
  { method: 'resources/templates/list', member: 'resourceTemplates', kind: 'template', key: 'uriTemplate' },
  { method: 'prompts/list', member: 'prompts', kind: 'prompt', key: 'name' },
]

test('the reference offers each fixture of the contract, and nothing that the contract does not name', async () => {
  const said: string[] = []
  const server = serveStdio(defaultPolicies(), untampered, text => said.push(text))
  const say = (message: object): void => server.feed(new TextEncoder().encode(`${JSON.stringify(message)}\n`))
  say({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } })
  for (const { method } of LISTS) say({ jsonrpc: '2.0', id: method, method })
  await server.end()
  const answers = new Map(said.map(text => JSON.parse(text)).map(message => [String(at(message, 'id')), message]))
  const offered = LISTS.flatMap(({ method, member, kind, key }) => {
    const listed = at(answers.get(method), 'result', member)
    return Array.isArray(listed) ? listed.map(entry => `${kind} ${textAt(entry, key)}`) : []
  })
  expect(offered.sort()).toEqual(
    loadFixtures()
      .map(({ kind, name }) => `${kind} ${name}`)
      .sort(),
  )
})
