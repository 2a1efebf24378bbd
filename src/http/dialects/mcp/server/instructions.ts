import type { Endpoint } from '../context.ts'

/** Instructions for a model before its first call, in a few lines: each conversation has them. */
export function instructionsFor({ session }: Endpoint): string {
  return [
    'Tools of a workspace with files and a sandbox that runs commands. Paths are relative to the root of the workspace; programs run in code_run/.',
    session === null
      ? 'Calls share one session, whose files stay, unless they name another by session: session_create makes one.'
      : 'All calls work in one session, whose files stay.',
    'There are more tools than are listed: search_tools finds them, call_tool calls them.',
    'A long answer is cut and says how to read on.',
  ].join('\n')
}
