import type { WorkspacePath } from '../../core/workspace-path.ts'
import { pathsBelow } from '../path-range.ts'

/**
 * SQL for a column's paths that are a path or lie below it: one range, which an index can seek, less the names in it that only begin
 * alike. @param first number of the first of three parameters, which {@link boundsOf} gives
 */
export const atOrBelow = (column: string, first: number) =>
  `${column} >= ?${first} AND ${column} < ?${first + 1} AND (${column} = ?${first} OR ${column} >= ?${first + 2})`

export function boundsOf(path: WorkspacePath): [string, string, string] {
  const { from, to } = pathsBelow(path)
  return [path, to, from]
}
