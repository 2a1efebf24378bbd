import type { Provoked } from './provoked.ts'
import { TOOLSERVER } from './toolserver.ts'

/** The same tools as the Tool Server's, by our own calls, and what is said of the calls themselves. */
export const V1: readonly Provoked[] = [
  ...TOOLSERVER.filter(({ ask }) => !String(ask).includes('/api/')).map(({ what, ask }) => ({ what, ask })),
  {
    what: 'a call in a session that there is not',
    ask: (client) => client.request('/v1/sessions/none/calls', { tool: 'file_read', args: { file_path: 'x' } }),
  },
  { what: 'calls of a session that there is not', ask: (client) => client.request('/v1/sessions/none/calls') },
  { what: 'a call without a tool', ask: (client) => client.request('/v1/sessions/none/calls', { args: {} }) },
  { what: 'a path that there is not', ask: (client) => client.request('/v1/nothing') },
]
