import type { Readable } from 'node:stream'
import type { Toolyard } from '../client/index.ts'
import type { Server } from './config/server.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './output/output.ts'

/** An option, in the form of `parseArgs` of `node:util`, with what help and completion say of it. */
export interface Option {
  readonly type: 'string' | 'boolean'
  /** One letter. */
  readonly short?: string
  /** Whether it may be given several times. */
  readonly multiple?: boolean
  /** Word for its value in help, such as `NAME`. */
  readonly value?: string
  /** All values that it may have. */
  readonly choices?: readonly string[]
  /** Half a sentence: what it does, and what holds without it. */
  readonly help: string
}

export type Options = Readonly<Record<string, Option>>

/** Values of options, by their names: undefined for a text, false for a flag and `[]` for a list that was not given. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? readonly string[]
      : string | undefined
}

/** A positional argument. */
export interface Argument {
  /** Word for it in help, such as `SESSION`. */
  readonly name: string
  readonly help: string
  /** Whether it may be left out. */
  readonly isOptional?: boolean
  /** Whether any number may be given; the last argument alone. */
  readonly isMany?: boolean
  /** Kind of words that completion offers in its place. */
  readonly completes?: 'sessions' | 'tools' | 'session-files' | 'files' | 'profiles' | 'commands'
  /** All values that it may have. */
  readonly choices?: readonly string[]
}

export interface Example {
  /** Arguments behind `toolyard`, as in a shell. */
  readonly args: string
  readonly does: string
}

/** A command. Its name is its key in the table of commands, or of its group. */
export interface Command<O extends Options = Options> {
  /** One line, without a full stop. */
  readonly summary: string
  /** Words of help below its usage, in lines of at most 140 characters. */
  readonly details?: string
  readonly arguments: readonly Argument[]
  readonly options: O
  readonly examples: readonly Example[]
  /**
   * Whether a command for elsewhere follows the arguments: options end at the first argument too many, or at `--`, and what follows is
   * `rest`, untouched.
   */
  readonly takesRest?: boolean
  /** @throws CliError, or what the client throws: both are worded and have their exit codes */
  run(context: CommandContext<O>): Promise<ExitCode>
}

/** Commands below a word: `sessions list`. */
export interface CommandGroup {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command>>
  /** Name of the command that runs where none is named. */
  readonly usual?: string
  /** Whether a word that names no command is an argument of the usual one. */
  readonly passesWords?: boolean
}

/** A command as the table of commands has it: its words for help, and how it is loaded when it is used. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command | CommandGroup>
}

/** Commands by name, in the order of help. */
export type CommandTable = Readonly<Record<string, CommandEntry>>

export const isGroup = (loaded: Command | CommandGroup): loaded is CommandGroup => 'commands' in loaded

/** Surroundings and arguments of a command that runs. */
export interface CommandContext<O extends Options = Options> {
  readonly values: ValuesOf<O>
  /** Arguments; as many as the command has, those that were left out being absent. */
  readonly positionals: readonly string[]
  /** Arguments of a command for elsewhere; empty unless the command takes them. */
  readonly rest: readonly string[]
  /** Server that is spoken to, by `--profile`, the environment and the stored profiles, read once. @throws CliError */
  server(): Promise<Server>
  /** Client of that server. @throws CliError */
  client(): Promise<Toolyard>
  readonly output: Output
  /** All commands, for help. */
  readonly commands: CommandTable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  /** Aborted by Ctrl-C, once; a second one ends the process. */
  readonly signal: AbortSignal
  /** Profile that was asked for by `--profile`. */
  readonly profile: string | undefined
}

/** A command with the types of its options. */
export const command = <const O extends Options>(of: Command<O>): Command => of as unknown as Command
