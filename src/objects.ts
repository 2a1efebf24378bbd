import { objectClient } from './adapters/object-client.ts'
import type { Rules } from './adapters/object-rules.ts'
import type { Failure } from './core/failure.ts'
import type { Outcome, ToolCall } from './core/outcome.ts'
import type { SentCall } from './core/packed-call.ts'
import type { LeaseCount, LeaseHolder, LeaseList, SandboxLeases } from './ports/sandbox-leases.ts'
import type { SandboxSpares } from './ports/sandbox-spares.ts'
import type { OwnedSession, SessionApi, Visit } from './session/api.ts'
import type { TenantApi } from './tenant/api.ts'
import type { TenantOwnerApi } from './tenant/deletion-api.ts'
import { catalog } from './tools/catalog.ts'

/** Whether a call may be made twice in place of once. A registered tool may do anything. */
const isRead = (call: ToolCall) => catalog.effectOf(call.tool) === 'read'
/** Whether a call may be sent twice: one with a key is made once, and the second answer says what is known of the first. */
const isSafeTwice = (call: SentCall) => call.key !== undefined || isRead(call)
const cutOff = (failure: Failure): Outcome => ({ kind: 'failed', failure })

/** Rules for requests to a session's object that is restarted. */
export const SESSION_RULES: Rules<SessionApi> = {
  create: 'once',
  info: 'repeat',
  remove: 'remove',
  call: { isRepeatable: isSafeTwice, answer: cutOff },
  begin: { isRepeatable: isSafeTwice, answer: (failure) => ({ refused: cutOff(failure) }) },
  limitsChanged: 'repeat',
  toolsChanged: 'repeat',
  files: {
    download: 'repeat',
    archive: 'repeat',
    upload: 'once',
    read: 'repeat',
    list: 'repeat',
    mayPut: 'repeat',
    put: 'once',
    remove: 'once',
    pack: 'repeat',
    unpack: 'once',
  },
  history: { commits: 'repeat', changes: 'repeat', diff: 'repeat', restore: 'once' },
  snapshots: { list: 'repeat', find: 'repeat', put: 'repeat', remove: 'once' },
  forks: {
    commitAt: 'repeat',
    diff: 'repeat',
    make: 'once',
    entries: 'repeat',
    contents: 'repeat',
    countStored: 'repeat',
    stored: 'repeat',
  },
  links: { make: 'once', list: 'repeat', revoke: 'once', isValid: 'repeat' },
  calls: { page: 'repeat', find: 'repeat', follow: 'repeat', cancel: 'repeat' },
  tools: { list: 'repeat' },
  people: { list: 'repeat', answer: 'once' },
  life: { look: 'repeat', change: 'repeat', pause: 'repeat', resume: 'repeat' },
  nodes: {
    visit: {
      isRepeatable: (_node, call) => call === undefined || isSafeTwice(call),
      // Only a running node makes calls.
      answer: (failure, _node, call): Visit | null =>
        call && failure.code !== 'session_not_found' ? { state: 'running', outcome: cutOff(failure) } : null,
    },
    close: 'repeat',
    reconnect: 'repeat',
  },
  watch: { commits: 'repeat' },
  fetch: 'repeat',
}

/** A session's object, as the Worker asks it: over restarts of the object too. */
export const sessionClient = objectClient<SessionApi>(SESSION_RULES)

/** Methods of a tenant's object by group: what its client may repeat, and what the object serves. */
export const TENANT_RULES: Rules<TenantApi> = {
  sessions: {
    add: 'repeat',
    change: 'repeat',
    remove: { repeat: 'repeat', freesRoom: true },
    list: 'repeat',
    browse: 'repeat',
    expired: 'repeat',
    find: 'repeat',
  },
  blobs: { retain: 'repeat', stored: 'repeat', share: 'repeat', release: { repeat: 'once', freesRoom: true } },
  secrets: { put: 'once', list: 'repeat', remove: 'once', open: 'repeat' },
  humanTaskNames: { put: 'repeat', find: 'repeat', of: 'repeat' },
  questions: { list: 'repeat' },
  tools: { change: 'once', dryRunChain: 'repeat', list: 'repeat', since: 'repeat', find: 'repeat', versions: 'repeat' },
  mcpServers: {
    create: 'once',
    list: 'repeat',
    find: 'repeat',
    change: 'once',
    refresh: 'once',
    accept: 'once',
    remove: 'once',
  },
  toolkits: { listed: 'repeat', change: 'repeat' },
  calls: {
    permit: 'repeat',
    // The object's counters of running calls went with it.
    begin: 'repeat',
    admit: 'repeat',
    // On a full disk only sessions being removed report their calls.
    end: { repeat: 'repeat', freesRoom: true },
  },
  limits: { read: 'repeat', put: 'once' },
  usage: { read: 'repeat', rows: 'repeat' },
  market: { pace: 'repeat', note: 'once' },
  audit: {
    page: 'repeat',
    head: 'repeat',
    noteKey: 'once',
    noteLink: 'once',
    noteFiles: 'once',
    noteSignIn: 'once',
    noteDenied: 'once',
  },
  childKeys: { mint: 'once', list: 'repeat', find: 'repeat', revoke: 'repeat' },
  webhooks: {
    create: 'once',
    list: 'repeat',
    find: 'repeat',
    change: 'repeat',
    remove: { repeat: 'once', freesRoom: true },
    rotate: 'once',
    test: 'once',
    deliveries: 'repeat',
    retry: 'once',
  },
  // An attempt begins once, however often it is asked for.
  ledger: { begin: 'repeat', end: { repeat: 'repeat', freesRoom: true } },
}

/** A tenant's object, as the Worker and the tenant's sessions ask it. */
export const tenantClient = objectClient<TenantApi>(TENANT_RULES)

/** The object that grants running sandboxes, and keeps spare ones. */
export const leasesClient = objectClient<SandboxLeases & SandboxSpares & LeaseList & LeaseCount>({
  countRunning: 'repeat',
  holdersOf: 'repeat',
  acquire: 'repeat',
  renew: 'repeat',
  release: 'repeat',
  mayCreate: 'repeat',
  wantsBack: 'repeat',
  takeSpare: 'repeat',
  keepSpare: 'repeat',
  dropSpare: 'repeat',
  warmSpares: 'repeat',
  poolsChanged: 'repeat',
})

/** Client for a session's object in its role as a holder of a lease. */
export const leaseHolderClient = objectClient<LeaseHolder>({ sandboxUse: 'repeat', giveSandboxBack: 'repeat' })

/** Client for a tenant's object, as the owner of the server asks it. */
export const tenantOwnerClient = objectClient<TenantOwnerApi>({
  beginDeletion: 'repeat',
  deletion: 'repeat',
  endSandboxes: 'repeat',
  keepSandboxes: 'repeat',
  sealed: 'repeat',
  renewSealed: 'repeat',
  sessionDefaults: 'repeat',
  putSessionDefaults: 'repeat',
  beginExport: 'once',
  exportTools: 'repeat',
})

/** Client for a session's object, as its tenant ends it. */
export const ownedSessionClient = objectClient<OwnedSession>({
  purge: 'repeat',
  endSandbox: 'repeat',
  exportPart: 'repeat',
  setBack: 'once',
  restart: 'once',
  reattach: 'repeat',
})

/** The object of one MCP connection of the older revisions: GET opens a stream, DELETE ends the connection, and POST may do anything. */
export const connectionClient = objectClient<{ fetch(request: Request): Promise<Response> }>({
  fetch: { isRepeatable: ({ method }) => method !== 'POST', answer: () => null },
})
