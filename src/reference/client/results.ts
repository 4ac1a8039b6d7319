/** Whether the answer of a server can be used (server/tools#security-considerations). */
import { dialectOf, instanceProblems, UNKNOWN_DIALECT } from '../../spec/json-schema.ts'
import { isRevision } from '../../spec/revision.ts'
import { definitionOf, problemsOf } from '../../spec/schemas.ts'
import { at, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { LISTS } from './pages.ts'

/** What is wrong with a message or a result by the definition of the revision; what the texts leave open is not. */
function definedProblem(
  version: string,
  from: 'client' | 'server',
  method: string,
  part: 'request' | 'result' | 'task',
  value: Json,
): string | undefined {
  const definition = isRevision(version) ? definitionOf(version, from, method, part) : undefined
  if (definition === undefined || !isRevision(version)) return undefined
  const problem = problemsOf(version, definition, value).find(({ open }) => open === undefined)
  return problem && `${problem.place || 'it'}: expected ${problem.expected}, got ${problem.got}`
}

/** What is wrong with a request of the server. */
export const requestProblem = (message: JsonObject, version: string): string | undefined =>
  definedProblem(version, 'server', String(message.method), 'request', message)

/** A result, and what the client knows of the tool that gave it. */
export interface ResultSeen {
  method: string
  result: JsonObject
  tool: JsonObject | undefined
  version: string
}

/** What makes a result unusable; a broken item of a list is only left out. */
export function resultProblem({ method, result, tool, version }: ResultSeen): string | undefined {
  if (Object.hasOwn(LISTS, method)) return undefined
  const problem = definedProblem(version, 'client', method, 'result', result)
  if (problem !== undefined) return problem
  return method === 'tools/call' ? structureProblem(tool?.outputSchema, result) : undefined
}

export const createTaskProblem = (method: string, result: JsonObject, version: string): string | undefined =>
  definedProblem(version, 'client', method, 'task', result)

/** Structured content has to fit the schema with which the tool was listed. */
function structureProblem(outputSchema: Json | undefined, result: JsonObject): string | undefined {
  if (outputSchema === undefined || result.isError === true) return undefined
  if (result.structuredContent === undefined) return 'structuredContent is missing, though the tool has an outputSchema'
  const problem = instanceProblems(outputSchema, result.structuredContent)
  if (problem === UNKNOWN_DIALECT)
    return `the JSON Schema dialect ${String(dialectOf(outputSchema))} of the outputSchema is not supported by this client`
  return problem === undefined ? undefined : `structuredContent does not fit the outputSchema: ${problem}`
}

/** The tools of a list by their names, without what has none. */
export const toolsIn = (items: readonly Json[]): Map<string, JsonObject> =>
  new Map(
    items.flatMap(item => {
      const name = at(item, 'name')
      return typeof name === 'string' ? [[name, item as JsonObject] as const] : []
    }),
  )
