import type { WorkspaceEntry } from '../../ports/workspace.ts'

/**
 * Entries of a listing that fit an answer, in their order: the deepest are left out first, so that every directory near the
 * root is seen.
 * @param lengthOf characters that an entry takes
 */
export function fittingEntries(
  entries: readonly WorkspaceEntry[],
  chars: number,
  lengthOf: (entry: WorkspaceEntry) => number,
): readonly WorkspaceEntry[] {
  let left = chars
  const shown = new Set<WorkspaceEntry>()
  for (const entry of [...entries].sort((one, two) => depthOf(one) - depthOf(two))) {
    left -= lengthOf(entry)
    if (left < 0) return entries.filter((one) => shown.has(one))
    shown.add(entry)
  }
  return entries
}

const depthOf = ({ path }: WorkspaceEntry) => path.split('/').length
