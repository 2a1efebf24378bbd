import { fail } from '../../../core/failure.ts'
import { MAX_TEX_CHARS, MAX_TEX_DEPTH, MAX_TEX_INPUTS } from '../../../core/limits/papers.ts'
import { broken, tooMuch } from '../../../documents/broken.ts'

const INPUT =
  /\\(?:input|include|subfile|subfileinclude)\s{0,20}\{([^{}]{1,300})\}|\\input[ \t]+([\w./-]{1,300})|\\(?:sub)?import\s{0,20}\{([^{}]{0,300})\}\s{0,20}\{([^{}]{1,300})\}/g
const DOCUMENT = /\\document(?:class|style)\b/
const USUAL_NAMES = ['main', 'ms', 'paper', 'article', 'manuscript', 'root', 'arxiv']

/**
 * The main file with all that it puts in by `\input`, without comments.
 * @throws FailureError `invalid_input` when there is no main file, or files put each other in without end
 */
export function wholeSource(files: ReadonlyMap<string, string>): string {
  const plain = new Map([...files].map(([name, text]) => [name, withoutComments(text)]))
  const main = mainFile(plain)
  const slash = main.lastIndexOf('/')
  const root = main.slice(0, slash + 1)
  const open: string[] = []
  let chars = 0
  let inputs = 0

  function read(name: string): string {
    if (open.includes(name)) fail('invalid_input', `\\input of ${shown(name)} goes round in a circle; mend the source`)
    if (open.length > MAX_TEX_DEPTH) fail('invalid_input', `\\input goes deeper than ${MAX_TEX_DEPTH} (MAX_TEX_DEPTH)`)
    if (++inputs > MAX_TEX_INPUTS) tooMuch(`the source puts in more than ${MAX_TEX_INPUTS} files (MAX_TEX_INPUTS)`)
    const text = plain.get(name) ?? ''
    chars += text.length
    if (chars > MAX_TEX_CHARS) tooMuch(`the LaTeX is longer than ${MAX_TEX_CHARS} characters (MAX_TEX_CHARS)`)
    open.push(name)
    const whole = text.replace(INPUT, (command: string, ...[braced, bare, folder, below]: (string | undefined)[]) => {
      const wanted = folder === undefined ? (braced ?? bare ?? '') : `${folder}/${below}`
      const found = find(wanted.trim(), name)
      return found === null ? (command.startsWith('\\input') ? ' ' : '\n\n') : `${read(found)}\n`
    })
    open.pop()
    return whole
  }

  /** File in the archive. @returns null for any other, e.g. a file of TeX's own */
  function find(wanted: string, from: string): string | null {
    const here = from.slice(0, from.lastIndexOf('/') + 1)
    for (const folder of new Set([root, here, ''])) {
      for (const ending of ['', '.tex', '.ltx']) {
        const name = normal(`${folder}${wanted}${ending}`)
        if (plain.has(name)) return name
      }
    }
    return null
  }

  return read(main)
}

const normal = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '.' && part !== '')
    .join('/')

const shown = (name: string) => JSON.stringify(name.slice(0, 80))

function mainFile(files: ReadonlyMap<string, string>): string {
  const documents = [...files].filter(([, text]) => DOCUMENT.test(text))
  const candidates =
    documents.length > 0 ? documents : [...files].filter(([, text]) => /\\begin\s*\{document\}/.test(text))
  const [best] = candidates
    .map(([name, text]) => ({ name, rank: rankOf(name, text) }))
    .sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
  if (best) return best.name
  const [only] = files.keys()
  if (only !== undefined && files.size === 1) return only
  return broken('no main file: none of its .tex files has \\documentclass; send the whole source')
}

/** Smaller is likelier. */
function rankOf(name: string, text: string): number {
  const depth = name.split('/').length - 1
  const base = (name.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '').toLowerCase()
  const usual = USUAL_NAMES.indexOf(base)
  const hasBody = /\\begin\s*\{document\}/.test(text) ? 0 : 1000
  return hasBody + (DOCUMENT.test(text) ? 0 : 500) + depth * 50 + (usual === -1 ? USUAL_NAMES.length : usual)
}

const VERBATIM = /\\(begin|end)\s*\{(?:verbatim|lstlisting|minted|Verbatim)\*?\}/g

/** A comment takes its line's end with it; a line that is nothing else is no empty line. */
function withoutComments(text: string): string {
  let out = ''
  let verbatim = false
  for (const line of text.split('\n')) {
    const at = verbatim ? -1 : commentAt(line)
    if (at === -1) out += `${line}\n`
    else if (line.slice(0, at).trim() !== '') out += line.slice(0, at)
    for (const [, side] of line.matchAll(VERBATIM)) verbatim = side === 'begin'
  }
  return out
}

/** Contexts in which a `%` may be no comment: a backslash before it, `\verb`, and the braces of `\url`. */
const BEFORE_COMMENT = /\\verb\*?([^a-zA-Z*\s])|\\(?:url|href)\{|\\[\s\S]|%/g
/** Greatest length of `\verb`, which ends on its line. */
const MAX_VERB_CHARS = 2_000

/** The `%` that begins a comment; -1 without one. Each character is looked at once, or a line of them would take hours. */
function commentAt(line: string): number {
  for (let at = 0; ; ) {
    BEFORE_COMMENT.lastIndex = at
    const found = BEFORE_COMMENT.exec(line)
    if (!found) return -1
    const [piece, mark] = found
    if (piece === '%') return found.index
    at = found.index + piece.length
    if (mark !== undefined) at += line.slice(at, at + MAX_VERB_CHARS).indexOf(mark) + 1
    else if (piece.endsWith('{')) {
      const end = line.indexOf('}', at)
      if (end === -1) return -1
      at = end
    }
  }
}
