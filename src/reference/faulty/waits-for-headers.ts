/** Reads messages behind Content-Length headers, as language servers do. */
import { runStdio } from '../run-stdio.ts'

const HEADER = /^Content-Length: (\d+)\r\n\r\n/
const decoder = new TextDecoder()

runStdio({
  policies: {
    reader(onLine) {
      let buffer = ''
      return {
        feed(chunk) {
          buffer += decoder.decode(chunk, { stream: true })
          for (let found = HEADER.exec(buffer); found !== null; found = HEADER.exec(buffer)) {
            const start = found[0].length
            const end = start + Number(found[1])
            if (buffer.length < end) return
            onLine(buffer.slice(start, end))
            buffer = buffer.slice(end)
          }
        },
        end() {},
      }
    },
    frame: text => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  },
})
