/** What the reference server does with the roots of its client. It never looks at a real directory. */
import { fileURLToPath } from 'node:url'
import { at, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { SessionView } from '../views.ts'
import { type Tool, text, tool } from './tool.ts'

/** Keeps the paths of the answer to roots/list; what is no file URI is left out. */
export function rememberRoots(session: SessionView, answer: JsonObject): void {
  const roots = at(answer, 'result', 'roots')
  if (!Array.isArray(roots)) return
  session.roots = roots.flatMap(root => {
    const uri = textAt(root, 'uri') ?? ''
    return URL.canParse(uri) && uri.startsWith('file:///') ? [fileURLToPath(uri, { windows: false })] : []
  })
}

export const rootsTools: Tool[] = [
  tool(
    'test_list_directory',
    'Lists a made-up directory, if it lies in the roots of the client',
    (args, { session, policies }) => {
      const path = textAt(args, 'path') ?? ''
      if (!policies.insideRoots(path, session.roots ?? []) || path.includes('no-such'))
        return { ...text('this directory is not there, or not in the roots'), isError: true }
      return text('README.md')
    },
    { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  ),
]
