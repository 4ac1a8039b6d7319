/** The operations that give lists, which may come in pages (server/utilities/pagination#operations-supporting-pagination). */
export interface List {
  capability: string
  method: string
  /** the member of the result that is the list */
  member: string
  /** the member of an entry that tells it from others */
  key: string
}

export const LISTS: readonly List[] = [
  { capability: 'tools', method: 'tools/list', member: 'tools', key: 'name' },
  { capability: 'prompts', method: 'prompts/list', member: 'prompts', key: 'name' },
  { capability: 'resources', method: 'resources/list', member: 'resources', key: 'uri' },
  { capability: 'resources', method: 'resources/templates/list', member: 'resourceTemplates', key: 'uriTemplate' },
]
