/** Whether a client that was refused looks for the older transport (basic/transports#backwards-compatibility). */
import { at, type ClientRun, fateOfClient, headerValues } from '../../src/suite/client.ts'

/** The refused POST of `initialize`, and the GET behind it. */
export function fallbackOf(seen: ClientRun<unknown>) {
  const refused = seen.requests.find(({ method, json }) => method === 'POST' && at(json, 'method') === 'initialize')
  const get = seen.requests.find(
    ({ method, target, at: when }) =>
      method === 'GET' && target === refused?.target && refused !== undefined && when > refused.at,
  )
  const streams = get !== undefined && headerValues(get.headers, 'accept').join().includes('text/event-stream')
  return { refused, looking: get && { streams }, got: get?.frames ?? fateOfClient(seen) }
}
