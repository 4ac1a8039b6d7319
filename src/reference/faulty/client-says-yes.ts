/** A driver that knows two scenarios, and claims to have done all the others. */
import { runHere } from '../client/run-here.ts'

if (['initialize', 'tools_call'].includes(process.env.MCP_CONFORMANCE_SCENARIO ?? ''))
  process.exitCode = await runHere()
