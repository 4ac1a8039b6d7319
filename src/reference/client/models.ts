/** Which of the models suits a server (client/sampling#model-preferences). */
import { at, type Json, textAt } from '../../wire/json-rpc.ts'

/** What a priority is about, by its member. */
const PRIORITIES = { costPriority: 'cost', speedPriority: 'speed', intelligencePriority: 'intelligence' } as const

/** Hints come before priorities, and the first hint that fits a model decides; a model is a name, or an object that has one. */
export function chooseModel(preferences: Json | undefined, models: readonly Json[]): string {
  const hints = at(preferences, 'hints')
  for (const hint of Array.isArray(hints) ? hints : []) {
    const part = textAt(hint, 'name')
    const found = part === undefined ? undefined : models.find(model => nameOf(model).includes(part))
    if (found !== undefined) return nameOf(found)
  }
  const ranked = [...models].sort((one, other) => fitOf(other, preferences) - fitOf(one, preferences))
  return nameOf(ranked[0] ?? '')
}

export const nameOf = (model: Json): string => (typeof model === 'string' ? model : (textAt(model, 'name') ?? ''))

/** The properties of a model are numbers, the more the better. */
function fitOf(model: Json, preferences: Json | undefined): number {
  return Object.entries(PRIORITIES).reduce((sum, [priority, property]) => {
    const weight = at(preferences, priority)
    const value = at(model, property)
    return typeof weight === 'number' && typeof value === 'number' ? sum + weight * value : sum
  }, 0)
}
