import type { CommandTable } from '../command.ts'

/** Commands by name, in the order of help. */
export const COMMANDS: CommandTable = {
  login: { summary: 'Sign in to a server, and remember it', load: async () => (await import('./login.ts')).login },
  logout: { summary: 'Forget a server and its key', load: async () => (await import('./login.ts')).logout },
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
  cp: {
    summary: 'Copy files and directories into a session, or out of it',
    load: async () => (await import('./cp.ts')).cp,
  },
  edit: {
    summary: 'Edit a file of a session in an editor of yours',
    load: async () => (await import('./edit.ts')).edit,
  },
  tools: { summary: 'List and find tools, show what they take', load: async () => (await import('./tools.ts')).tools },
  call: { summary: 'Call a tool in a session', load: async () => (await import('./call.ts')).call },
  logs: {
    summary: 'Show the calls of a session, oldest first, and follow them while they run',
    load: async () => (await import('./logs.ts')).logs,
  },
  keys: { summary: 'List, make and revoke keys', load: async () => (await import('./keys.ts')).keys },
  usage: {
    summary: 'Show what was used: calls, failures, times, cost',
    load: async () => (await import('./usage.ts')).usage,
  },
  import: {
    summary: 'Make tools of an API description, or of a file of tools',
    load: async () => (await import('./import.ts')).importGroup,
  },
  mcp: {
    summary: 'Configure clients of MCP for this server; add MCP servers elsewhere',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  completion: {
    summary: 'Print the completion of bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
  help: { summary: 'Show help for a command', load: async () => (await import('./help.ts')).help },
}
