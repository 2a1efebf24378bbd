import type { Command, CommandGroup } from '../command.ts'

/** A command as the table has it: its words for help, and how it is loaded when it is used. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command | CommandGroup>
}

/** Commands by name, in the order of help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  sessions: {
    summary: 'List, make and delete sessions, take changes back',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  exec: { summary: 'Run a command in a session', load: async () => (await import('./exec.ts')).exec },
  dev: { summary: 'Run a server on this machine', load: async () => (await import('./dev.ts')).dev },
  deploy: {
    summary: 'Bring a server to your Cloudflare account, step by step',
    load: async () => (await import('./deploy.ts')).deploy,
  },
  doctor: {
    summary: 'Say what is wrong with this machine, a server, or a deployment',
    load: async () => (await import('./doctor.ts')).doctor,
  },
}
