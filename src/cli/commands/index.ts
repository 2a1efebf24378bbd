import type { Command, CommandGroup } from '../command.ts'

/** A command as the table has it: its words for help, and how it is loaded when it is used. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command | CommandGroup>
}

/** Commands by name, in the order of help. A line for each: `NAME: { summary, load: async () => (await import('./NAME.ts')).NAME }`. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {}
