import { MAX_NAME_BYTES } from '../core/limits/workspace.ts'
import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'

/** A range of paths in SQLite's order: `from` included, `to` not. */
export interface PathRange {
  readonly from: string
  readonly to: string
}

/** All paths below `dir`, and not `dir` itself; `a-b` and `a0` are not below `a`. */
export const pathsBelow = (dir: WorkspacePath): PathRange =>
  dir === ROOT ? { from: '', to: AFTER_ALL } : { from: `${dir}/`, to: `${dir}0` }

/** Paths below `dir` except those below one of `except`, as ranges in order; only those behind `after` when it is given. */
export function pathsBelowExcept(
  dir: WorkspacePath,
  except: readonly WorkspacePath[],
  after?: WorkspacePath,
): PathRange[] {
  const whole = pathsBelow(dir)
  const gaps = except.map(pathsBelow).sort((a, b) => compareCodePoints(a.from, b.from))
  const ranges: PathRange[] = []
  // The path that sorts next: no path has a NUL.
  const next = after === undefined ? '' : `${after}\0`
  let from = compareCodePoints(next, whole.from) > 0 ? next : whole.from
  for (const gap of gaps) {
    if (compareCodePoints(gap.to, from) <= 0 || compareCodePoints(gap.from, whole.to) >= 0) continue
    if (compareCodePoints(from, gap.from) < 0) ranges.push({ from, to: gap.from })
    from = gap.to
  }
  if (compareCodePoints(from, whole.to) < 0) ranges.push({ from, to: whole.to })
  return ranges
}

/** Compares text as SQLite does, by code points. JavaScript's `<` compares UTF-16 units: U+FF5E would follow U+1F600. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

// Surrogates stand for code points above U+FFFF, so they rank above all other units.
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

// Sorts behind every path: the last code point, once more than a name has room for.
const AFTER_ALL = '\u{10ffff}'.repeat(Math.floor(MAX_NAME_BYTES / 4) + 1)
