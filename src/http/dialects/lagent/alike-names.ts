/** Number of names offered in place of an unknown one, at most. */
const MAX_OFFERED = 3

/** The names that share most words with a wrong one, the nearest first; none where no word is shared. */
export function alikeNames(wrong: string, known: readonly string[]): string[] {
  const wrongWords = wordsOf(wrong.slice(0, MAX_READ_CHARS))
  const ranked = known.map((name) => ({ name, share: sharedShare(wrongWords, wordsOf(name)) }))
  return ranked
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share)
    .slice(0, MAX_OFFERED)
    .map(({ name }) => name)
}

/** Length beyond which a wrong name is no typing error. */
const MAX_READ_CHARS = 200

/** Words of a name: `PPT.create_file` → ppt, create, file; `ArxivSearch` → arxiv, search. */
const wordsOf = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ''),
  )

/** Share of common words: from 0, none, to 1, the same words. */
function sharedShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.intersection(other).size / one.union(other).size
}
