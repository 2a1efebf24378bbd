import type { Before, Provoked } from './provoked.ts'
import { TOOLSERVER, TOOLSERVER_BEFORE } from './toolserver.ts'

/** What the session has before: the Tool Server's tasks have the directory anyway. */
export const MCP_BEFORE: Before = [['dir_create', { dir_path: 'upload' }], ...TOOLSERVER_BEFORE]

/** What models meet most; the others have only to be free of foreign words. */
const SAYS: Readonly<Record<string, string | RegExp>> = {
  'reading a file that is not there': 'File not found: no.txt; dir_list shows what exists',
  'a path that is missing': /^missing required parameter: file_path\. file_read takes: file_path \(required\), /,
  'a path out of the task':
    'the path "../../etc/passwd" leaves the session directory; give one relative to the session root',
  'a search where none is set up':
    /^web search is not available on this server; read pages whose address you know instead/,
}

/** The same tools as the Tool Server's, by calls of MCP, and what is said of other requests. */
export const MCP: readonly Provoked[] = [
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
    what: 'another session than the one of the address',
    ask: (client) => client.call('file_read', { file_path: 'two.txt', session: 'other' }),
    says: 'session: calls at this address work in its own session; leave session out',
  },
  {
    what: 'a tool to be called that there is not',
    ask: (client) => client.call('call_tool', { name: 'file_raed', arguments: {} }),
    says: /file_raed.*did you mean file_read/,
  },
  { what: 'a search for nothing', ask: (client) => client.call('search_tools', {}) },
  {
    what: 'the status of a call that there is not',
    ask: (client) => client.call('tool_status', { call_id: 'call_1' }),
  },
  {
    what: 'a resource that there is not',
    ask: (client) => client.request('resources/read', { uri: 'toolyard://errors/no.txt' }),
  },
  { what: 'a resource of elsewhere', ask: (client) => client.request('resources/read', { uri: 'file:///etc/passwd' }) },
  {
    what: 'a prompt that there is not',
    ask: (client) => client.request('prompts/get', { name: 'work_in_sesion', arguments: {} }),
  },
  {
    what: 'a prompt without its argument',
    ask: (client) => client.request('prompts/get', { name: 'work_in_session', arguments: {} }),
  },
  { what: 'a cursor of another list', ask: (client) => client.request('tools/list', { cursor: 'x' }) },
  { what: 'a method that there is not', ask: (client) => client.request('tools/undo', {}) },
]
