import { globSync, readFileSync } from 'node:fs'
import type { Effect } from '../../../src/tools/define.ts'

/** JSON Schema of an argument, as far as descriptions are read against it. */
export interface Argument {
  readonly description?: string
  readonly type?: string
  readonly items?: Argument
  readonly properties?: Readonly<Record<string, Argument>>
  readonly required?: readonly string[]
}

export interface DescribedTool {
  readonly name: string
  readonly description: string
  readonly effect: Effect
  readonly inputSchema: Argument
}

/** Characters of a tool's description, and of an argument's: a model reads those of all tools before its task. */
export const MAX_TOOL_CHARS = 600
export const MAX_ARGUMENT_CHARS = 200

/** Where a tool of each effect runs, or what it asks. */
const PLACE: Readonly<Record<Effect, RegExp>> = {
  read: /\bwithout a sandbox\b/,
  write: /\bwithout a sandbox\b/,
  run: /\bin the sandbox\b/,
  fetch: /\b(?:server|service|API|web)\b/,
}

const UNITS =
  /\b(?:seconds?|milliseconds|characters|lines?|bytes?|pages?|results?|papers|chunks|files|turns|metres|degrees|articles|index|level|number|year)\b/i
/** A limit, or where counting begins; years and what is only passed on have neither. */
const LIMIT = /\bat most\b|\bup to\b|\bfrom [01]\b|-?[\d,]+ to [\d,]+\b|\byear\b/i
const DEFAULT = /\bDefault:? |\(default\)|\bRequired\b/
const PATH_NAME = /(?:^|[_.])(?:path|dir|workdir|filename|abs_location)$/
const PATH_ORIGIN = /relative to|under upload\//
/** Results have fields, and files and programs names, that are spelled as arguments are. */
const SNAKE_CASE = /(?<![@.\w])[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?!\/|\.\w)/g

/** What a model misses in the descriptions of a tool and its arguments. @param known names of tools, and of their arguments */
export function descriptionFaults(tool: DescribedTool, known: ReadonlySet<string>): string[] {
  const { description, effect, inputSchema } = tool
  const faults: string[] = [...wordFaults(description, known)]
  if (description.length > MAX_TOOL_CHARS) faults.push(`has ${description.length} characters`)
  if (!/\b[Rr]eturns\b/.test(description)) faults.push('does not say what it returns')
  if (!PLACE[effect].test(description)) faults.push('does not say where it runs')
  return [...faults, ...argumentsOf(inputSchema).flatMap((argument) => argumentFaults(argument, known))]
}

interface NamedArgument extends Argument {
  readonly name: string
  readonly isRequired: boolean
}

/** Arguments of a schema, those of objects and of lists of objects included. */
export function argumentsOf({ properties = {}, required = [] }: Argument): NamedArgument[] {
  return Object.entries(properties).flatMap(([name, argument]) => [
    { ...argument, name, isRequired: required.includes(name) },
    ...argumentsOf(argument.items ?? argument).map((inner) => ({ ...inner, name: `${name}.${inner.name}` })),
  ])
}

function argumentFaults({ name, description = '', type, isRequired }: NamedArgument, known: ReadonlySet<string>) {
  const faults: string[] = wordFaults(description, known)
  if (description.length > (LONG_ARGUMENTS[name] ?? MAX_ARGUMENT_CHARS))
    faults.push(`has ${description.length} characters`)
  if (!isRequired && !DEFAULT.test(description)) faults.push('does not say what holds without it')
  if (type === 'integer' || type === 'number') {
    if (!UNITS.test(description)) faults.push('does not say its unit')
    if (!LIMIT.test(description)) faults.push('does not say its limit, nor where counting begins')
  }
  if (type === 'string' && PATH_NAME.test(name) && !PATH_ORIGIN.test(description)) {
    faults.push('does not say what the path is relative to')
  }
  return faults.map((fault) => `${name} ${fault}`)
}

/** Arguments that are a small language of their own. */
const LONG_ARGUMENTS: Readonly<Record<string, number>> = { executor: 900 }

function wordFaults(description: string, known: ReadonlySet<string>): string[] {
  const faults = /[^\x20-\x7e…]/.test(description) ? ['has signs other than English ones'] : []
  const names = description.replaceAll(/"[^"]*"|`[^`]*`/g, '').match(SNAKE_CASE) ?? []
  const unknown = names.filter((name) => !known.has(name) && !codeWords().has(name))
  return [...faults, ...unknown.map((name) => `names ${name}, which is no tool, argument or field`)]
}

const COMMENTS_AND_TEXTS = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
const TEMPLATES = /`(?:[^`\\]|\\.)*`/g

let words: ReadonlySet<string> | undefined

/** Names in the source besides texts and comments: fields of results. Of tables they stand in SQL, which is in templates. */
function codeWords(): ReadonlySet<string> {
  words ??= new Set([
    ...globSync('src/{core,papers,documents,session,ports}/**/*.ts').flatMap((file) => wordsIn(file)),
    ...globSync('src/tools/**/*.ts').flatMap((file) => wordsIn(file, TEMPLATES)),
  ])
  return words
}

const wordsIn = (file: string, alsoLeftOut = /(?!)/g) =>
  readFileSync(file, 'utf8').replaceAll(COMMENTS_AND_TEXTS, '').replaceAll(alsoLeftOut, '').match(SNAKE_CASE) ?? []
