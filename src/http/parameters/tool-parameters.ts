import { fail } from '../../core/failure.ts'
import type { ToolInfo } from '../../tools/registry.ts'
import { alikeNames, didYouMean, isMistyped, spelled, wordsOf } from '../alike-names.ts'
import type { Conversion, ValueConversion } from './conversion.ts'
import {
  CONVERSIONS,
  VALUE_CONVERSIONS,
  VALUE_CONVERSIONS_OF_OWN_DIALECTS,
  VALUE_CONVERSIONS_OF_TOOLS,
} from './conversions.ts'
import { fromGrep } from './grep-parameters.ts'
import type { Params } from './params.ts'
import { HOLDS_ANYWAY, INSTEAD, LOOKING, SYNONYMS, SYNONYMS_OF_TOOLS, WITHOUT_EFFECT } from './synonyms.ts'
import { TIME_CONVERSIONS } from './time-conversions.ts'

/** A parameter that a tool does not have. */
export interface Unknown {
  readonly name: string
  /** Replacement, such as the argument that was probably meant; null where nothing is known. */
  readonly instead: string | null
  /** True when the tool would do something else without it than the caller wants. */
  readonly isMissed: boolean
}

/** Parameters by their canonical names, and what is to be said about the others. */
export interface ReadParams {
  readonly args: Params
  readonly unknown: readonly Unknown[]
  /** Sentences about known ones that change nothing. */
  readonly notes: readonly string[]
}

/** Names by which callers may give the arguments of one tool. Made once per tool: each call is read by it. */
export class ToolParameters {
  readonly #tool: Pick<ToolInfo, 'name' | 'effect'>
  readonly #known: ReadonlySet<string>
  readonly #required: ReadonlySet<string>
  /** Argument by synonym, spelled. */
  readonly #meant: ReadonlyMap<string, string>
  readonly #withoutEffect: ReadonlyMap<string, string | null>
  readonly #holdsAnyway: ReadonlyMap<string, readonly string[]>
  /** Conversions by the parameter's name, spelled. */
  readonly #conversions: ReadonlyMap<string, Conversion>
  /** Conversions of values by argument. */
  readonly #values: readonly (readonly [string, ValueConversion])[]
  readonly #ownValues: readonly (readonly [string, ValueConversion])[]
  readonly #instead: ReadonlyMap<string, string>

  constructor({
    name,
    effect,
    inputSchema: { properties, required },
  }: Pick<ToolInfo, 'name' | 'effect' | 'inputSchema'>) {
    this.#tool = { name, effect }
    this.#known = new Set(Object.keys(Object(properties)))
    this.#required = new Set(Array.isArray(required) ? required : [])
    this.#meant = synonymsOf(name, [...this.#known])
    this.#withoutEffect = new Map(Object.entries({ ...WITHOUT_EFFECT['*'], ...WITHOUT_EFFECT[name] }))
    const times = [...this.#known].flatMap((argument) => Object.entries(TIME_CONVERSIONS[argument] ?? {}))
    this.#conversions = new Map([...times, ...Object.entries(CONVERSIONS[name] ?? {})])
    const values = { ...VALUE_CONVERSIONS, ...VALUE_CONVERSIONS_OF_TOOLS[name] }
    this.#values = Object.entries(values).filter(([argument]) => this.#known.has(argument))
    this.#ownValues = Object.entries(VALUE_CONVERSIONS_OF_OWN_DIALECTS[name] ?? {})
    this.#holdsAnyway = new Map(
      Object.entries(HOLDS_ANYWAY[name] ?? {}).map(([parameter, held]) => [parameter, toList(held).map(String)]),
    )
    this.#instead = new Map(Object.entries(INSTEAD[name] ?? {}))
  }

  /** Synonyms that are taken, and the argument of each. */
  get synonyms(): ReadonlyMap<string, string> {
    return this.#meant
  }

  /**
   * @param isPublished whether clients of published servers make the call
   * @throws FailureError `invalid_input` when an argument is given by two names and differs
   */
  read(given: Params, isPublished = true): ReadParams {
    const params = this.#tool.name === 'file_search' ? fromGrep(given) : given
    // Copied once, when a name is another one: a body may give ten thousand spellings of each.
    let args: Map<string, unknown> | null = null
    const unknown: Unknown[] = []
    const notes: string[] = []
    // After the others: what a parameter comes to depends on them.
    const toConvert: string[] = []
    for (const name of Object.keys(params)) {
      const isKnown = this.#known.has(name)
      if (isKnown && !this.#conversions.has(name)) continue
      const spelling = spelled(name)
      if (this.#conversions.has(spelling) && !isNothing(params[name]) && toConvert.length < MAX_CONVERTED) {
        toConvert.push(name)
        continue
      }
      if (isKnown) continue
      const meant = this.#meant.get(spelling)
      if (meant !== undefined) {
        args ??= new Map(Object.entries(params))
        rename(args, name, meant)
        continue
      }
      const note = this.#withoutEffect.get(name)
      if (note) notes.push(note)
      if (note === undefined && !isNothing(params[name]) && !this.#holds(name, params[name]))
        unknown.push(this.#unknown(name, params, unknown.length))
    }
    let read: Params = args ? Object.fromEntries(args) : params
    const note = (sentence: string) => notes.push(sentence)
    for (const name of toConvert) {
      // One before it may have read both.
      if (!Object.hasOwn(read, name)) continue
      const { [name]: value, ...others } = read
      const converted = this.#conversions.get(spelled(name))?.(value, others, note) ?? null
      if (converted === null && this.#known.has(name)) continue
      if (converted === null) unknown.push(this.#unknown(name, params, unknown.length))
      else if (typeof converted === 'string') unknown.push({ name, instead: converted, isMissed: true })
      else read = converted
    }
    for (const [argument, convert] of this.#values) read = convert(read[argument], read, note) ?? read
    if (!isPublished)
      for (const [argument, convert] of this.#ownValues) read = convert(read[argument], read, note) ?? read
    return { args: read, unknown, notes }
  }

  /** Whether a required argument is missing, so that the tool refuses the call. */
  lacksRequired(args: Params): boolean {
    for (const name of this.#required) if (args[name] === undefined || args[name] === null) return true
    return false
  }

  /** `file_read takes: file_path (required), start_line` */
  get takes(): string {
    return `${this.#tool.name} takes: ${this.#list}`
  }

  /** `unknown parameter: x (did you mean y?). Known: …` */
  say(unknown: readonly Unknown[]): string {
    const shown = unknown.slice(0, MAX_SHOWN).map(({ name, instead }) => {
      const given = name.slice(0, MAX_SHOWN_CHARS).toWellFormed()
      return instead === null ? given : `${given} (${instead})`
    })
    const more = unknown.length > MAX_SHOWN ? ` and ${unknown.length - MAX_SHOWN} more` : ''
    return `unknown parameter${unknown.length === 1 ? '' : 's'}: ${shown.join(', ')}${more}. Known: ${this.#list}`
  }

  get #list(): string {
    const names = [...this.#known].map((name) => (this.#required.has(name) ? `${name} (required)` : name))
    return names.join(', ') || 'none'
  }

  /**
   * A given argument was not meant by another name: what is beside it is an extra of the client's.
   * @param before number of unknown ones before it: of very many, only the first are compared
   */
  #unknown(name: string, params: Params, before: number): Unknown {
    if (before >= MAX_COMPARED) return { name, instead: null, isMissed: false }
    const free = [...this.#known].filter((known) => isNothing(params[known]))
    const meant = this.#mistyped(name, free) ?? alikeNames(name, free, LEAST_LIKENESS)[0] ?? null
    const isDecisive = !wordsOf(name.slice(0, MAX_SHOWN_CHARS)).isDisjointFrom(DECISIVE)
    const instead = this.#instead.get(name) ?? (meant === null ? null : didYouMean([meant]))
    const isLooking = this.#tool.effect === 'read' || LOOKING.has(this.#tool.name)
    return { name, instead, isMissed: !isLooking && (meant !== null || isDecisive) }
  }

  /** Whether a parameter says what the tool does anyway. */
  #holds(name: string, value: unknown): boolean {
    const holds = this.#holdsAnyway.get(name)
    const isSimple = typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number'
    return holds !== undefined && isSimple && holds.includes(String(value).toLowerCase())
  }

  #mistyped(name: string, free: readonly string[]): string | null {
    for (const known of free) if (isMistyped(name, known)) return known
    for (const [synonym, known] of this.#meant) if (isMistyped(name, synonym) && free.includes(known)) return known
    return null
  }
}

/** Synonyms of a tool's arguments. A row of the tool's own comes first; else a synonym that two arguments would share belongs to neither. */
function synonymsOf(tool: string, known: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const shared = new Set<string>()
  const taken = new Set(known.map(spelled))
  const rows = SYNONYMS_OF_TOOLS[tool] ?? {}
  const words = (row = '') => row.split(' ').filter(Boolean).map(spelled)
  for (const argument of known)
    for (const word of words(rows[argument])) if (!taken.has(word)) found.set(word, argument)
  for (const word of found.keys()) taken.add(word)
  for (const argument of known.filter((name) => !Object.hasOwn(rows, name))) {
    for (const word of words(SYNONYMS[argument])) {
      if (taken.has(word)) continue
      if (found.has(word)) shared.add(word)
      found.set(word, argument)
    }
  }
  for (const word of shared) found.delete(word)
  // Other spellings of the name itself: `filePath`.
  for (const argument of known) found.set(spelled(argument), argument)
  return found
}

/**
 * Parameters with one of them under another name. Null counts as absent.
 * @throws FailureError `invalid_input` when both names are given and differ
 */
export function renamed(params: Params, name: string, canonical: string): Params {
  const args = new Map(Object.entries(params))
  rename(args, name, canonical)
  return Object.fromEntries(args)
}

function rename(args: Map<string, unknown>, name: string, canonical: string): void {
  const value = args.get(name)
  if (!args.delete(name) || value === null || value === undefined) return
  const other = args.get(canonical)
  if (other !== null && other !== undefined && !isSame(value, other)) {
    const given = name.slice(0, MAX_SHOWN_CHARS).toWellFormed()
    fail('invalid_input', `${given} and ${canonical} are two names of one parameter, and differ; give one of them`)
  }
  args.set(canonical, value)
}

/** Whether two values are equal; a single value equals a list of it. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(toList(one)) === JSON.stringify(toList(other))

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Whether a value says nothing, as those that clients send for whatever is not chosen. */
const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Words of parameters that say where something happens, to what, or that it must not happen yet: a tool that changes something
 * and does not know such a one would hit something else.
 */
const DECISIVE: ReadonlySet<string> = new Set([
  'dir', 'directory', 'folder', 'path', 'cwd', 'chdir', 'root', 'location', 'target', 'destination', 'dest', 'prefix', 'host',
  'only', 'exclude', 'include', 'filter', 'pattern', 'glob', 'match', 'line', 'range', 'start', 'end', 'offset', 'recursive',
  'dry', 'simulate', 'preview', 'confirm', 'backup', 'overwrite', 'append', 'undo', 'expected', 'unless', 'if',
  'env', 'environment', 'stdin', 'input', 'argv',
]) // biome-ignore format: a list of words

/** Number of unknown parameters that an answer names. */
const MAX_SHOWN = 5
const MAX_SHOWN_CHARS = 60
/** Share of common words from which an argument may be meant: `max_pages` is like `pages`, `file_size` like `file_path`. */
const LEAST_LIKENESS = 0.3
/** Number of parameters that are converted: one name has very many spellings, and each conversion looks at all others. */
const MAX_CONVERTED = 20
/** Number of unknown parameters that are compared with the known ones. */
const MAX_COMPARED = 20
