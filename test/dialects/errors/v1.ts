import type { Provoked } from './provoked.ts'
import { TOOLSERVER } from './toolserver.ts'

/** Where the owner of a session, or of the server, is told what to set up. */
const SAYS: Readonly<Record<string, string | RegExp>> = {
  'a path that is missing': /^missing required parameter: file_path\. file_read takes: file_path \(required\), /,
  'a tool that there is not': /read_file.*; did you mean file_read\?$/,
  'a path out of the task':
    'the path "../../etc/passwd" leaves the session directory; give one relative to the session root',
  'a search where none is set up':
    'web search is not available on this server; read pages whose address you know instead. It is not set up: set one of SERPER_API_KEY, GOOGLE_SEARCH_API_KEY with GOOGLE_SEARCH_ENGINE_ID, BRAVE_API_KEY, or SEARXNG_URL (a SearXNG of your own, no key)',
  'a page of this machine':
    'localhost is not the name of a public web site, and is refused; only those can be fetched, unless DANGEROUSLY_ALLOW_HOSTS allows it',
}

/** The same tools as the Tool Server's, by our own calls, and what is said of the calls themselves. */
export const V1: readonly Provoked[] = [
  ...TOOLSERVER.filter(({ ask }) => !String(ask).includes('/api/')).map(({ what, ask }) => ({
    what,
    ask,
    ...(SAYS[what] !== undefined && { says: SAYS[what] }),
  })),
  {
    what: 'a parameter that there is not',
    ask: (client) => client.call('file_read', { file_path: 'two.txt', page: 1 }),
    says: /^unknown parameter: page\. Known: file_path \(required\), /,
  },
  {
    what: 'a call in a session that there is not',
    ask: (client) => client.request('/v1/sessions/none/calls', { tool: 'file_read', args: { file_path: 'x' } }),
  },
  { what: 'calls of a session that there is not', ask: (client) => client.request('/v1/sessions/none/calls') },
  { what: 'a call without a tool', ask: (client) => client.request('/v1/sessions/none/calls', { args: {} }) },
  { what: 'a path that there is not', ask: (client) => client.request('/v1/nothing') },
]
