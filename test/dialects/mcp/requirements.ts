import type { Requirement } from '../../support/requirements.ts'

const modern = (section: string) => `MCP 2026-07-28, ${section}`
const older = (section: string) => `MCP 2025-11-25, ${section}`
const ours = (section: string) => `docs/dialects/mcp.md, ${section}`

/** Behaviours of MCP, each verified by a test beside this file; a run of all tests counts. */
export const REQUIREMENTS = {
  'mcp:clients:list': { source: modern('Tools'), behaviour: 'lists the tools of its address, none of them hidden' },
  'mcp:clients:revision': {
    source: modern('Versioning'),
    behaviour: 'speaks the newest revision that it knows, and works without naming a session',
  },
  'mcp:clients:call': { source: modern('Tools'), behaviour: 'calls a tool, and reads its text and its links' },
  'mcp:clients:resource': { source: modern('Resources'), behaviour: 'reads a linked file as a resource' },
  'mcp:clients:error': {
    source: modern('Tools'),
    behaviour: 'reads why a tool failed, and why a resource is not there',
  },
  'mcp:clients:image': { source: modern('Tools'), behaviour: "gets the image of a notebook's cell as a picture" },
  'mcp:clients:progress': { source: modern('Progress'), behaviour: 'hears what a command prints while it runs' },
  'mcp:clients:cancel': { source: modern('Cancellation'), behaviour: 'ends the command in the sandbox by cancelling' },

  'mcp:discover': {
    source: modern('server/discover'),
    behaviour: 'discovery names the revision and who serves, without a session, and says how long it holds',
  },
  'mcp:methods': { source: modern('Transports'), behaviour: 'GET and DELETE without a connection are 405' },
  'mcp:headers': {
    source: modern('Transports'),
    behaviour: 'a header that names another method or tool than the body is refused',
  },
  'mcp:versions': {
    source: modern('Versioning'),
    behaviour: 'a revision that there is not is refused with those that are served',
  },
  'mcp:unknown-method': { source: modern('JSON-RPC'), behaviour: 'a method that there is not is 404 and -32601' },
  'mcp:initialize': {
    source: older('Lifecycle'),
    behaviour: 'each older revision is agreed on as its client offers it, with the id of a connection',
  },
  'mcp:ended': { source: older('Transports'), behaviour: 'DELETE ends a connection, which is 404 afterwards' },
  'mcp:keys': {
    source: ours('MCP'),
    behaviour: 'a key opens its tenant by Authorization, by X-API-Key and by the path, and no other one does',
  },
  'mcp:key:refused': {
    source: modern('Authorization'),
    behaviour: 'a key that is not good is 401 with WWW-Authenticate and how a key is sent',
  },
  'mcp:origin': { source: modern('Transports'), behaviour: "another site's page is refused by its Origin" },
  'mcp:lists': {
    source: ours('Which tools'),
    behaviour: 'core, all, search and toolkits are lists of their own, whose names and schemas all hosts take',
  },
  'mcp:lists:order': { source: modern('Tools'), behaviour: 'a list is the same each time, and says how long it holds' },
  'mcp:hints': { source: modern('Tools'), behaviour: 'hints say what reads, what writes and what reaches outside' },
  'mcp:search': {
    source: ours('Which tools'),
    behaviour: 'a tool that is not listed is found, described and called by three tools',
  },
  'mcp:unknown-tool': {
    source: modern('Tools'),
    behaviour: 'a tool that there is not is -32602 with the nearest name',
  },
  'mcp:arguments': {
    source: modern('Tools'),
    behaviour: 'arguments that do not fit are a result with isError, which the model reads',
  },
  'mcp:sessions': {
    source: ours('Sessions'),
    behaviour: 'a handle of session_create names a session of its own, and one of nobody makes none',
  },
  'mcp:bound': { source: ours('Sessions'), behaviour: 'an address of one session refuses calls in another' },
  'mcp:long-text': {
    source: ours('Results'),
    behaviour: 'a text that is too long is cut in its middle, and its whole is a linked resource',
  },
  'mcp:tasks': {
    source: modern('Tasks'),
    behaviour: 'a client that declares tasks gets one for long work, and its result when that has ended',
  },
  'mcp:tasks:undeclared': {
    source: modern('Tasks'),
    behaviour: 'a client that does not declare tasks is never sent one',
  },
  'mcp:templates': { source: modern('Resources'), behaviour: 'files of any session are a template of resources' },
  'mcp:listen': {
    source: modern('Subscriptions'),
    behaviour: 'a client that listens hears that a file has changed, whoever changed it',
  },
  'mcp:prompts': { source: modern('Prompts'), behaviour: 'prompts are listed, and filled in with their arguments' },
} as const satisfies Readonly<Record<string, Requirement>>
