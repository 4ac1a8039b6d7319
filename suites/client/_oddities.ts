/** How a client took what our server said to it in the script ODD. */
import { type ClientRun, idKey, type MessageFrame, type Reply, responses } from '../../src/suite/client.ts'
import type { ODD, Oddity, Stage } from './_odd-notifications.ts'

type Notes = ReturnType<NonNullable<typeof ODD.notes>>

/**
 * The ping behind it was answered, and nothing was said to it. Undefined where it was never said; a client that
 * answers no pings at all has no way to show it.
 */
export function reactionTo(
  seen: ClientRun<Notes>,
  oddity: Oddity,
): { calm: boolean; got: Reply | MessageFrame[] } | undefined {
  const { control, stages, ids } = seen.notes
  const stage: Stage | undefined = stages.find(one => one.oddity === oddity)
  if (stage === undefined || control === undefined || control.kind === 'none') return undefined
  const known = new Set(ids.map(idKey))
  const replies = responses(seen).filter(
    ({ message, frame }) => frame.at >= stage.from && frame.at <= stage.to && !known.has(idKey(message.id)),
  )
  if (replies.length > 0) return { calm: false, got: replies.map(({ frame }) => frame) }
  return { calm: stage.reply.kind !== 'none', got: stage.reply }
}
