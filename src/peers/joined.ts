/** Puts the members of several objects into one. Getters stay getters: what they read may change. */

type Members<T extends object[]> = T extends [infer First, ...infer Rest extends object[]]
  ? First & Members<Rest>
  : object

export function joined<T extends object[]>(...parts: T): Members<T> {
  const whole = {}
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part))
  return whole as Members<T>
}
