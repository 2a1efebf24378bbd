import { calling, type Provoked } from './provoked.ts'

/** Tools that the test registers; targets begin with `/` where the site answers. */
export const REGISTERED: readonly { readonly id: string; readonly [field: string]: unknown }[] = [
  { id: 'gone', target: '/gone' },
  { id: 'broken', target: '/broken' },
  { id: 'text', target: '/text' },
  { id: 'list', target: '/list' },
  { id: 'moved', target: '/moved' },
  { id: 'slow', target: '/never', timeout: 1 },
  { id: 'nowhere', target: 'http://nobody.example.com/tool' },
  { id: 'one.word', target: 'http://projects-service:8000/tool' },
  { id: 'inside', target: 'http://10.0.0.7/tool' },
  { id: 'port', target: 'http://example.com:8443/tool' },
  { id: 'ftp', target: 'ftp://example.com/tool' },
  { id: 'off', target: '/text', enabled: false },
  { id: 'for.pm', target: '/text', allowed_agents: ['agent:pm'] },
  {
    id: 'typed',
    target: '/text',
    checks: { input: true },
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    id: 'needs.secret',
    executor: {
      kind: 'http',
      target: 'https://example.com/x',
      request: { auth: [{ type: 'bearer', secret: 'CITY_KEY' }] },
    },
  },
  {
    id: 'python.raises',
    executor: { kind: 'python', target: 'm:f', source: 'def f(context=None, **args):\n    return {}["x"]' },
  },
  {
    id: 'python.needs',
    executor: { kind: 'python', target: 'm:f', source: 'def f(city, context=None):\n    return city' },
  },
  { id: 'python.syntax', executor: { kind: 'python', target: 'm:f', source: 'def f(:' } },
  { id: 'python.absent', executor: { kind: 'python', target: 'm:g', source: 'def f(context=None):\n    return 1' } },
  {
    id: 'python.import',
    executor: { kind: 'python', target: 'm:f', source: 'import not_there\ndef f(context=None):\n    return 1' },
  },
  {
    id: 'python.slow',
    timeout: 1,
    executor: { kind: 'python', target: 'm:f', source: 'import time\ndef f(context=None):\n    time.sleep(60)' },
  },
  {
    id: 'python.exit',
    executor: { kind: 'python', target: 'm:f', source: 'import os\ndef f(context=None):\n    os._exit(3)' },
  },
  { id: 'python.nothing', executor: { kind: 'python', target: 'm:f' } },
  {
    id: 'python.secret',
    executor: { kind: 'python', target: 'm:f', source: 'def f(context=None):\n    return 1', secrets: ['CITY_KEY'] },
  },
  {
    id: 'chain.read',
    executor: { kind: 'chain', chain: { steps: [{ id: 'one', tool: 'file_read', input: { file_path: 'no.txt' } }] } },
  },
  {
    id: 'chain.field',
    executor: {
      kind: 'chain',
      chain: { steps: [{ id: 'one', tool: 'file_read', input: { file_path: 'no.txt', start_line: 'x' } }] },
    },
  },
  {
    id: 'chain.web',
    executor: { kind: 'chain', chain: { steps: [{ id: 'one', tool: 'google_search', input: { query: 'x' } }] } },
  },
  { id: 'chain.tool', executor: { kind: 'chain', chain: { steps: [{ id: 'one', tool: 'broken', input: {} }] } } },
]

/** What the agent's model reads of each; the others have only to be free of foreign words. */
const SAYS: Readonly<Record<string, string>> = {
  gone: 'HTTP 404: gone',
  broken: 'HTTP 500: out of order',
  text: 'Unexpected error: Expecting value: line 1 column 1 (char 0)',
  slow: 'Timeout after 1s',
  nowhere:
    'Connection failed: http://nobody.example.com/tool (there is no host named nobody.example.com; check the URL)',
  'one.word':
    'Connection failed: http://projects-service:8000/tool (projects-service is not the name of a public web site, and is refused; only those can be fetched)',
  inside:
    'Connection failed: http://10.0.0.7/tool (10.0.0.7 is private, and refused; only addresses of the public internet can be fetched)',
  off: 'Tool is disabled: off',
  'for.pm': 'Agent agent:sofia not in allowlist for for.pm',
  typed: 'the arguments do not fit typed: city: is required and missing',
  'needs.secret': 'this tool needs the secret CITY_KEY, which its owner has not put yet; use another tool',
  'python.raises': "KeyError: 'x'",
  'python.needs': "TypeError: f() missing 1 required positional argument: 'city'",
  'python.import':
    "m.py:1: ModuleNotFoundError: No module named 'not_there'; whoever made this must have not_there installed with it",
  'python.nothing': 'the Python module m has no code: whoever made it must give that, or a package that brings it',
  'chain.read':
    'step one (file_read) failed: File not found: no.txt; a listing of the files shows what exists\n\nSteps: one failed',
  'chain.field': 'step one (file_read) failed: start line: must be a whole number\n\nSteps: one failed',
}

const raised = (id: string) => calling(`the tool ${id}`, [id], SAYS[id])

export const TOOLCORE: readonly Provoked[] = [
  ...REGISTERED.map(({ id }) => raised(id)),
  calling('a tool that there is not', ['projects.list'], 'Tool not found: projects.list'),
  calling('a tool of the server', ['file_read', { file_path: 'x' }]),
  calling('an id that no tool can have', ['a@b@c']),
  { what: 'a call without an agent', ask: (client) => client.request('/internal/tools/call', { tool_id: 'text' }) },
  {
    what: 'arguments that are a list',
    ask: (client) =>
      client.request('/internal/tools/call', { tool_id: 'text', agent_id: 'a', microdao_id: 'm', args: [1] }),
  },
  { what: 'a call that is no JSON', ask: (client) => client.request('/internal/tools/call', '{"tool_id": ') },
  { what: 'the definition of a tool that there is not', ask: (client) => client.request('/internal/tools/none') },
]
