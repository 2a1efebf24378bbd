import type { Command, CommandGroup, CommandTable } from './command.ts'
import { usageError } from './failure.ts'
import { didYouMean } from './nearest.ts'

/** Command or group of a name. @throws CliError of usage, with the nearest name */
export async function loadedCommand(commands: CommandTable, name: string): Promise<Command | CommandGroup> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry) return entry.load()
  throw usageError(`there is no command "${name}"`, didYouMean(name, Object.keys(commands), 'see `toolyard help`'))
}
