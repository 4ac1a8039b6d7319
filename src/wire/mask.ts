/**
 * Keeps secrets and control characters out of everything that is written. Applied where a frame or
 * a report leaves the process, never to what is judged.
 */

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])
const SECRET_MEMBERS =
  'access_token|refresh_token|id_token|client_secret|client_assertion|code_verifier|assertion|subject_token|password'
const IN_JSON = new RegExp(`("(?:${SECRET_MEMBERS})"\\s*:\\s*")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)(")`, 'gi')
// An authorization code travels in forms and query strings; in JSON a member `code` is an error code.
const IN_FORM = new RegExp(`((?:^|[?&\\s])(?:${SECRET_MEMBERS}|code)=)([^&\\s"]+)`, 'gi')
const BEARER = /\b(Bearer|DPoP|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g
/** Names of variables whose values are nobody's business. */
export const looksSecret = (name: string): boolean => /TOKEN|KEY|SECRET|PASS|AUTH/i.test(name)
const MASK = '***'

/** Values of our own environment (and of `--header`, `--token`, `--env`) that must not turn up anywhere. */
export function secretsOf(environment: NodeJS.ProcessEnv, more: readonly string[] = []): string[] {
  const found = Object.entries(environment)
    .filter(([name, value]) => looksSecret(name) && (value?.length ?? 0) >= 8)
    .map(([, value]) => value as string)
  return [...new Set([...found, ...more.filter(value => value.length >= 8)])].sort((a, b) => b.length - a.length)
}

export interface Mask {
  text(text: string): string
  header(name: string, value: string): string
}

export function createMask(secrets: readonly string[]): Mask {
  const text = (input: string): string => {
    let output = input
    for (const secret of secrets) output = output.replaceAll(secret, MASK)
    return output
      .replace(IN_JSON, (_, before, value, after) => (value === '' ? _ : before + MASK + after))
      .replace(IN_FORM, (_, before) => before + MASK)
      .replace(BEARER, (_, scheme) => `${scheme} ${MASK}`)
  }
  return {
    text,
    header: (name, value) => (SECRET_HEADERS.has(name.toLowerCase()) ? MASK : text(value)),
  }
}

/** Control characters, escape sequences and bidirectional overrides made visible; LF and TAB stay. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, char =>
    char === '\n' || char === '\t' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
