import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { headerPairs, headerValue, headerValues, mediaType } from './headers.ts'
import { type HttpServer, listen, readBody } from './http-server.ts'

const open: HttpServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function served(options: Parameters<typeof listen>[0]): Promise<string> {
  const server = await listen(options)
  open.push(server)
  return server.origin
}

const reply = (origin: string, text: string): Promise<string> =>
  new Promise(resolve => {
    let got = ''
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', chunk => {
      got += String(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
  })

describe('a server of this machine', () => {
  test('reads a body whole, in the chunks it came in', async () => {
    const origin = await served({
      async handle(request, response) {
        const { chunks, whole } = await readBody(request, 100)
        response.end(JSON.stringify([Buffer.concat(chunks).toString(), whole]))
      },
    })
    const answer = await fetch(origin, { method: 'POST', body: 'grüezi' })
    expect(await answer.json()).toEqual(['grüezi', true])
  })

  test('stops reading at a body that is too long', async () => {
    const origin = await served({
      async handle(request, response) {
        const { chunks, whole } = await readBody(request, 5)
        response.end(JSON.stringify([chunks.length, whole]))
      },
    })
    const answer = await fetch(origin, { method: 'POST', body: 'too long' })
    expect(await answer.json()).toEqual([0, false])
  })

  test('breaks the connection off where handling fails, unless told otherwise', async () => {
    const handle = async (): Promise<void> => {
      throw new Error('no')
    }
    await expect(fetch(await served({ handle }))).rejects.toThrow()
    const told = await served({ handle, onFailure: (problem, _request, response) => response.end(String(problem)) })
    expect(await (await fetch(told)).text()).toBe('Error: no')
  })

  test('breaks the connection off where no HTTP is spoken, unless told otherwise', async () => {
    const handle = (): void => {}
    expect(await reply(await served({ handle }), 'nonsense\r\n\r\n')).toBe('')
    const told = await served({ handle, onBroken: socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') })
    expect(await reply(told, 'nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request\r\n\r\n')
  })

  test('fails to listen where the port is taken', async () => {
    const origin = await served({ handle: () => {} })
    await expect(listen({ handle: () => {}, port: Number(new URL(origin).port) })).rejects.toThrow('EADDRINUSE')
  })
})

describe('header fields', () => {
  test('keep their order, their repetitions and their bytes', () => {
    const headers = headerPairs(['A', '1', 'b', Buffer.from([0xe9]), 'a', '2'])
    expect(headers).toEqual([
      ['A', '1'],
      ['b', 'é'],
      ['a', '2'],
    ])
    expect(headerValues(headers, 'a')).toEqual(['1', '2'])
    expect(headerValue(headers, 'B')).toBe('é')
    expect(headerValue(headers, 'c')).toBeUndefined()
  })

  test('name a media type with or without parameters', () => {
    expect([mediaType('Application/JSON; charset=utf-8'), mediaType(undefined)]).toEqual(['application/json', ''])
  })
})
