/**
 * How one request is answered without a session (basic/index#statelessness): all that there is to know stands in it. The order
 * of the checks is not defined; this is from the outside in.
 */
import { META } from '../../spec/request-metadata.ts'
import { failure, isObject, type JsonObject, result, textAt } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import { features } from './features.ts'
import type { Problem } from './rules.ts'

export interface Answered {
  message: JsonObject
  /** over HTTP */
  status: number
}

/** `differs` says what is wrong with the head of the request, where it has one. */
export function answer(
  policies: Policies,
  message: JsonObject,
  differs: (message: JsonObject) => Problem | undefined = () => undefined,
): Answered | undefined {
  const { stateless } = policies
  const method = String(message.method)
  const params = isObject(message.params) ? message.params : {}
  const refuse = (problem: Problem, status: number): Answered => ({
    message: failure(message.id, problem.code, problem.message ?? 'Refused', problem.data),
    status: stateless.statusOf(status),
  })
  if (method === 'initialize') return refuse(stateless.onInitialize(stateless.versions), 400)
  const wrongHeader = differs(message)
  if (wrongHeader !== undefined) return refuse(wrongHeader, 400)
  const missing = missingIn(policies, params)
  if (missing !== undefined) return refuse(stateless.onMissing(missing), 400)
  const version = textAt(params, '_meta', META.version) ?? ''
  if (!stateless.serves(version, stateless.versions, method))
    return refuse(stateless.onVersion(version, stateless.versions), 400)
  const done = run(policies, method, params)
  if (done === undefined) return unknownMethod(policies, message)
  if ('problem' in done) return refuse(done.problem, done.status ?? 200)
  return { message: result(message.id ?? null, done.result), status: 200 }
}

/** The name of a member that has to be there and is not, or is something else than it should be. */
function missingIn({ stateless }: Policies, params: JsonObject): string | undefined {
  const meta = isObject(params._meta) ? params._meta : {}
  const types: Readonly<Record<string, boolean>> = { [META.version]: typeof meta[META.version] === 'string' }
  return stateless.required.find(name => !(types[name] ?? isObject(meta[name])))
}

function run(policies: Policies, method: string, params: JsonObject): ReturnType<(typeof features)[string]> {
  const extra = policies.extraMethods[method]
  if (extra !== undefined) return { result: extra(params) }
  const feature = Object.hasOwn(features, method) ? features[method] : undefined
  const meta = isObject(params._meta) ? params._meta : {}
  const declared = meta[META.capabilities]
  return feature?.({ params, declared: isObject(declared) ? declared : {}, policies })
}

function unknownMethod(policies: Policies, message: JsonObject): Answered | undefined {
  const told = policies.onUnknownMethod(message)
  if (told === undefined) return undefined
  return { message: told, status: told.error === undefined ? 200 : policies.stateless.statusOf(404) }
}
