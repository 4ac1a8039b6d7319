/** A client that asks for the tools before it has introduced itself. */
import { runHere } from '../client/run-here.ts'

process.exitCode = await runHere({
  tamper: out =>
    out.layer === 'message' && JSON.stringify(out.message).includes('"initialize"')
      ? [{ ...out, message: { jsonrpc: '2.0', id: 'early', method: 'tools/list' } }, out]
      : [out],
})
