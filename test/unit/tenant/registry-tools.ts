import { ToolDefinition, type ToolPolicy } from '../../../src/registry/definition.ts'
import type { NewCall } from '../../../src/tenant/calls-api.ts'
import { answerOf } from '../../support/answer-of.ts'
import type { openTenant } from './open.ts'

type Tenant = ReturnType<typeof openTenant>['tenant']

/** Who sets things up. */
export const OWNER = { key: 'owner', agent: null }

/** Registers tools that nobody runs. */
export async function register(tenant: Tenant, ids: readonly string[], policy: Partial<ToolPolicy> = {}) {
  const changes = ids.map((id) => ({
    op: 'put' as const,
    definition: ToolDefinition.parse({
      id,
      name: id,
      description: 'Does something.',
      input_schema: {},
      executor: { kind: 'http', target: 'https://tools.example/run' },
    }),
    policy: { enabled: true, allowed_agents: null, ...policy },
  }))
  await tenant.tools.change(changes, OWNER)
}

/** One session that begins calls and ends them. */
export class Caller {
  readonly #tenant: Tenant
  readonly node: string
  #number = 0

  constructor(tenant: Tenant, node = crypto.randomUUID()) {
    this.#tenant = tenant
    this.node = node
  }

  /** @returns how to end it, or why it may not begin */
  async begin(reference: string, { agent = 'sofia', key = 'k1' }: { agent?: string | null; key?: string | null } = {}) {
    const call: NewCall = { callId: crypto.randomUUID(), reference, session: `s-${this.node}`, key, agent }
    const answer = await answerOf(this.#tenant.calls.begin(call))
    if ('failure' in answer) return answer
    const { tool } = answer
    if (!tool) throw new Error('no tool of the session was asked for')
    const end = (how: Partial<Parameters<Tenant['calls']['end']>[1][number]> = {}) => ({
      ...call,
      number: ++this.#number,
      tool: tool.definition.id,
      version: tool.version,
      startedAt: 1_000_000,
      ms: 10,
      failure: null,
      bytesIn: 1,
      bytesOut: 2,
      sandboxMs: 0,
      ...how,
    })
    return { end: async (how = {}) => this.#tenant.calls.end(this.node, [end(how)]), ended: end }
  }
}

/** How many of these may begin, one after another. */
export async function admitted(times: number, begin: () => Promise<object>): Promise<number> {
  let count = 0
  for (let time = 0; time < times; time++) if (!('failure' in (await begin()))) count++
  return count
}
