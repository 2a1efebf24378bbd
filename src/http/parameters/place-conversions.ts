import { withoutLast } from '../../core/without-last.ts'
import { type Conversion, filling, type ValueConversion } from './conversion.ts'
import type { Params } from './params.ts'

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const numberOf = (value: unknown) => (/^\d{1,7}$/.test(String(value)) ? Number(value) : null)

/** Directory into which a file is downloaded. */
export const downloadDirectory: Conversion = (value, args) =>
  isText(value) ? filling(args, { save_path: `${withoutLast(value, '/')}/` }) : null

/** First page, with or without a last one. */
export const startPage: Conversion = (value, args) => {
  const first = numberOf(value)
  if (first === null) return null
  const { pages } = args
  const [, last] = /^1-(\d+)$/.exec(String(pages ?? '')) ?? []
  return pages === undefined || last !== undefined ? { ...args, pages: `${first}-${last ?? ''}` } : null
}

/** Last page, or number of pages from the first one on. */
export const endPage: Conversion = (value, args) => {
  const last = numberOf(value)
  if (last === null) return null
  const { pages } = args
  const [, first] = /^(\d+)-$/.exec(String(pages ?? '')) ?? []
  return pages === undefined || first !== undefined ? { ...args, pages: `${first ?? 1}-${last}` } : null
}

/** Whether a glob looks below the directory. */
export const recursiveGlob: Conversion = (value, args) => {
  const { pattern } = args
  if (!isText(pattern) || !/^(?:true|1)$/i.test(String(value))) return null
  return { ...args, pattern: pattern.includes('/') ? pattern : `**/${pattern}` }
}

/** Name of files at any depth, as `find -name` takes it. */
export const nameAnywhere: Conversion = (value, args) =>
  isText(value) ? filling(args, { pattern: value.includes('/') ? value : `**/${value}` }) : null

/** Several globs as one. */
export const globs: Conversion = (value, args) => {
  const isPlain = Array.isArray(value) && value.length > 0 && value.every((one) => isText(one) && !/[{},]/.test(one))
  if (!isPlain) return null
  return filling(args, { pattern: value.length === 1 ? value[0] : `{${value.join(',')}}` })
}

/** Several commands, one in a line. */
export const commands: Conversion = (value, args, note) => {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isText)) return null
  if (value.length > 1) note('the commands run one after the other, each whatever the one before it ended with')
  return filling(args, { command: value.join('\n') })
}

/** Variables as `NAME=value`, in a list or alone. */
export const variables: ValueConversion = (value, args) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const pairs = list.map((one) => (typeof one === 'string' ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(one) : null))
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return null
  return { ...args, env: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])) }
}

/** A word of the query language of a service, as a term of the query. */
export const term =
  (word: string): Conversion =>
  (value, args: Params) => {
    const { query } = args
    return isText(value) && isText(query) && !/\s/.test(value) ? { ...args, query: `${query} ${word}:${value}` } : null
  }

/** Whether to wait for output: some seconds, or none. */
export const waiting: ValueConversion = (value, args) =>
  typeof value === 'boolean' ? { ...args, wait_seconds: value ? USUAL_WAIT_SECONDS : 0 } : null

/** The same by a parameter of its own. */
export const blocking: Conversion = (value, args) =>
  /^(?:true|false)$/i.test(String(value))
    ? filling(args, { wait_seconds: /^true$/i.test(String(value)) ? USUAL_WAIT_SECONDS : 0 })
    : null

const USUAL_WAIT_SECONDS = 30

/** Files to upload by name: an object of contents. */
export const filesByName: ValueConversion = (value, args) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value)
  const isMap =
    entries.length > 0 && !('content' in value) && entries.every(([, content]) => typeof content === 'string')
  return isMap ? { ...args, files: entries.map(([filename, content]) => ({ filename, content })) } : null
}

/** A repository of GitHub by owner and name. */
export const gitHubRepository: ValueConversion = (value, args, note) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9][\w-]*\/[\w-][\w.-]*$/.test(value)) return null
  if (/^(?:upload|code_run|code_env|logs)\//.test(value)) return null
  note(`repo_url was taken as https://github.com/${value}`)
  return { ...args, repo_url: `https://github.com/${value}` }
}
