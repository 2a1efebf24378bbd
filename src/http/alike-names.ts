import { editDistance } from '../core/edit-distance.ts'

/** Number of names offered in place of an unknown one, at most. */
const MAX_OFFERED = 3

/**
 * The names that are most like a wrong one, the nearest first: the same but for a typing error, or with common words. None
 * where nothing is common.
 * @param least share of common words from which a name is offered, from 0 to 1; by default any
 */
export function alikeNames(wrong: string, known: readonly string[], least = Number.MIN_VALUE): string[] {
  const read = wrong.slice(0, MAX_READ_CHARS)
  const wrongWords = wordsOf(read)
  const ranked = known
    .map((name) => ({ name, likeness: likeness(read, wrongWords, name) }))
    .filter((one) => one.likeness >= least)
    .sort((one, other) => other.likeness - one.likeness)
  const nearly = (ranked[0]?.likeness ?? 0) * SHARE_OF_NEAREST
  return ranked
    .filter((one) => one.likeness >= nearly)
    .slice(0, MAX_OFFERED)
    .map(({ name }) => name)
}

/** Names that are much less like the wrong one than the nearest are not offered. */
const SHARE_OF_NEAREST = 2 / 3

/** Whether a name is another one with a typing error, or in another spelling: `filePath`, `file-path`, `fiel_path`. */
export function isMistyped(wrong: string, name: string): boolean {
  const [one, other] = [spelled(wrong.slice(0, MAX_READ_CHARS)), spelled(name)]
  const most = Math.min(one.length, other.length) < LONG_NAME_CHARS ? 1 : 2
  return one.length > SHORT_NAME_CHARS && other.length >= SHORT_NAME_CHARS && editDistance(one, other, most) <= most
}

/** Length up to which any other short name is one error away. */
const SHORT_NAME_CHARS = 3
/** Length from which two errors still leave a name to be recognised. */
const LONG_NAME_CHARS = 6

/** A name without what tells spellings apart: `filePath`, `file-path` and `FILE_PATH` are the same. */
export const spelled = (name: string): string => name.replaceAll(/[-_ .]/g, '').toLowerCase()

/** Length beyond which a wrong name is no typing error. */
const MAX_READ_CHARS = 200

/** Words of a name: `PPT.create_file` → ppt, create, file; `ArxivSearch` → arxiv, search; `files` → file. */
export const wordsOf = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '')
      .map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word)),
  )

/** From 0, nothing in common, to 1, the same words. */
function likeness(wrong: string, wrongWords: ReadonlySet<string>, name: string): number {
  const words = wordsOf(name)
  const shared = wrongWords.intersection(words).size / wrongWords.union(words).size
  return isMistyped(wrong, name) ? Math.max(shared, MISTYPED) : shared || 0
}

/** Likeness of a mistyped name: less than that of the same words in another order. */
const MISTYPED = 0.9

/** A question that offers names. */
export const didYouMean = (names: readonly string[]) => `did you mean ${names.join(' or ')}?`
