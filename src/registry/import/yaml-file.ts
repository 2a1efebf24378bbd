import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
} from 'yaml'
import {
  MAX_FILE_PROBLEMS,
  MAX_YAML_CHARS,
  MAX_YAML_DEPTH,
  MAX_YAML_TOKENS,
  MAX_YAML_VALUE_CHARS,
} from '../../core/limits/imports.ts'
import type { FileProblem, Locate, Path, Place, ReadFile } from './place.ts'
import { asPyYaml } from './pyyaml-words.ts'

/** An error at a place in the text. */
class YamlError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Reads a file as PyYAML's `safe_load` does, which Toolcore uses: YAML 1.1, one document, merge keys, the last of duplicate
 * names. The result is JSON. The text may be hostile: its length, tokens, depth and expanded aliases are bounded.
 * @param version 1.2 for files of systems other than Toolcore: there `no` is a word and a date is text
 */
export function readYaml(
  text: string,
  version: '1.1' | '1.2' = '1.1',
): ReadFile | { readonly problems: readonly FileProblem[] } {
  const lines = new LineCounter()
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const refused = (message: string, offset = 0) => ({ problems: [{ ...place(offset), path: '', message }] })
  if (text.length > MAX_YAML_CHARS) {
    return refused(
      `YAML of ${text.length} characters is too long; at most ${MAX_YAML_CHARS} are read (MAX_YAML_CHARS). Send JSON, or several files`,
    )
  }
  const tooMuch = tooMuchIn(text)
  if (tooMuch) return refused(tooMuch)
  try {
    const { contents, faults } = parseDocument(text, version, lines)
    if (faults.length > 0) {
      return {
        problems: faults.slice(0, MAX_FILE_PROBLEMS).map(({ message, offset }) => ({
          ...place(offset),
          path: '',
          message: `this is not YAML: ${message}`,
        })),
      }
    }
    const reader = new Reader()
    const value = contents === null ? null : reader.read(contents, 0)
    return { value, locate: locator(contents, reader.anchors, place) }
  } catch (thrown) {
    if (thrown instanceof YamlError) return refused(thrown.message, thrown.offset)
    if (thrown instanceof RangeError) return refused(TOO_DEEP)
    throw thrown
  }
}

interface Fault {
  readonly message: string
  readonly offset: number
}

/** Composer with its error callback, which its own type hides. */
interface Noting {
  onError: (at: unknown, code: string, message: string) => void
}

/**
 * Parses a document as the library's `parseDocument` does, which notes every error with a stack: a text of brackets has
 * hundreds of thousands of errors, more than an isolate has room for. Here reading ends after more errors than are
 * reported.
 */
function parseDocument(text: string, version: '1.1' | '1.2', lines: LineCounter) {
  const faults: Fault[] = []
  const note = (at: unknown, message: string) => {
    faults.push({ message, offset: offsetOf(at) })
    if (faults.length > MAX_FILE_PROBLEMS) throw new TooManyFaults()
  }
  const options = { version, uniqueKeys: false, prettyErrors: false }
  const composer = new Composer(version === '1.1' ? { ...options, customTags: asPyYaml } : options)
  const noting = composer as unknown as Noting
  noting.onError = (at, _code, message) => note(at, message)
  function* good(tokens: Iterable<CST.Token>): Generator<CST.Token> {
    for (const token of tokens) {
      if (token.type === 'error') note(token, `${token.message}: ${JSON.stringify(token.source)}`)
      else yield token
    }
  }
  let contents: Node | null = null
  try {
    const tokens = good(new Parser(lines.addNewLine).parse(text))
    const [document, another] = composer.compose(tokens, true, text.length)
    for (const { message, pos } of document?.errors ?? []) note(pos, message)
    if (another) note(another.range, 'it has multiple documents, and one is read')
    contents = document?.contents ?? null
  } catch (thrown) {
    if (!(thrown instanceof TooManyFaults)) throw thrown
  }
  return { contents, faults }
}

class TooManyFaults extends Error {}

function offsetOf(at: unknown): number {
  const first: unknown = Array.isArray(at) ? at[0] : at
  if (typeof first === 'number') return first
  return typeof first === 'object' && first !== null && 'offset' in first ? Number(first.offset) : 0
}

const TOO_DEEP = `it is nested deeper than ${MAX_YAML_DEPTH} levels (MAX_YAML_DEPTH)`

/** Looks at the tokens alone, which needs no memory: a tree of them may have a thousand times the text's. */
function tooMuchIn(text: string): string | null {
  let tokens = 0
  let open = 0
  let dashes = 0
  for (const token of new Lexer().lex(text)) {
    if (++tokens > MAX_YAML_TOKENS)
      return `it has more than ${MAX_YAML_TOKENS} signs and words (MAX_YAML_TOKENS); send JSON, or several files`
    if (token === '[' || token === '{') open++
    else if (token === ']' || token === '}') open--
    // Lists in lists, and keys in keys, on one line.
    else if (token === '-' || token === '?') dashes++
    else if (token.includes('\n')) dashes = 0
    if (open > MAX_YAML_DEPTH || dashes > MAX_YAML_DEPTH) return TOO_DEEP
  }
  return null
}

/** Makes JSON of nodes. An alias is read again each time, so what all comes to is counted. */
class Reader {
  readonly anchors = new Map<string, Node>()
  #chars = 0

  read(node: Node, depth: number): unknown {
    const offset = node.range?.[0] ?? 0
    if (depth > MAX_YAML_DEPTH) throw new YamlError(TOO_DEEP, offset)
    if (++this.#chars > MAX_YAML_VALUE_CHARS) tooLarge(offset)
    if (isAlias(node)) {
      const target = this.anchors.get(node.source)
      if (!target) throw new YamlError(`*${node.source} has no anchor before it`, offset)
      return this.read(target, depth + 1)
    }
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node)
    if (isScalar(node)) return this.#scalar(node, offset)
    if (isSeq(node)) return node.items.map((item) => this.#item(item, depth, offset))
    if (!isMap(node)) throw new YamlError('this is no value', offset)
    return Object.fromEntries(this.#entries(node, depth))
  }

  #entries(node: Node, depth: number): Map<string, unknown> {
    const own = new Map<string, unknown>()
    const merged = new Map<string, unknown>()
    if (!isMap(node)) return own
    for (const { key, value } of node.items) {
      const offset = (key as Node | null)?.range?.[0] ?? node.range?.[0] ?? 0
      if (isMergeKey(key)) {
        for (const [name, what] of this.#merged(value, depth, offset)) if (!merged.has(name)) merged.set(name, what)
        continue
      }
      const name = this.#item(key, depth, offset)
      if (typeof name === 'object' && name !== null)
        throw new YamlError('a name must be a word, not a list or a map', offset)
      own.set(String(name), this.#item(value, depth, offset))
    }
    return new Map([...merged, ...own])
  }

  #merged(value: unknown, depth: number, offset: number): [string, unknown][] {
    const what = this.#item(value, depth, offset)
    const maps = Array.isArray(what) ? what : [what]
    // The first one that has a name counts.
    return maps.flatMap((map) => {
      if (typeof map !== 'object' || map === null || Array.isArray(map))
        throw new YamlError('<< must have a map, or a list of maps', offset)
      return Object.entries(map)
    })
  }

  /** An item of a list, or a part of a pair, may be a pair (of `!!omap`) or nothing. */
  #item(item: unknown, depth: number, offset: number): unknown {
    if (item === null || item === undefined) return null
    if (isPair(item)) throw new YamlError('ordered maps and pairs are not JSON; write a map', offset)
    return this.read(item as Node, depth + 1) // a parsed document has nothing else
  }

  #scalar({ value }: Scalar, offset: number): unknown {
    if (typeof value === 'string') {
      this.#chars += value.length
      if (this.#chars > MAX_YAML_VALUE_CHARS) tooLarge(offset)
      return value
    }
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new YamlError('this is neither text nor a number of JSON; put it in quotes if it is text', offset)
  }
}

function tooLarge(offset: number): never {
  throw new YamlError(
    `with what its aliases stand for it is larger than ${MAX_YAML_VALUE_CHARS} characters (MAX_YAML_VALUE_CHARS)`,
    offset,
  )
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<'))

function locator(root: Node | null, anchors: ReadonlyMap<string, Node>, place: (offset: number) => Place): Locate {
  return (path: Path) => {
    let node: unknown = root
    let offset = root?.range?.[0] ?? 0
    for (const step of path) {
      if (isAlias(node)) node = anchors.get(node.source)
      const pair = isMap(node)
        ? node.items.findLast(({ key }) => isScalar(key) && String(key.value) === step)
        : undefined
      const next: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : pair?.value
      // People look at a name for an error in its value.
      const found = (pair?.key ?? next) as Node | undefined
      if (!found) break
      offset = found.range?.[0] ?? offset
      node = next
    }
    return place(offset)
  }
}
