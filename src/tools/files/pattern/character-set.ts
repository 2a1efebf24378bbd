/** Characters that one place of a pattern takes. */
export interface CharacterSet {
  /** Name of the set: sets with equal names have the same characters. */
  readonly key: string
  readonly has: (codePoint: number) => boolean
  /** Number of sets that are looked into for one character. */
  readonly looks: number
  /** The character of a set of one; in lower case when `folded`. */
  readonly literal?: string
  /** Whether the other cases of `literal` belong to the set, too. */
  readonly folded?: boolean
}

/** Set of one character, with its other cases when `fold`. */
export function oneCharacter(codePoint: number, fold: boolean): CharacterSet {
  const literal = String.fromCodePoint(codePoint)
  if (!fold || !hasCases(literal))
    return { key: `=${codePoint}`, has: (given) => given === codePoint, looks: 1, literal }
  return { ...native(escaped(codePoint), true), literal: literal.toLowerCase(), folded: true }
}

/** Set of the characters from `first` to `last`, with their other cases when `fold`. */
export const characterRange = (first: number, last: number, fold: boolean): CharacterSet =>
  fold && last >= 0x41
    ? native(`${escaped(first)}-${escaped(last)}`, true)
    : { key: `${first}-${last}`, has: (given) => given >= first && given <= last, looks: 1 }

/** Set of a Unicode property, such as `L`, `Lu` or `Greek`; null for an unknown one. */
export function unicodeProperty(name: string, fold: boolean): CharacterSet | null {
  if (!/^\w{1,40}$/.test(name)) return null
  for (const property of [`\\p{gc=${name}}`, `\\p{Script=${name}}`]) {
    try {
      return native(property, fold)
    } catch {} // a name of the other kind, or of none
  }
  return null
}

/** Union of sets. */
export function union(sets: readonly CharacterSet[]): CharacterSet {
  if (sets.length === 1 && sets[0]) return sets[0]
  return {
    key: `(${sets.map(({ key }) => key).join('|')})`,
    has: (given) => sets.some((set) => set.has(given)),
    looks: sets.reduce((sum, { looks }) => sum + looks, 1),
  }
}

export const complement = ({ key, has, looks }: CharacterSet): CharacterSet => ({
  key: `^${key}`,
  has: (given) => !has(given),
  looks,
})

/** Set by the engine's own tables of Unicode. One character is compared at a time, so that nothing can backtrack. */
function native(inside: string, fold: boolean): CharacterSet {
  const test = new RegExp(`^[${inside}]$`, fold ? 'ui' : 'u')
  return { key: String(test), has: (given) => test.test(String.fromCodePoint(given)), looks: 1 }
}

const escaped = (codePoint: number) => `\\u{${codePoint.toString(16)}}`

const hasCases = (character: string) => character.toLowerCase() !== character || character.toUpperCase() !== character
