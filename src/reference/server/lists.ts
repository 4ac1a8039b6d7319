/** Lists of the reference server, in the pages that its policies make (server/utilities/pagination). */
import { listPage } from '../../peers/server/pages.ts'
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { Feature } from './tools.ts'

export const list =
  (member: string, entries: readonly JsonObject[]): Feature =>
  (params, { policies }) => {
    const page = listPage(policies.page, member, entries, params.cursor)
    return 'error' in page ? { error: page.error } : page.result
  }
