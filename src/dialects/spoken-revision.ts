/** Reads from the messages of a session which revision is spoken in it, for whoever judges them. */

import { META } from '../spec/request-metadata.ts'
import { factsAbout, isRevision, type Revision } from '../spec/revision.ts'
import { at, idKey, textAt } from '../wire/json-rpc.ts'
import type { Frame } from '../wire/log.ts'

export interface SpokenRevision {
  readonly revision: Revision
  see(frame: Frame): void
}

export function readSpokenRevision(offered: Revision): SpokenRevision {
  const openings = new Set<string>()
  let revision = offered
  return {
    get revision() {
      return revision
    },
    see(frame) {
      if (frame.kind !== 'message') return
      const method = at(frame.json, 'method')
      if (method === 'initialize') openings.add(idKey(at(frame.json, 'id')))
      else if (method === undefined && openings.has(idKey(at(frame.json, 'id')))) {
        const agreed = textAt(frame.json, 'result', 'protocolVersion')
        if (isRevision(agreed)) revision = agreed
      } else {
        // Without a session the request itself says it. A client may just be trying, so only ours counts.
        const said = textAt(frame.json, 'params', '_meta', META.version)
        const ours = frame.from === 'us' && frame.intended === undefined
        if (ours && isRevision(said) && factsAbout(said).family === 'stateless') revision = said
      }
    },
  }
}
