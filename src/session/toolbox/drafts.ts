import { type FailureCode, FailureError, fail, orNull } from '../../core/failure.ts'
import { say } from '../../core/saying/saying.ts'
import { checkChain, failVersion, type Resolve, type Resolved } from '../../registry/chain/check.ts'
import { type DryRun, dryRunChain } from '../../registry/chain/dry-run.ts'
import { issuesText } from '../../registry/chain/issues.ts'
import type { SourcedDefinition, ToolDefinition } from '../../registry/definition.ts'
import { neededSecrets } from '../../registry/needed-secrets.ts'
import { resolvedOf } from '../../registry/resolved.ts'
import type { Caller } from '../../tenant/api.ts'
import type { AuditApi } from '../../tenant/audit-api.ts'
import type { ToolsApi } from '../../tenant/tools-api.ts'
import type { Registry } from '../../tools/registry.ts'

/** Owner of a tool that a call makes. */
export type Owner = 'session' | 'tenant'

interface Parts {
  readonly registry: Pick<Registry, 'has' | 'info'>
  readonly tenant: {
    readonly tools: Pick<ToolsApi, 'find'>
    readonly audit: Pick<AuditApi, 'noteDenied'>
  }
  /** Whether a source other than `session` has a tool of that name, which calls would reach first. */
  readonly isTaken: (name: string) => Promise<boolean>
  /** The session's own tool of that name; null when there is none. */
  readonly find: (name: string) => Promise<SourcedDefinition | null>
}

/**
 * Checks definitions in calls of the session before they are stored. The caller's permissions are known here, and no argument
 * changes them.
 */
export class Drafts {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Checks a definition. @throws FailureError `forbidden`, which the tenant's audit log notes; `conflict` when the name is
   * taken
   */
  async check(definition: ToolDefinition, owner: Owner, by: Caller): Promise<void> {
    const { id, executor } = definition
    const { registry, isTaken, tenant } = this.#parts
    if (executor.kind === 'mcp')
      fail('invalid_input', `tools of MCP servers are registered with their server: ask the owner for that`)
    const why = whyNotAllowed(definition, owner, by)
    if (why !== null) {
      await tenant.audit.noteDenied({ key: by.key, agent: by.agent }, `tool_create ${id}`)
      fail('forbidden', why)
    }
    // Everywhere else, too, a tenant's tool is taken for one of the server when their names differ in case only.
    if (registry.has(id.toLowerCase()))
      fail('conflict', `${id} is the name of a tool of this server; choose another id`)
    const found = await orNull(tenant.tools.find(id), 'not_found')
    if (found) fail('conflict', `there is a tool ${id} already; give yours another id`)
    if (await isTaken(id)) fail('conflict', `the session has a tool ${id} of its own already; give yours another id`)
  }

  /** Checks the caller's right. @throws FailureError `forbidden` */
  requireRight(definition: ToolDefinition, owner: Owner, by: Caller): void {
    const why = whyNotAllowed(definition, owner, by)
    if (why !== null) fail('forbidden', why)
  }

  /** Checks a chain. @throws FailureError `invalid_input` for a chain with mistakes */
  async checkChain(definition: ToolDefinition, owner: Owner): Promise<void> {
    const { id, executor, input_schema } = definition
    if (executor.kind !== 'chain') return
    const resolve = this.#resolverOf(definition, owner)
    const { issues } = await checkChain(executor.chain, { name: id, inputSchema: input_schema }, resolve)
    if (issues.length > 0) fail('invalid_input', issuesText(issues))
  }

  /** Calls that a checked tool would make with that input; null for a tool that is no chain. */
  async plan(
    definition: ToolDefinition,
    owner: Owner,
    input: Readonly<Record<string, unknown>>,
  ): Promise<DryRun | null> {
    const { id, executor, input_schema } = definition
    if (executor.kind !== 'chain') return null
    const known = { name: id, inputSchema: input_schema, input }
    return dryRunChain(executor.chain, known, this.#resolverOf(definition, owner))
  }

  #resolverOf(definition: ToolDefinition, owner: Owner): Resolve {
    return (tool) => (tool === definition.id ? resolvedOf(definition) : this.#resolve(tool, owner))
  }

  async #resolve(tool: string, owner: Owner): Promise<Resolved | null> {
    if (tool === 'registered_call')
      fail('invalid_input', say`name the registered tool itself, not ${{ tool: 'registered_call' }}`)
    const { registry, tenant } = this.#parts
    const known = registry.info(tool)
    if (known) return { kind: 'tool', name: tool, inputSchema: known.inputSchema }
    let missing: FailureError
    try {
      return resolvedOf((await tenant.tools.find(tool)).definition)
    } catch (thrown) {
      if (!(thrown instanceof FailureError) || !IS_NONE.has(thrown.failure.code)) throw thrown
      missing = thrown
    }
    const [id = tool] = tool.split('@', 1)
    const own = await this.#parts.find(id)
    if (own && owner === 'tenant')
      fail('not_found', `${id} is there in this session alone; make it with the scope "tenant" first`)
    if (own && id === tool) return resolvedOf(own)
    if (own || registry.info(id)) failVersion(id)
    // The error for a missing version names the versions that exist.
    const hasOthers = id !== tool && (await orNull(tenant.tools.find(id), ...IS_NONE)) !== null
    if (hasOthers || missing.failure.code !== 'not_found') throw missing
    return null
  }
}

/** Failures of a reference that names no tool. */
const IS_NONE: ReadonlySet<FailureCode> = new Set(['not_found', 'invalid_input'])

/** Reason for refusing a definition: an agent that could name a secret and a server of its own would have the secret. */
function whyNotAllowed(definition: ToolDefinition, owner: Owner, { mayAdmin }: Caller): string | null {
  if (mayAdmin) return null
  if (owner === 'tenant') {
    return 'tools of the tenant are made by a key with the scope "admin"; make it for this session, or ask the owner'
  }
  const [secret] = neededSecrets(definition)
  return secret === undefined
    ? null
    : `the tool would have the secret ${secret}, which only a key with the scope "admin" may give to a tool; leave it out, or ask the owner to register the tool`
}
