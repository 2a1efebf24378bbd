import type { Posting } from './postings.ts'

// Values of rows, one number each, at the row's place.

/** Lead, as a share of the greatest score, from which a tool answers a clause alone. */
const CLEAR_LEAD = 0.2

/** Raises each row's value to the posting's; rows that had none are added to `found`. */
export function raise(best: Float64Array, found: number[], { rows, frequencies }: Posting, factor: number): void {
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n] ?? 0
    const value = factor * (frequencies[n] ?? 0)
    const held = best[row] ?? 0
    if (value <= held) continue
    if (held === 0) found.push(row)
    best[row] = value
  }
}

/** Divides by the greatest value of an allowed row, and gives the others 0; in place. */
export function normalise(values: Float64Array, allowed: Uint8Array): Float64Array {
  let greatest = 0
  for (let row = 0; row < values.length; row++) {
    if (allowed[row] === 0) values[row] = 0
    else greatest = Math.max(greatest, values[row] ?? 0)
  }
  if (greatest === 0) return values
  for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) / greatest
  return values
}

/** Adds `lead` to the greatest value, less when others come near it. */
export function raiseLeader(values: Float64Array, lead: number): void {
  let leader = 0
  let second = 0
  for (let row = 1; row < values.length; row++) {
    const value = values[row] ?? 0
    const best = values[leader] ?? 0
    second = Math.max(second, Math.min(value, best))
    if (value > best) leader = row
  }
  const best = values[leader] ?? 0
  if (best > 0) values[leader] = best + lead * Math.min(1, (best - second) / CLEAR_LEAD)
}
