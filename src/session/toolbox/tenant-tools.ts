import type { Result } from '../../core/outcome.ts'
import type { PutAnswer, Trial } from '../../ports/toolbox.ts'
import type { ToolDefinition } from '../../registry/definition.ts'
import type { Caller } from '../../tenant/api.ts'
import type { ToolsApi } from '../../tenant/tools-api.ts'
import { execute } from '../../tools/registered/execute.ts'
import type { ExecutorPorts } from '../../tools/registered/execution.ts'
import type { Drafts } from './drafts.ts'
import type { SourceCall, ToolSource } from './source.ts'

interface Parts {
  readonly tenant: { readonly tools: Pick<ToolsApi, 'change'> }
  readonly drafts: Drafts
}

/**
 * Tools that the tenant registered, imported from an API, or installed. They are in the tenant's object: dialects ask it for the
 * list, and {@link CountedCalls} finds one where it counts the call.
 */
export class TenantTools implements Pick<ToolSource<'tool', ToolDefinition>, 'name' | 'put' | 'call'> {
  readonly name = 'tenant'
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async put(definition: ToolDefinition, by: Caller, trial?: Trial): Promise<PutAnswer> {
    const { drafts } = this.#parts
    if (!trial) return this.#register(definition, by)
    await drafts.check(definition, 'tenant', by)
    await drafts.checkChain(definition, 'tenant')
    return trial.only === 'plan' ? { plan: await drafts.plan(definition, 'tenant', trial.input) } : {}
  }

  call({ tool, ...call }: SourceCall<'tool'>, ports: ExecutorPorts, signal: AbortSignal): Promise<Result> {
    // The cast is sound: the tenant stores only definitions with executors of ours.
    return execute({ ...call, definition: tool.definition as ToolDefinition }, ports, signal)
  }

  async #register(definition: ToolDefinition, by: Caller): Promise<PutAnswer> {
    const { tenant, drafts } = this.#parts
    drafts.requireRight(definition, 'tenant', by)
    const put = { op: 'put', definition, source: 'tool_create', expected: 0 } as const
    const [changed] = await tenant.tools.change([put], { key: by.key, agent: by.agent })
    const version = changed?.version
    return typeof version === 'number' ? { version } : {}
  }
}
