/** A mistake in how the program was called: one sentence, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A whole number of at least `least`, or a sentence that says so. */
export function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${flag} takes a whole number of at least ${least}, not "${text}".`)
  }
  return value
}

export function keyValue(flag: string, text: string, separator: '=' | ':'): [string, string] {
  const place = text.indexOf(separator)
  if (place <= 0) {
    throw new UsageError(`${flag} takes ${separator === '=' ? 'NAME=VALUE' : "'Name: value'"}, not "${text}".`)
  }
  return [text.slice(0, place).trim(), text.slice(place + 1).trim()]
}
