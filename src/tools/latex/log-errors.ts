import { LOG_PART } from './build-script.ts'

/** Error of a build: what went wrong, and where. */
export interface LogError {
  /** File as TeX names it: relative to the main file, or absolute for a file of TeX's own. */
  readonly file?: string
  readonly line?: number
  readonly message: string
  /** Source around the error: what is read stands before ⟂, the rest behind it. */
  readonly context?: string
}

const MAX_ERRORS = 8
const MAX_MESSAGE_CHARS = 400
const MAX_CONTEXT_CHARS = 200
/** Lines between an error's message and the line of the source that TeX shows with it. */
const CONTEXT_LINES = 30

const BY_FILE = /^((?:\.{0,2}\/)?[^:\s][^:]*\.[A-Za-z]\w{0,9}):(\d+): +(.*)$/
const BY_MARK = /^! ?(.*)$/
/** Errors that only follow from the one before. */
const CONSEQUENCE = /^(?:Emergency stop|==> Fatal error|(?:pdfTeX|LuaTeX) warning)|^!*$/

/** Longest line that is read; TeX breaks its own lines long before. */
export const MAX_LINE_CHARS = 1_000

/** Lines of a log, long ones cut: the patterns that look for errors take a line's length squared. */
const logLines = (log: string): string[] => log.split(/\r?\n/).map((line) => line.slice(0, MAX_LINE_CHARS))

/** Errors in the output of TeX (with -file-line-error), BibTeX, biber and xdvipdfmx, in order, without repetitions. */
export function logErrors(log: string): readonly LogError[] {
  const [, tex = '', ...others] = log.split(`${LOG_PART}\n`)
  const found = new Map<string, LogError>()
  const all = [...texErrors(logLines(tex)), ...others.flatMap((part) => [...helperErrors(logLines(part))])]
  for (const error of all) {
    const key = `${error.file}:${error.line}:${error.message}`
    if (!found.has(key) && found.size < MAX_ERRORS) found.set(key, error)
  }
  const errors = [...found.values()].map((error, at, list) => placed(error, list[at + 1]))
  const causes = errors.filter(({ message }) => !CONSEQUENCE.test(message))
  return causes.length > 0 ? causes : errors
}

/** Error with its place. An error that ends TeX may lack one; the end of TeX behind it has one. */
function placed(error: LogError, next: LogError | undefined): LogError {
  if (error.file || !next?.file || next.line === undefined || !CONSEQUENCE.test(next.message)) return error
  return { ...error, file: next.file, line: next.line }
}

function* texErrors(lines: readonly string[]): Generator<LogError> {
  for (const [at, text] of lines.entries()) {
    const [, file, line, byFile] = BY_FILE.exec(text) ?? []
    const errorText = byFile ?? BY_MARK.exec(text)?.[1]
    if (errorText === undefined) continue
    const rest = lines.slice(at + 1, at + 1 + CONTEXT_LINES)
    const next = rest.findIndex((other) => BY_FILE.test(other) || BY_MARK.test(other))
    const after = next === -1 ? rest : rest.slice(0, next)
    const message = withUndefined(joined(errorText, after), after)
    const context = sourceLine(after)
    yield {
      ...(file && { file: file.replace(/^\.\//, ''), line: Number(line) }),
      ...(!file && context && { line: context.line }),
      message: message.slice(0, MAX_MESSAGE_CHARS),
      ...(context?.text && { context: context.text.slice(-MAX_CONTEXT_CHARS) }),
    }
  }
}

/**
 * Message of several lines: a package's goes on in lines that begin with its name in brackets, LaTeX's own on the next
 * line.
 */
function joined(errorText: string, after: readonly string[]): string {
  const [, name] = /^(?:Package|Class|LaTeX3?) ?(\S+)? ?Error:/.exec(errorText) ?? []
  const parts = [errorText]
  for (const line of after) {
    const [, by, text = ''] = /^\(([^)]+)\) {2,}(.*)$/.exec(line) ?? []
    if (by === undefined || (name && by !== name)) break
    parts.push(text)
  }
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim()
}

/** Message of an undefined command with its name, which ends the first line of context and may be inside a macro. */
function withUndefined(message: string, after: readonly string[]): string {
  if (!message.startsWith('Undefined control sequence')) return message
  const [, name] = /(\\(?:[A-Za-z@]+|.))\s*$/.exec(after.find((line) => line.trim() !== '') ?? '') ?? []
  return name ? `Undefined control sequence ${name}` : message
}

/** Line of the source: `l.12 read so far` and, indented below it, what is still to be read. */
function sourceLine(after: readonly string[]): { readonly line: number; readonly text: string } | null {
  const at = after.findIndex((line) => /^l\.\d+ ?/.test(line))
  const [, number, before = ''] = /^l\.(\d+) ?(.*)$/.exec(after[at] ?? '') ?? []
  if (number === undefined) return null
  const behind = (after[at + 1] ?? '').trim()
  const text = before.trim() === '' ? behind : behind === '' ? before.trim() : `${before.trim()} ⟂ ${behind}`
  return { line: Number(number), text }
}

const HELPERS: readonly RegExp[] = [
  /^(I couldn't open (?:database|style|auxiliary) file .*)$/,
  /^(I found no .*)$/,
  /^(.*---line \d+ of file .*)$/,
  /(?:ERROR|FATAL) - (.*)$/,
  /^(xdvipdfmx:(?:fatal|error): .*)$/,
  /^(latexmk: .*(?:not found|cannot).*)$/i,
]

function* helperErrors(lines: readonly string[]): Generator<LogError> {
  for (const text of lines) {
    const message = HELPERS.map((pattern) => pattern.exec(text)?.[1]).find((errorText) => errorText !== undefined)
    if (message === undefined) continue
    const [, errorText, line, file] = /^(.*)---line (\d+) of file (.*)$/.exec(message) ?? []
    yield file && errorText !== undefined
      ? { file, line: Number(line), message: `BibTeX: ${errorText}`.slice(0, MAX_MESSAGE_CHARS) }
      : { message: message.slice(0, MAX_MESSAGE_CHARS) }
  }
}
