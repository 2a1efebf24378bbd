import { NOTEBOOK_ENV } from '../../../src/http/dialects/xagent/notebook-env.ts'
import { SHELL_ENV, SHELL_FUNCTIONS } from '../../../src/http/dialects/xagent/shell-env.ts'
import { ENVS, FUNCTIONS } from '../../../src/http/dialects/xagent/tools.ts'
import { LAGENT_ACTIONS } from '../../../src/lagent/built-in/action-table.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import type { CLIENTS } from './clients.ts'

export type DialectName = keyof typeof CLIENTS

const listed = catalog.list()
const all = [
  ...new Map(
    [...listed, ...catalog.toolkits().flatMap(({ tools }) => tools)].map((tool) => [tool.name, tool]),
  ).values(),
]

/** Names of arguments with an underscore: others are words of any text. */
const fieldsOf = ({ inputSchema }: (typeof all)[number]) =>
  Object.keys((inputSchema.properties ?? {}) as object).filter((name) => name.includes('_'))

const CORE_NAMES = all.map(({ name }) => name)
const CORE_FIELDS = all.flatMap(fieldsOf)
const xagentTools = [...ENVS, NOTEBOOK_ENV, SHELL_ENV].flatMap((env) =>
  env.tools.map((tool) => ({ ...tool, full: `${env.name}_${tool.name}` })),
)
const xagentFunctions = [...FUNCTIONS, ...SHELL_FUNCTIONS].map((tool) => ({ ...tool, full: tool.name }))
const XAGENT_FIELDS = [...xagentTools, ...xagentFunctions].flatMap(({ parameters }) =>
  parameters.filter(({ hidden }) => !hidden).map(({ name }) => name),
)
/** A short name cannot be called: `write_stdin` without its env. */
const XAGENT_SHORT = xagentTools.map(({ name }) => name)
const LAGENT_OWN = LAGENT_ACTIONS.flatMap(({ apis }) => apis)

/** What only whoever runs the server knows, and nobody's model should read. */
const INTERNALS = [
  '.toolyard', 'kernel.py', 'host.py', 'sandboxd', 'Durable', 'workerd', 'DANGEROUSLY_ALLOW_HOSTS', 'EGRESS_PORTS',
  'SERPER_API_KEY', 'BING_MAP_KEY', 'SERPAPI_API_KEY', 'SEARXNG_URL', 'setup.mjs', '[object Object]', 'undefined',
] // biome-ignore format: a list of words
const ROUTES = ['/v1', '/api/', '/lagent', 'HTTP route', 'GET /', 'POST /', 'PUT /']

const FOREIGN: Readonly<Record<DialectName, readonly string[]>> = {
  xagent: [
    ...except([...CORE_NAMES, ...CORE_FIELDS], XAGENT_FIELDS, xagentFunctions.map(({ full }) => full)),
    ...XAGENT_SHORT, ...ROUTES, 'task', 'wait_ms', 'run_id', 'task_id',
  ],
  toolcore: [
    ...except([...CORE_NAMES, ...CORE_FIELDS], ['tool_id'], ['file_read', 'google_search']),
    ...ROUTES, 'task', 'node', 'source', 'requirements', 'requirement', 'inside of a network',
  ],
  lagent: [
    ...LAGENT_OWN.map(({ tool }) => tool), ...bare(LAGENT_OWN.map(({ name }) => name)),
    ...ROUTES, 'task', 'node', 'write_stdin', 'task_id',
  ],
  toolserver: [...xagentTools.map(({ full }) => full), ...XAGENT_SHORT, ...ROUTES, 'node', 'node_id', 'session id'],
  v1: [...xagentTools.map(({ full }) => full), ...XAGENT_SHORT, 'node id', 'task id', 'task directory'],
  mcp: [...xagentTools.map(({ full }) => full), ...XAGENT_SHORT, '/api/', '/lagent', 'node', 'task id', 'task directory'],
} // biome-ignore format: lists of words

function except(words: readonly string[], ...own: readonly (readonly string[])[]): string[] {
  const known = new Set(own.flat())
  return words.filter((word) => !known.has(word))
}

/** `create_file` where `PPT.create_file` is meant; `run` is a word. */
function bare(names: readonly string[]): string[] {
  return names.filter((name) => name.includes('_'))
}

/**
 * The words in a text that callers of the dialect cannot know.
 * @param request what the caller sent: words of its own may come back
 */
export function foreignWords(text: string, dialect: DialectName, request: string): string[] {
  const allowed =
    dialect === 'v1' || dialect === 'mcp'
      ? ['SERPER_API_KEY', 'DANGEROUSLY_ALLOW_HOSTS', 'EGRESS_PORTS', 'SEARXNG_URL', 'setup.mjs']
      : []
  return [...new Set([...FOREIGN[dialect], ...except(INTERNALS, allowed)])].filter(
    (word) => stands(word, text) && !stands(word, request),
  )
}

/** True where `word` stands by itself, and not in a longer name, such as `PPT.create_file`. */
function stands(word: string, text: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.])${escaped}(?!\\w)`).test(text)
}
