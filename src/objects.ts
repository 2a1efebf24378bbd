import { objectClient } from './adapters/object-client.ts'
import type { Rules } from './adapters/object-rules.ts'
import type { Failure } from './core/failure.ts'
import type { Outcome, ToolCall } from './core/outcome.ts'
import type { LeaseHolder, SandboxLeases } from './ports/sandbox-leases.ts'
import type { SandboxSpares } from './ports/sandbox-spares.ts'
import type { SessionApi, Visit } from './session/api.ts'
import type { TenantApi } from './tenant/api.ts'
import { catalog } from './tools/catalog.ts'

/** True for a call that may be made twice in place of once. A registered tool may do anything. */
const isRead = (call: ToolCall) => catalog.effectOf(call.tool) === 'read'
const cutOff = (failure: Failure): Outcome => ({ kind: 'failed', failure })

/** What becomes of requests to a session's object that is restarted. */
export const SESSION_RULES: Rules<SessionApi> = {
  create: 'once',
  info: 'repeat',
  remove: 'remove',
  call: { isRepeatable: isRead, answer: cutOff },
  limitsChanged: 'repeat',
  files: { download: 'repeat', archive: 'repeat', upload: 'once' },
  calls: { page: 'repeat', find: 'repeat', follow: 'repeat', cancel: 'repeat' },
  tools: { list: 'repeat' },
  people: { list: 'repeat', answer: 'once' },
  nodes: {
    visit: {
      isRepeatable: (_node, call) => call === undefined || isRead(call),
      // Only a node that runs makes calls.
      answer: (failure, _node, call): Visit | null =>
        call && failure.code !== 'session_not_found' ? { state: 'running', outcome: cutOff(failure) } : null,
    },
    close: 'repeat',
    reconnect: 'repeat',
  },
}

/** A session's object, as the Worker asks it: over restarts of the object too. */
export const sessionClient = objectClient<SessionApi>(SESSION_RULES)

/** A tenant's object, as the Worker and the tenant's sessions ask it. */
export const tenantClient = objectClient<TenantApi>({
  addSession: 'repeat',
  nameHumanTask: 'repeat',
  humanTasksNamed: 'repeat',
  humanTaskNames: 'repeat',
  removeSession: 'repeat',
  listSessions: 'repeat',
  findSession: 'repeat',
  retainBlobs: 'repeat',
  storedBlobs: 'repeat',
  releaseBlobs: 'once',
  putSecret: 'once',
  listSecrets: 'repeat',
  removeSecret: 'once',
  openSecret: 'repeat',
  changeTools: 'once',
  dryRunChain: 'repeat',
  listTools: 'repeat',
  toolsSince: 'repeat',
  findTool: 'repeat',
  listToolVersions: 'repeat',
  readLimits: 'repeat',
  putLimits: 'once',
  readUsage: 'repeat',
  paceMarket: 'repeat',
  noteMarket: 'once',
  noteKey: 'once',
  readAudit: 'repeat',
  auditHead: 'repeat',
  noteDenied: 'once',
  permitCall: 'repeat',
  // What the object counted of calls that run went with it.
  beginCall: 'repeat',
  admitCall: 'repeat',
  endCalls: 'repeat',
})

/** The object that grants running sandboxes, and keeps spare ones. */
export const leasesClient = objectClient<SandboxLeases & SandboxSpares>({
  acquire: 'repeat',
  renew: 'repeat',
  release: 'repeat',
  wantsBack: 'repeat',
  takeSpare: 'repeat',
  keepSpare: 'repeat',
  dropSpare: 'repeat',
  warmSpares: 'repeat',
})

/** A session's object, as it is asked for its sandbox. */
export const leaseHolderClient = objectClient<LeaseHolder>({ sandboxUse: 'repeat', giveSandboxBack: 'repeat' })
