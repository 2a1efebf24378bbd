/** The known word that is most like a given one, or null when none is near: a third of its letters may differ, one at least. */
export function nearest(word: string, known: readonly string[]): string | null {
  // A longer word is no slip of the fingers, and comparing costs the product of the lengths.
  if (word.length > MAX_CHARS) return null
  const allowed = Math.max(1, Math.floor(word.length / 3))
  let best: string | null = null
  let least = allowed + 1
  for (const candidate of known) {
    const distance = candidate.startsWith(word) && word.length > 1 ? 0.5 : distanceOf(word, candidate)
    if (distance >= least) continue
    best = candidate
    least = distance
  }
  return best
}

/** Half a sentence that offers the nearest word, or the other way to find it. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const near = nearest(word, known)
  return near === null ? otherwise : `did you mean ${near}?`
}

const MAX_CHARS = 64

/** Letters to add, drop, change or swap with their neighbour to make one word the other (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
