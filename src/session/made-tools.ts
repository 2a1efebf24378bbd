import { FailureError, fail } from '../core/failure.ts'
import { MAX_MADE_TOOL_CHARS, MAX_MADE_TOOLS } from '../core/limits/sessions.ts'
import { say, tool } from '../core/saying/saying.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { MadeFor, MadeTools } from '../ports/made-tools.ts'
import type { OwnParameter, OwnTool } from '../ports/own-tools.ts'
import type { Sql } from '../ports/sql.ts'
import { checkChain, failVersion, type Resolve, type Resolved } from '../registry/chain/check.ts'
import { type DryRun, dryRunChain } from '../registry/chain/dry-run.ts'
import { issuesText } from '../registry/chain/issues.ts'
import { ToolDefinition } from '../registry/definition.ts'
import { neededSecrets } from '../registry/needed-secrets.ts'
import { resolvedOf } from '../registry/resolved.ts'
import { isSchemaObject, type SchemaObject } from '../registry/schema-node.ts'
import type { Caller, TenantApi } from '../tenant/api.ts'
import type { Registry } from '../tools/registry.ts'
import type { CallOfRegistered } from './registered.ts'

interface Parts {
  readonly sql: Sql
  readonly registry: Pick<Registry, 'has' | 'info'>
  readonly tenant: Pick<TenantApi, 'findTool' | 'changeTools' | 'noteDenied'>
  /** Whether a client brought Python of that name to the session. */
  readonly hasOwnTool: (name: string) => boolean
}

/** Tools that calls of a session made for it alone, in its database; they go with it. */
export class SessionMadeTools {
  readonly #parts: Parts
  readonly #table: LazyTable
  /** Known apart, since each call of a registered tool asks whether there is one of that id, and seldom is. */
  readonly #ids: Set<string>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#table = new LazyTable(parts.sql, 'made_tools')
    this.#ids = new Set(this.#table.read<{ id: string }>('SELECT id FROM made_tools').map(({ id }) => id))
  }

  find(id: string): ToolDefinition | null {
    if (!this.#ids.has(id)) return null
    const [row] = this.#table.read<{ definition: string }>('SELECT definition FROM made_tools WHERE id = ?', id)
    return row ? ToolDefinition.parse(JSON.parse(row.definition)) : null
  }

  list(): ToolDefinition[] {
    return this.#table
      .read<{ definition: string }>('SELECT definition FROM made_tools ORDER BY seq')
      .map(({ definition }) => ToolDefinition.parse(JSON.parse(definition)))
  }

  /** As dialects show them that know Python of clients only. */
  asOwnTools(): OwnTool[] {
    return this.list().map(({ id, description, input_schema }) => ({
      name: id,
      description,
      parameters: parametersOf(input_schema),
      hidden: false,
    }))
  }

  /** @param by who calls */
  port(by: Caller, registered: Pick<CallOfRegistered, 'beginTest'>): MadeTools {
    return {
      list: () => this.list(),
      check: (definition, target) => this.#check(definition, target, by),
      plan: (definition, target, input) => this.#plan(definition, target, input),
      beginTest: (definition) => registered.beginTest(definition),
      keep: (definition, target) => this.#keep(definition, target, by),
      remove: (id) => {
        this.#table.read('DELETE FROM made_tools WHERE id = ?', id)
        return this.#ids.delete(id)
      },
    }
  }

  async #check(definition: ToolDefinition, target: MadeFor, by: Caller): Promise<void> {
    const { id } = definition
    const { registry, hasOwnTool, tenant } = this.#parts
    const why = whyNotAllowed(definition, target, by)
    if (why !== null) {
      await tenant.noteDenied({ key: by.key, agent: by.agent }, `tool_create ${id}`)
      fail('forbidden', why)
    }
    // As everywhere a tool of the tenant is taken for one of the server when only the case of its name differs.
    if (registry.has(id.toLowerCase()))
      fail('conflict', `${id} is the name of a tool of this server; choose another id`)
    const found = await tenant.findTool(id)
    if ('tool' in found) fail('conflict', `there is a tool ${id} already; give yours another id`)
    if (hasOwnTool(id)) fail('conflict', `the session has a tool ${id} of its own already; give yours another id`)
    if (target === 'session') this.#checkRoom(definition)
    await this.#checkChain(definition, target)
  }

  #checkRoom(definition: ToolDefinition): void {
    const { id } = definition
    if (this.find(id))
      fail(
        'conflict',
        say`the session made a tool ${id} already; ${tool('tool_delete')} removes it, or choose another id`,
      )
    const chars = JSON.stringify(definition).length
    if (chars > MAX_MADE_TOOL_CHARS) {
      fail(
        'limit_exceeded',
        `the tool has ${chars} characters as JSON; at most ${MAX_MADE_TOOL_CHARS} are taken (MAX_MADE_TOOL_CHARS)`,
      )
    }
    if (this.#ids.size >= MAX_MADE_TOOLS) {
      fail(
        'limit_exceeded',
        say`the session made ${this.#ids.size} tools already (MAX_MADE_TOOLS); remove some by ${tool('tool_delete')}`,
      )
    }
  }

  async #checkChain(definition: ToolDefinition, target: MadeFor): Promise<void> {
    const { id, executor, input_schema } = definition
    if (executor.kind !== 'chain') return
    const resolve = this.#resolverOf(definition, target)
    const { issues } = await checkChain(executor.chain, { name: id, inputSchema: input_schema }, resolve)
    if (issues.length > 0) fail('invalid_input', issuesText(issues))
  }

  async #plan(...[definition, target, input]: Parameters<MadeTools['plan']>): Promise<DryRun | null> {
    const { id, executor, input_schema } = definition
    if (executor.kind !== 'chain') return null
    const known = { name: id, inputSchema: input_schema, input }
    return dryRunChain(executor.chain, known, this.#resolverOf(definition, target))
  }

  #resolverOf(definition: ToolDefinition, target: MadeFor): Resolve {
    return (tool) => (tool === definition.id ? resolvedOf(definition) : this.#resolve(tool, target))
  }

  async #resolve(tool: string, target: MadeFor): Promise<Resolved | null> {
    if (tool === 'registered_call')
      fail('invalid_input', say`name the registered tool itself, not ${{ tool: 'registered_call' }}`)
    const { registry, tenant } = this.#parts
    const known = registry.info(tool)
    if (known) return { kind: 'tool', name: tool, inputSchema: known.inputSchema }
    const found = await tenant.findTool(tool)
    if ('tool' in found) return resolvedOf(found.tool.definition)
    const [id = tool] = tool.split('@', 1)
    const made = this.find(id)
    if (made && target === 'tenant')
      fail('not_found', `${id} is there in this session alone; make it with the scope "tenant" first`)
    if (made && id === tool) return resolvedOf(made)
    if (made || registry.info(id)) failVersion(id)
    // Of a version that is not there it says which there are.
    const hasOthers = id !== tool && 'tool' in (await tenant.findTool(id))
    if (hasOthers || found.failure.code !== 'not_found') throw new FailureError(found.failure)
    return null
  }

  async #keep(definition: ToolDefinition, target: MadeFor, by: Caller): Promise<{ readonly version?: number }> {
    const why = whyNotAllowed(definition, target, by)
    if (why !== null) fail('forbidden', why)
    if (target === 'tenant') return this.#register(definition, by)
    // Its test took a while.
    this.#checkRoom(definition)
    const { id } = definition
    this.#table.write('INSERT INTO made_tools (id, definition) VALUES (?, ?)', id, JSON.stringify(definition))
    this.#ids.add(id)
    return {}
  }

  async #register(definition: ToolDefinition, { key, agent }: Caller): Promise<{ readonly version?: number }> {
    const put = { op: 'put', definition, source: 'tool_create', expected: 0 } as const
    const answer = await this.#parts.tenant.changeTools([put], { key, agent })
    if ('failure' in answer) throw new FailureError(answer.failure)
    const version = answer.changed[0]?.version
    return typeof version === 'number' ? { version } : {}
  }
}

function parametersOf({ properties, required }: SchemaObject): OwnParameter[] {
  const needed = Array.isArray(required) ? required : []
  return Object.entries(isSchemaObject(properties) ? properties : {}).map(([name, given]) => {
    const { type, description } = isSchemaObject(given) ? given : {}
    return {
      name,
      type: typeof type === 'string' ? type : null,
      description: typeof description === 'string' ? description : '',
      optional: !needed.includes(name),
    }
  })
}

/** An agent that could name a secret and a server of its own would have the secret. */
function whyNotAllowed(definition: ToolDefinition, target: MadeFor, { mayAdmin }: Caller): string | null {
  if (mayAdmin) return null
  if (target === 'tenant') {
    return 'tools of the tenant are made by a key with the scope "admin"; make it for this session, or ask the owner'
  }
  const [secret] = neededSecrets(definition)
  return secret === undefined
    ? null
    : `the tool would have the secret ${secret}, which only a key with the scope "admin" may give to a tool; leave it out, or ask the owner to register the tool`
}
