import { Badge } from '../../parts/states.tsx'
import type { SchemaChange } from './types.ts'

/** What changed in schemas, in the words of the server. */
export function SchemaChanges({ changes }: { readonly changes: readonly SchemaChange[] }) {
  if (changes.length === 0) return <p class="soft">Nothing in what it takes and gives.</p>
  return (
    <ul class="stack schema-changes">
      {changes.map((change, at) => (
        <li key={at}>
          <Badge tone={change.breaking ? 'warn' : 'plain'}>{change.schema}</Badge> <code>{change.path}</code>{' '}
          {change.what}
          {change.breaking && <span class="soft"> (callers may have to change)</span>}
        </li>
      ))}
    </ul>
  )
}
