/** A server that refuses the first POST, as those of the transport of 2024-11-05 do, or for another reason. */
import { type Script, script } from '../../../src/suite/client.ts'

export const refusing = (status: number): Script =>
  script({
    drive: { name: 'initialize' },
    setup: () => ({
      http: {
        intercept({ method, target }, responder) {
          if (!target.startsWith('/mcp')) return false
          responder.head(method === 'POST' ? status : 405)
          responder.end()
          return true
        },
      },
    }),
  })
