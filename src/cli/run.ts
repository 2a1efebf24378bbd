import type { Readable } from 'node:stream'
import { Toolyard } from '../client/index.ts'
import { type Command, type CommandContext, isGroup, type Options } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { COMPLETE_WORD } from './completion/scripts.ts'
import { readProfiles } from './config/profiles.ts'
import { chosenServer } from './config/server.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { explain, usageError } from './failure.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { loadedCommand } from './loaded-command.ts'
import { didYouMean } from './nearest.ts'
import { Output } from './output/output.ts'
import type { Sink } from './output/streams.ts'
import { parsedArguments, tokensOf } from './parse.ts'
import { VERSION } from './version.ts'

/** Parts of a process: its arguments, its streams, and a signal for Ctrl-C. */
export interface Surroundings {
  /** Arguments behind the name of the program. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Sink
  readonly stderr: Sink
  readonly signal: AbortSignal
}

/** Runs the command line once. What went wrong is one line on stderr. */
export async function runCommandLine(surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr, env, signal } = surroundings
  const output = new Output({ stdout, stderr, isJson: false, env })
  try {
    return await dispatched(surroundings, output)
  } catch (thrown) {
    // Whoever read stdout has enough, as `head` does.
    if ((thrown as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.closedPipe
    const { line, exitCode } = explain(thrown, signal)
    await output.error(line).catch(() => {})
    return exitCode
  }
}

/** Whether a flag of every command is among the arguments, before `--`. */
function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).includes(`--${flag}`)
}

async function dispatched(surroundings: Surroundings, output: Output): Promise<ExitCode> {
  const { args } = surroundings
  const first = withoutFirstWord(args, GLOBAL_OPTIONS)
  if (!first) {
    if (hasFlag(args, 'version')) await output.help(VERSION)
    else {
      const unknown = tokensOf({ ...GLOBAL_OPTIONS }, args).find(
        (token) => token.kind === 'option' && !Object.hasOwn(GLOBAL_OPTIONS, token.name),
      )
      if (unknown?.kind === 'option')
        throw usageError(
          `there is no option ${unknown.rawName}`,
          didYouMean(unknown.rawName, ['--help', '--version', '--json', '--profile'], 'see `toolyard --help`'),
        )
      await output.help(overview(COMMANDS, output))
    }
    return EXIT.good
  }
  if (first.word === COMPLETE_WORD) {
    const { completionsOf } = await import('./completion/complete.ts')
    await output.help(await completionsOf(surroundings, first.others))
    return EXIT.good
  }
  const loaded = await loadedCommand(COMMANDS, first.word)
  if (!isGroup(loaded)) return run(first.word, loaded, first.others, surroundings)

  const usual = loaded.usual === undefined ? undefined : loaded.commands[loaded.usual]
  // Options before a word are those of the usual command: they may have values, which are no words.
  const second = withoutFirstWord(first.others, { ...usual?.options, ...GLOBAL_OPTIONS })
  const word = second?.word ?? loaded.usual
  if (word === undefined || (!second && wantsHelp(first.others))) {
    await output.help(groupHelp(first.word, loaded, output))
    return word === undefined && !wantsHelp(first.others) ? EXIT.usage : EXIT.good
  }
  const command = Object.hasOwn(loaded.commands, word) ? loaded.commands[word] : undefined
  if (!command) {
    if (loaded.passesWords && usual) return run(`${first.word} ${loaded.usual}`, usual, first.others, surroundings)
    const known = Object.keys(loaded.commands)
    const hint = didYouMean(word, known, `it is one of ${known.join(', ')}`)
    throw usageError(`${first.word} has no command "${word}"`, hint)
  }
  return run(`${first.word} ${word}`, command, second?.others ?? first.others, surroundings)
}

const wantsHelp = (args: readonly string[]) => hasFlag(args, 'help') || args.includes('-h')

/** First argument that is no option, and the others in their order; null where there is none. */
function withoutFirstWord(
  args: readonly string[],
  options: Options,
): { word: string; others: readonly string[] } | null {
  for (const token of tokensOf(options, args)) {
    if (token.kind === 'option-terminator') return null
    if (token.kind === 'positional') return { word: token.value, others: args.toSpliced(token.index, 1) }
  }
  return null
}

async function run(
  name: string,
  command: Command,
  args: readonly string[],
  { env, cwd, stdin, stdout, stderr, signal }: Surroundings,
): Promise<ExitCode> {
  const { values, positionals, rest } = parsedArguments(name, command, args)
  const output = new Output({ stdout, stderr, isJson: values.json === true, env })
  if (values.help) {
    await output.help(commandHelp(name, command, output))
    return EXIT.good
  }
  const profile = values.profile as string | undefined
  const server = once(async () => chosenServer(await readProfiles(env), env, profile))
  const client = once(async () => {
    const { url, key } = await server()
    return new Toolyard({ baseUrl: url, apiKey: key })
  })
  const typed = values as CommandContext<Options>['values']
  return command.run({
    values: typed,
    positionals,
    rest,
    server,
    client,
    output,
    commands: COMMANDS,
    env,
    cwd,
    stdin,
    signal,
    profile,
  })
}

/** The function, which works at its first call only. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
