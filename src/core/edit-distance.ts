/**
 * Number of typing errors between two texts: letters added, left out or replaced, and neighbours exchanged. At most
 * `most` + 1, which stands for any greater number.
 * Time grows with the length times `most`, since only cells near the diagonal can be within it.
 */
export function editDistance(one: string, other: string, most: number): number {
  const tooMany = most + 1
  if (Math.abs(one.length - other.length) > most) return tooMany
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => Math.min(at, tooMany))
  for (let row = 1; row <= one.length; row++) {
    const next = new Array<number>(other.length + 1).fill(tooMany)
    if (row <= most) next[0] = row
    let least = next[0] ?? tooMany
    for (let at = Math.max(1, row - most); at <= Math.min(other.length, row + most); at++) {
      const isSame = one[row - 1] === other[at - 1]
      const cost = (cells: readonly number[], column: number) => cells[column] ?? tooMany
      let cheapest = Math.min(cost(last, at - 1) + (isSame ? 0 : 1), cost(last, at) + 1, cost(next, at - 1) + 1)
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        cheapest = Math.min(cheapest, cost(beforeLast, at - 2) + 1)
      }
      next[at] = Math.min(cheapest, tooMany)
      least = Math.min(least, cheapest)
    }
    if (least > most) return tooMany
    beforeLast = last
    last = next
  }
  return last[other.length] ?? tooMany
}
