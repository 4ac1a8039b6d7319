/** Lines that hold less or more than one JSON value. */

export const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** True when the line splits into two JSON objects. */
export function holdsTwo(text: string): boolean {
  for (let at = text.indexOf('}{'); at !== -1; at = text.indexOf('}{', at + 1)) {
    if (parses(text.slice(0, at + 1)) && parses(text.slice(at + 1))) return true
  }
  return false
}
