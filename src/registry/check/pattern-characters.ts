import { PatternError } from './pattern-error.ts'

/** Whether a character, by its code point, is meant. */
export type CharacterTest = (character: number) => boolean

/** Result of reading the start of a pattern as one character: the set, and its length in UTF-16 units. */
interface Read {
  readonly fits: CharacterTest
  readonly length: number
}

const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x2028, 0x2029])
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12 }

/** `a`, `.`, `\d`, `\p{L}`, `\u{1F600}`, … @throws PatternError */
export function readCharacter(rest: string): Read {
  const character = rest.codePointAt(0) ?? 0
  if (rest.startsWith('.')) return { fits: (one) => !LINE_ENDS.has(one), length: 1 }
  if (/^[*+?]/.test(rest)) throw new PatternError(`there is nothing that "${rest[0]}" could repeat`)
  if (!rest.startsWith('\\')) return literal(character, String.fromCodePoint(character).length)
  return readEscape(rest)
}

function readEscape(rest: string): Read {
  const [set] = /^\\(?:[dDwWsS]|[pP]\{[^}]{1,80}\})/.exec(rest) ?? []
  if (set !== undefined) return { fits: byEngine(set), length: set.length }
  if (/^\\(?:[1-9]|k<)/.test(rest)) {
    throw new PatternError(
      'it refers back to a group, "\\1" or "\\k<…>", which is not done here; leave the pattern out',
    )
  }
  const [coded, pairHigh, pairLow, braced, four, two, control] =
    /^\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([A-Za-z]))/.exec(
      rest,
    ) ?? []
  if (coded !== undefined) {
    if (pairHigh && pairLow) {
      const pair = String.fromCharCode(Number.parseInt(pairHigh, 16), Number.parseInt(pairLow, 16))
      return literal(pair.codePointAt(0) ?? 0, coded.length)
    }
    if (control) return literal(control.charCodeAt(0) % 32, coded.length)
    return literal(Number.parseInt(braced ?? four ?? two ?? '', 16), coded.length)
  }
  const name = rest[1]
  if (name === undefined) throw new PatternError('it ends with a single "\\"')
  if (name === '0') return literal(0, 2)
  const escaped = rest.codePointAt(1) ?? 0
  return literal(CONTROLS[name] ?? escaped, 1 + String.fromCodePoint(escaped).length)
}

/** `[a-z]`, `[^\]]`: the engine knows best which characters are in it. @throws PatternError */
export function readClass(rest: string): Read {
  const [whole] = /^\[(?:[^\\\]]|\\.)*\]/su.exec(rest) ?? []
  if (whole === undefined) throw new PatternError('a "[" has no "]"')
  return { fits: byEngine(whole), length: whole.length }
}

const literal = (character: number, length: number): Read => ({ fits: (one) => one === character, length })

/** A set of characters as the engine reads it: of one character at a time, so no text can make it slow. */
function byEngine(set: string): CharacterTest {
  const pattern = setPattern(set)
  const known = new Map<number, boolean>()
  return (character) => {
    const before = known.get(character)
    if (before !== undefined) return before
    const fits = pattern.test(String.fromCodePoint(character))
    if (known.size < MAX_REMEMBERED) known.set(character, fits)
    return fits
  }
}

/**
 * Pattern of a set, in Unicode mode where it can be read so; many patterns escape needlessly, which only the old mode
 * allows.
 */
function setPattern(set: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(`^${set}$`, flags)
    } catch {
      // read in the other mode, or no set at all
    }
  }
  throw new PatternError(`${set.slice(0, 100)} is no set of characters`)
}

/** Characters of which a set remembers whether they are in it. */
const MAX_REMEMBERED = 256
