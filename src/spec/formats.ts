/** The formats of the wire's schemas, for text of any length: the expressions of ajv-formats end the stack on megabytes. */
import { createRequire } from 'node:module'

/** Longer than any URI that is one; data of megabytes comes in base64. */
const LONGEST = 64 * 1024

export function wireFormats(): Record<string, (text: string) => boolean> {
  const { fullFormats } = createRequire(import.meta.url)('ajv-formats/dist/formats') as {
    fullFormats: { uri(text: string): boolean; 'uri-template': RegExp }
  }
  return {
    uri: text => (text.length > LONGEST ? /^[a-z][a-z\d+.-]*:/i.test(text) : fullFormats.uri(text)),
    'uri-template': text => text.length > LONGEST || fullFormats['uri-template'].test(text),
    byte: isBase64,
  }
}

/** RFC 4648, section 4: its alphabet, padded, and no line breaks. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
