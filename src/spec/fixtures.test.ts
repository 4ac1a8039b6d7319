import { expect, test } from 'vitest'
import { untampered } from '../reference/outgoing.ts'
import { defaultPolicies } from '../reference/policies.ts'
import { serveStdio } from '../reference/server/stdio.ts'
import { serveLines } from '../reference/servers.ts'
import { at, textAt } from '../wire/json-rpc.ts'
import { loadFixtures } from './fixtures.ts'
import { META } from './request-metadata.ts'

const LISTS = [
  { method: 'tools/list', member: 'tools', kind: 'tool', key: 'name' },
  { method: 'resources/list', member: 'resources', kind: 'resource', key: 'uri' },
  { method: 'resources/templates/list', member: 'resourceTemplates', kind: 'template', key: 'uriTemplate' },
  { method: 'prompts/list', member: 'prompts', kind: 'prompt', key: 'name' },
]

test('the reference with sessions offers each fixture that is not newer, and nothing that the contract does not name', async () => {
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
      .filter(({ since }) => since === undefined)
      .map(({ kind, name }) => `${kind} ${name}`)
      .sort(),
  )
})

test('the reference without sessions offers the newer ones, and nothing that the contract does not name', async () => {
  const said: string[] = []
  const options = { family: 'stateless', policies: defaultPolicies(), tamper: untampered } as const
  const server = serveLines(options, text => said.push(text))
  const _meta = { [META.version]: '2026-07-28', [META.capabilities]: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
  server.feed(new TextEncoder().encode(`${JSON.stringify(message)}\n`))
  await server.end()
  const listed = at(JSON.parse(said[0] ?? ''), 'result', 'tools')
  const offered = Array.isArray(listed) ? listed.map(entry => textAt(entry, 'name')) : []
  const tools = loadFixtures().filter(({ kind }) => kind === 'tool')
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(offered))
  expect(offered).toEqual(expect.arrayContaining(tools.filter(one => one.since !== undefined).map(one => one.name)))
})
