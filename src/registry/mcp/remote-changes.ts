import { canonicalJson } from '../../core/canonical-json.ts'
import { MAX_SHOWN_CHANGE_CHARS } from '../../core/limits/mcp-servers.ts'
import type { RemoteTool } from './remote-tool.ts'

/** A field in which a tool is another one than was accepted, as text that is cut. */
export interface RemoteChange {
  readonly field: keyof RemoteTool | 'unseen'
  readonly before: string
  readonly after: string
}

const FIELDS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** Differences of two tools with different pins. Where none can be seen, the one is that: in hidden characters, or beyond what is shown. */
export function remoteChanges(before: RemoteTool, after: RemoteTool): RemoteChange[] {
  const changes = FIELDS.flatMap((field): RemoteChange[] => {
    const [one, other] = [shown(before[field]), shown(after[field])]
    return one === other ? [] : [{ field, before: cut(one), after: cut(other) }]
  })
  return changes.length > 0 ? changes : [{ field: 'unseen', before: '', after: '' }]
}

const shown = (value: unknown) => (typeof value === 'string' ? value : canonicalJson(value))
const cut = (text: string) =>
  text.length > MAX_SHOWN_CHANGE_CHARS ? `${text.slice(0, MAX_SHOWN_CHANGE_CHARS).toWellFormed()}…` : text
