import { quotedPath } from '../../core/diff/quoted-path.ts'
import type { PathChange } from '../../ports/file-history.ts'

/** Changes as fields of an answer: sizes of files alone. */
export const changeFields = ({ path, change, kind, size }: PathChange) => ({
  path,
  change,
  ...(kind !== 'file' && { type: kind }),
  ...(size !== null && { size }),
})

/** A change as words: `modified a.txt (4 bytes)`. A name with line breaks must not read as further changes or commits. */
const changeWords = ({ path, change, kind, size }: PathChange) =>
  `${change} ${quotedPath(path)}${kind === 'directory' ? '/' : ''}${size === null ? '' : ` (${size} bytes)`}`

/** Lines for changes, and for those that are not shown. */
export function changeLines(changes: readonly PathChange[], changed: number): string[] {
  const more = changed - changes.length
  return [...changes.map((change) => `  ${changeWords(change)}`), ...(more > 0 ? [`  and ${more} more`] : [])]
}

/** The first items of a list, as many as fit into so many characters of JSON: at least one. */
export function firstWithin<Item>(items: readonly Item[], chars: number): Item[] {
  let left = chars
  const end = items.findIndex((item, at) => {
    left -= JSON.stringify(item).length + 1
    return left < 0 && at > 0
  })
  return items.slice(0, end === -1 ? items.length : end)
}
