import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Toolyard } from '../../client/index.ts'
import { type Argument, type Command, type CommandGroup, isGroup, type Option, type Options } from '../command.ts'
import { COMMANDS } from '../commands/index.ts'
import { readProfiles } from '../config/profiles.ts'
import { chosenServer } from '../config/server.ts'
import { placeOf } from '../copy/place.ts'
import { GLOBAL_OPTIONS } from '../global-options.ts'
import { printableLine } from '../output/printable.ts'
import { tokensOf } from '../parse.ts'

/** Milliseconds that the server has unless TOOLYARD_COMPLETION_MS says otherwise: who pressed a key waits. */
const PATIENCE_MS = 2_000
/** Most candidates of one kind. */
const MAX_CANDIDATES = 200

interface Candidate {
  readonly word: string
  readonly does?: string
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** Lines for the scripts of shells: words that go on from the last of the given ones. Nothing where something goes wrong. */
export async function completionsOf(surroundings: Surroundings, args: readonly string[]): Promise<string> {
  const words = args[0] === '--' ? args.slice(1) : args
  const found = await candidates(surroundings, words).catch(() => [])
  const last = words.at(-1) ?? ''
  return found
    .filter(({ word }) => word.startsWith(last) && printableLine(word) === word && !isTakenForOption(word, last))
    .slice(0, MAX_CANDIDATES)
    .map(({ word, does }) => (does === undefined ? `${word}\n` : `${word}\t${printableLine(does)}\n`))
    .join('')
}

/** Whether a word would be read as an option though it is none: a name that begins with a dash. */
const isTakenForOption = (word: string, last: string): boolean => word.startsWith('-') && !last.startsWith('-')

async function candidates(surroundings: Surroundings, words: readonly string[]): Promise<readonly Candidate[]> {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const [name, ...rest] = before.filter((word, at) => !isOptionOrItsValue(GLOBAL_OPTIONS, before, word, at))
  if (name === undefined) return optionOr(last, GLOBAL_OPTIONS, () => entries(COMMANDS))
  if (!Object.hasOwn(COMMANDS, name)) return []
  const loaded = await COMMANDS[name]?.load()
  if (!loaded) return []
  if (!isGroup(loaded)) return ofCommand(surroundings, loaded, rest, last)
  const [word, ...others] = rest
  if (word === undefined) {
    const usual = loaded.usual === undefined ? undefined : loaded.commands[loaded.usual]
    return optionOr(last, usual ? { ...usual.options, ...GLOBAL_OPTIONS } : GLOBAL_OPTIONS, () =>
      entries(loaded.commands),
    )
  }
  const command = Object.hasOwn(loaded.commands, word) ? loaded.commands[word] : undefined
  return command ? ofCommand(surroundings, command, others, last) : []
}

/** Whether a word before the completed one is a global option, or the value of one. */
function isOptionOrItsValue(options: Options, words: readonly string[], word: string, at: number): boolean {
  const valued = Object.entries(options).some(([name, { type }]) => type === 'string' && words[at - 1] === `--${name}`)
  return valued || (word.startsWith('-') && optionOf(options, word) !== undefined)
}

async function ofCommand(
  surroundings: Surroundings,
  command: Command,
  args: readonly string[],
  last: string,
): Promise<readonly Candidate[]> {
  const options: Options = { ...command.options, ...GLOBAL_OPTIONS }
  const previous = args.at(-1) ?? ''
  const valued = previous.startsWith('-') && !previous.includes('=') ? optionOf(options, previous) : undefined
  if (valued?.type === 'string') return choicesOf(valued)
  const tokens = tokensOf(options, args)
  if (tokens.some(({ kind }) => kind === 'option-terminator')) return []
  const inline = /^--([\w-]+)=/.exec(last)
  if (inline) {
    const option = Object.hasOwn(options, inline[1] ?? '') ? options[inline[1] ?? ''] : undefined
    return option ? choicesOf(option).map(({ word }) => ({ word: inline[0] + word })) : []
  }
  const count = tokens.filter(({ kind }) => kind === 'positional').length
  const argument = command.arguments[count] ?? (command.arguments.at(-1)?.isMany ? command.arguments.at(-1) : undefined)
  return optionOr(last, options, () => (argument ? ofArgument(surroundings, argument, args, last) : []))
}

function optionOf(options: Options, word: string): Option | undefined {
  if (word.startsWith('--')) return Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)] : undefined
  return Object.values(options).find(({ short }) => word === `-${short}`)
}

async function optionOr(
  last: string,
  options: Options,
  others: () => readonly Candidate[] | Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (!last.startsWith('-')) return others()
  return Object.entries(options).map(([name, { help }]) => ({ word: `--${name}`, does: help }))
}

const entries = (commands: Readonly<Record<string, { readonly summary: string }>>): readonly Candidate[] =>
  Object.entries(commands).map(([word, { summary }]) => ({ word, does: summary }))

const choicesOf = ({ choices = [] }: Pick<Option, 'choices'>): readonly Candidate[] => choices.map((word) => ({ word }))

async function ofArgument(
  surroundings: Surroundings,
  { choices, completes }: Argument,
  args: readonly string[],
  last: string,
): Promise<readonly Candidate[]> {
  if (choices) return choicesOf({ choices })
  switch (completes) {
    case 'commands':
      return ofCommands(args)
    case 'profiles':
      return Object.entries((await readProfiles(surroundings.env)).profiles).map(([word, { url }]) => ({
        word,
        does: url,
      }))
    case 'sessions':
      return (await namesOfSessions(surroundings, args)).map((word) => ({ word }))
    case 'tools':
      return ofTools(surroundings, args)
    case 'session-files':
      return ofFiles(surroundings, args, last)
    default:
      return []
  }
}

async function ofCommands([name]: readonly string[]): Promise<readonly Candidate[]> {
  if (name === undefined) return entries(COMMANDS)
  const loaded: Command | CommandGroup | undefined = Object.hasOwn(COMMANDS, name)
    ? await COMMANDS[name]?.load()
    : undefined
  return loaded && isGroup(loaded) ? entries(loaded.commands) : []
}

async function clientOf({ env }: Surroundings, args: readonly string[]): Promise<Toolyard> {
  const at = args.lastIndexOf('--profile')
  const { url, key } = chosenServer(await readProfiles(env), env, at < 0 ? undefined : args[at + 1])
  return new Toolyard({
    baseUrl: url,
    apiKey: key,
    maxRetries: 0,
    timeoutMs: Number(env.TOOLYARD_COMPLETION_MS) || PATIENCE_MS,
  })
}

async function namesOfSessions(surroundings: Surroundings, args: readonly string[]): Promise<readonly string[]> {
  const listed = await (await clientOf(surroundings, args)).sessions.list({ limit: MAX_CANDIDATES }).page()
  return listed.data.map(({ name }) => name)
}

async function ofTools(surroundings: Surroundings, args: readonly string[]): Promise<readonly Candidate[]> {
  const tools = await (await clientOf(surroundings, args)).tools({ limit: MAX_CANDIDATES }).page()
  return tools.data.map(({ name, description }) => ({ word: name, does: description.slice(0, 80) }))
}

/** Sessions with `:` behind them, files of a session, and files here. */
async function ofFiles(
  surroundings: Surroundings,
  args: readonly string[],
  last: string,
): Promise<readonly Candidate[]> {
  const place = placeOf(last)
  if (place.kind === 'session') {
    const inSession = last.slice(last.indexOf(':') + 1)
    const directory = inSession.slice(0, Math.max(0, inSession.lastIndexOf('/')))
    const { files } = (await clientOf(surroundings, args)).sessions.open(place.session)
    const page = await files.list(directory, { limit: MAX_CANDIDATES }).page()
    return page.data.map(({ path, type }) => ({ word: `${place.session}:${path}${type === 'directory' ? '/' : ''}` }))
  }
  const sessions = await namesOfSessions(surroundings, args).catch(() => [])
  const slash = last.lastIndexOf('/') + 1
  const here = await readdir(join(surroundings.cwd, last.slice(0, slash)), { withFileTypes: true }).catch(() => [])
  return [
    ...sessions.map((name) => ({ word: `${name}:` })),
    ...here.map((entry) => ({ word: last.slice(0, slash) + entry.name + (entry.isDirectory() ? '/' : '') })),
  ]
}
