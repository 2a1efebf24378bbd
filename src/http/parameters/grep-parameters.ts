import type { Params } from './params.ts'
import { SYNONYMS } from './synonyms.ts'

/**
 * Parameters of Claude Code's Grep as arguments of `file_search`: those that take more than another name. Whatever has no argument
 * here, or whose argument is given beside it, stays as it is.
 * @see https://code.claude.com/docs/en/tools-reference
 */
export function fromGrep(params: Params): Params {
  if (!Object.keys(params).some((name) => READERS.has(name))) return params
  let args: Params = params
  for (const [name, value] of Object.entries(params)) {
    const made = READERS.get(name)?.(value, args)
    if (!made) continue
    const { [name]: _read, ...others } = args
    args = { ...others, ...made }
  }
  return args
}

/** Arguments in place of a parameter; null when it stays as it is. */
type Reader = (value: unknown, args: Params) => Params | null

/** Lines around a match: the most of those before, behind and on both sides. */
const around: Reader = (value, { context }) => {
  if (isAbsent(value)) return {}
  const lines = Number(value)
  if (!Number.isInteger(lines)) return null
  return { context: Math.max(lines, Number(context ?? 0) || 0) }
}

/** Whether case does not count. */
const ignoreCase: Reader = (value, { case_sensitive }) => {
  const word = String(value).toLowerCase()
  return word === 'false' && isAbsent(case_sensitive) ? { case_sensitive: true } : null
}

/** Files of a language, as `rg --type` names it. */
const fileType: Reader = (value, args) => {
  if (isAbsent(value)) return {}
  if (typeof value !== 'string' || !/^\.?[A-Za-z0-9]{1,20}$/.test(value) || hasAny(GLOB_NAMES, args)) return null
  const name = value.replace('.', '').toLowerCase()
  return { glob: `**/*.${SUFFIXES[name] ?? name}` }
}

/** Suffixes of files, or types, in a list of one. */
const fileTypes: Reader = (value, args) =>
  Array.isArray(value) && value.length === 1 ? fileType(value[0], args) : null

/** Files that are not searched. */
const excluded: Reader = (value, args) => {
  const [glob, ...others] = Array.isArray(value) ? value : [value]
  const isPlain = typeof glob === 'string' && glob !== '' && !glob.startsWith('!') && others.length === 0
  return isPlain && !hasAny(GLOB_NAMES, args) ? { glob: `!${glob}` } : null
}

/** Pattern of Grep, which is a regular expression always. */
const pattern: Reader = (value, args) => {
  if (isAbsent(value) || !isAbsent(args.search_text)) return null
  const isRegex = HAS_SIGNS.test(String(value)) && !hasAny(REGEX_NAMES, args)
  return { search_text: value, ...(isRegex && { regex: true }) }
}

/** Flags that choose what is shown, as arguments of grep do. */
const chosen =
  (output_mode: string): Reader =>
  (value, args) =>
    isAbsent(value) || String(value).toLowerCase() === 'false'
      ? {}
      : isAbsent(args.output_mode)
        ? { output_mode }
        : null

/** Lines are what is shown by default. */
const outputMode: Reader = (value) => (value === 'content' ? {} : null)

/** A pattern by a name that says that it is a regular expression. */
const regexPattern: Reader = (value, args) =>
  isAbsent(value) || !isAbsent(args.search_text) ? null : { search_text: value, regex: true }

/** Zero stands for no limit in Grep: the tool's own is meant here. */
const limit: Reader = (value) => (String(value) === '0' ? {} : null)

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['pattern', pattern],
  ['type', fileType],
  ['file_type', fileType],
  ['file_types', fileTypes],
  ['exclude', excluded],
  ['exclude_pattern', excluded],
  ['-A', around],
  ['-B', around],
  ['-C', around],
  ['-i', ignoreCase],
  ['ignore_case', ignoreCase],
  ['case_insensitive', ignoreCase],
  ['head_limit', limit],
  ['output_mode', outputMode],
  ['count_only', chosen('count')],
  ['count', chosen('count')],
  ['-c', chosen('count')],
  ['files_only', chosen('files_with_matches')],
  ['files_with_matches', chosen('files_with_matches')],
  ['list_files', chosen('files_with_matches')],
  ['-l', chosen('files_with_matches')],
  ['regex_pattern', regexPattern],
])

const namesOf = (argument: string) => [argument, ...(SYNONYMS[argument] ?? '').split(' ')]
const GLOB_NAMES = namesOf('glob')
const REGEX_NAMES = namesOf('regex')
const hasAny = (names: readonly string[], args: Params) => names.some((name) => !isAbsent(args[name]))

/** A sign by which a regular expression differs from the text that it is written as. */
const HAS_SIGNS = /[.*+?^${}()|[\]\\]/

/** Suffixes of the files of a type; by default the type's own name. */
const SUFFIXES: Readonly<Record<string, string>> = {
  c: '{c,h}', cpp: '{cpp,cc,cxx,hpp,hh,h}', csharp: 'cs', css: '{css,scss}', html: '{html,htm}', js: '{js,jsx,mjs,cjs,vue}', javascript: '{js,jsx,mjs,cjs}',
  json: '{json,jsonl}', kotlin: '{kt,kts}', markdown: '{md,markdown,mdx}', md: '{md,markdown,mdx}', perl: '{pl,pm}',
  py: '{py,pyi}', python: '{py,pyi}', ruby: 'rb', rust: 'rs', sh: '{sh,bash,zsh}', shell: '{sh,bash,zsh}', tex: '{tex,bib,sty,cls}',
  ts: '{ts,tsx,mts,cts}', typescript: '{ts,tsx,mts,cts}', yaml: '{yaml,yml}', yml: '{yaml,yml}',
} // biome-ignore format: a table

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''
