import type { Options } from './command.ts'

/** Options that every command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', help: 'print JSON for programs: one document, or a line for each item of a stream' },
  profile: {
    type: 'string',
    value: 'NAME',
    help: 'the server that was signed in to under this name; comes before the environment',
  },
  help: { type: 'boolean', short: 'h', help: 'show help for the command' },
} as const satisfies Options
