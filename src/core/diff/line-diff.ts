/** Run of lines that two texts do not share: `oldLength` lines from `oldAt` on became `newLength` lines from `newAt` on. Counts from 0. */
export interface Replaced {
  readonly oldAt: number
  readonly oldLength: number
  readonly newAt: number
  readonly newLength: number
}

/** Work that comparisons may still do, in steps of some nanoseconds. What is left when it is used up is shown as replaced whole. */
export interface DiffWork {
  left: number
}

/** Edits on the shortest way from one text to another that are looked for: the memory is the square of it, in 32-bit numbers. */
const MAX_EDITS = 600
/** Edits looked for between two lines that occur once: such gaps are short, and there may be many. */
const MAX_GAP_EDITS = 100

/**
 * Runs of lines that differ, in rising order: the fewest lines (Myers 1986), or, for texts that differ too much for that, those between
 * the lines that occur once in both (patience). Takes no more than `work`, whatever the lines are.
 */
export function diffLines(before: readonly string[], after: readonly string[], work: DiffWork): Replaced[] {
  const numbers = new Map<string, number>()
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line)
      if (known !== undefined) return known
      numbers.set(line, numbers.size)
      return numbers.size - 1
    })
  const texts = { old: numbered(before), new: numbered(after), lines: numbers.size }
  const found: Replaced[] = []
  const whole = { oldAt: 0, oldLength: before.length, newAt: 0, newLength: after.length }
  const rest = trimmed(texts, whole)
  if (isEmpty(rest)) return []
  if (!shortest(texts, rest, MAX_EDITS, work, found)) {
    for (const gap of gapsBetweenUnique(texts, rest)) {
      const inner = trimmed(texts, gap)
      if (!isEmpty(inner) && !shortest(texts, inner, MAX_GAP_EDITS, work, found)) found.push(inner)
    }
  }
  return joined(found)
}

/** Two texts, each line as a number: equal lines have the same. */
interface Texts {
  readonly old: Int32Array
  readonly new: Int32Array
  /** Number of different lines. */
  readonly lines: number
}

const isEmpty = ({ oldLength, newLength }: Replaced) => oldLength === 0 && newLength === 0

/** A run without the lines at its ends that both texts share. */
function trimmed(texts: Texts, { oldAt, oldLength, newAt, newLength }: Replaced): Replaced {
  const most = Math.min(oldLength, newLength)
  let head = 0
  while (head < most && texts.old[oldAt + head] === texts.new[newAt + head]) head++
  let tail = 0
  const [oldEnd, newEnd] = [oldAt + oldLength, newAt + newLength]
  while (tail < most - head && texts.old[oldEnd - 1 - tail] === texts.new[newEnd - 1 - tail]) tail++
  return {
    oldAt: oldAt + head,
    oldLength: oldLength - head - tail,
    newAt: newAt + head,
    newLength: newLength - head - tail,
  }
}

/** Adds the runs of the shortest edit of one run. @returns false, with nothing added, where it needs too many edits or too much work */
function shortest(texts: Texts, run: Replaced, mostEdits: number, work: DiffWork, found: Replaced[]): boolean {
  const { oldAt, oldLength, newAt, newLength } = run
  if (oldLength === 0 || newLength === 0) {
    found.push(run)
    return true
  }
  const most = Math.min(mostEdits, oldLength + newLength)
  // Furthest old line reached on each diagonal (old line less new line), and, for the way back, after each number of edits.
  const reached = new Int32Array(2 * most + 3)
  const steps: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    steps.push(reached.slice(most - edits, most + edits + 3))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const place = diagonal + most + 1
      const left = reached[place - 1] ?? 0
      const right = reached[place + 1] ?? 0
      let at = diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1
      const begin = at
      while (at < oldLength && at - diagonal < newLength && texts.old[oldAt + at] === texts.new[newAt + at - diagonal])
        at++
      reached[place] = at
      work.left -= at - begin + 1
      if (at >= oldLength && at - diagonal >= newLength) {
        found.push(...wayBack(steps, run, edits))
        return true
      }
    }
    if (work.left <= 0) return false
  }
  return false
}

/** Runs of an edit whose states are known, in rising order. */
function wayBack(
  steps: readonly Int32Array[],
  { oldAt, oldLength, newAt, newLength }: Replaced,
  edits: number,
): Replaced[] {
  const found: Replaced[] = []
  let [at, diagonal] = [oldLength, oldLength - newLength]
  for (let edit = edits; edit > 0; edit--) {
    const before = steps[edit] ?? new Int32Array()
    const place = diagonal + edit + 1
    const left = before[place - 1] ?? 0
    const right = before[place + 1] ?? 0
    const isInsert = diagonal === -edit || (diagonal !== edit && left < right)
    diagonal += isInsert ? 1 : -1
    at = isInsert ? right : left
    found.push({
      oldAt: oldAt + at,
      oldLength: isInsert ? 0 : 1,
      newAt: newAt + at - diagonal,
      newLength: isInsert ? 1 : 0,
    })
  }
  return found.reverse()
}

/** Parts of a run that lie between the lines that occur once in each text, as far as those stand in the same order. */
function gapsBetweenUnique(texts: Texts, { oldAt, oldLength, newAt, newLength }: Replaced): Replaced[] {
  const places = (text: Int32Array, at: number, length: number) => {
    const place = new Int32Array(texts.lines).fill(NOWHERE)
    for (let line = at; line < at + length; line++) {
      const number = text[line] ?? 0
      place[number] = place[number] === NOWHERE ? line : TWICE
    }
    return place
  }
  const inOld = places(texts.old, oldAt, oldLength)
  const inNew = places(texts.new, newAt, newLength)
  const pairs: Pair[] = []
  for (let line = oldAt; line < oldAt + oldLength; line++) {
    const number = texts.old[line] ?? 0
    const other = inNew[number] ?? NOWHERE
    if (inOld[number] === line && other >= 0) pairs.push({ old: line, new: other, before: null })
  }
  const gaps: Replaced[] = []
  let [old, next] = [oldAt, newAt]
  for (const pair of longestRising(pairs)) {
    gaps.push({ oldAt: old, oldLength: pair.old - old, newAt: next, newLength: pair.new - next })
    old = pair.old + 1
    next = pair.new + 1
  }
  return [...gaps, { oldAt: old, oldLength: oldAt + oldLength - old, newAt: next, newLength: newAt + newLength - next }]
}

const NOWHERE = -1
const TWICE = -2

interface Pair {
  readonly old: number
  readonly new: number
  before: Pair | null
}

/** Longest part of pairs, which rise in `old`, that rises in `new` too. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const piles: Pair[] = []
  for (const pair of pairs) {
    let low = 0
    for (let high = piles.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((piles[middle]?.new ?? 0) < pair.new) low = middle + 1
      else high = middle
    }
    pair.before = piles[low - 1] ?? null
    piles[low] = pair
  }
  const rising: Pair[] = []
  for (let pair = piles.at(-1) ?? null; pair; pair = pair.before) rising.push(pair)
  return rising.reverse()
}

/** Runs with those that touch each other made one. */
function joined(runs: readonly Replaced[]): Replaced[] {
  const all: Replaced[] = []
  for (const run of runs) {
    const last = all.at(-1)
    if (last && last.oldAt + last.oldLength === run.oldAt && last.newAt + last.newLength === run.newAt) {
      all[all.length - 1] = {
        ...last,
        oldLength: last.oldLength + run.oldLength,
        newLength: last.newLength + run.newLength,
      }
    } else {
      all.push(run)
    }
  }
  return all
}
