import type { HttpHead } from '../../wire/http.ts'
import type { HttpView } from './http-rules.ts'

/** What is wanted of the answer to one HTTP request. */
export interface Answered {
  head(head: HttpHead): void
  data(chunk: Uint8Array): void
  /** `broken`: why it did not come to its end */
  end(broken?: string): void
}

/** Returns how many requests went out: a tamper may have dropped it. */
export type Exchange = (
  view: Pick<HttpView, 'method' | 'lastEventId' | 'message'>,
  answered: () => Answered,
  /** where to, if not to the endpoint */
  to?: string,
) => number
