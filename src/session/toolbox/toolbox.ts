import { fail, toFailure } from '../../core/failure.ts'
import { once } from '../../core/once.ts'
import type { Pending, Result } from '../../core/outcome.ts'
import type { BroughtTool, NewTools, SchemaTool, Toolbox, ToolboxCall, ToolOf, Trial } from '../../ports/toolbox.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { ToolDefinition } from '../../registry/definition.ts'
import type { Caller, TenantApi } from '../../tenant/api.ts'
import type { Amounts, ExecutorPorts } from '../../tools/registered/execution.ts'
import { checkArguments, checkResult } from '../../tools/registered/fitting.ts'
import type { Registry } from '../../tools/registry.ts'
import { mayCall, refuseTool, whyNotMake } from '../allowed-tools.ts'
import type { BegunCall } from '../begun/begun-call.ts'
import type { CallAccount } from '../call-account.ts'
import type { FileFamily } from '../calls/file-family.ts'
import { BuiltInTools } from './built-in.ts'
import { CountedCalls, type OuterAccount } from './counted-calls.ts'
import { Drafts } from './drafts.ts'
import type { AnyToolSource, SourceCall, ToolSource } from './source.ts'
import { type SourceParts, toolSources } from './sources.ts'
import { TenantTools } from './tenant-tools.ts'

type Parts = ConstructorParameters<typeof CountedCalls>[0] &
  ConstructorParameters<typeof BuiltInTools>[0] &
  Pick<SourceParts, 'sql'> & {
    readonly registry: Pick<Registry, 'has' | 'info'>
    readonly tenant: Pick<TenantApi, 'tools' | 'audit' | 'calls'>
    readonly sources?: typeof toolSources
  }

/** The call of the history that uses the toolbox. */
export interface ToolboxUser extends OuterAccount {
  readonly by: Caller
  readonly account: OuterAccount['account'] & Pick<CallAccount, 'madeCall'>
  readonly nesting: Nesting
  /** The call that goes on without its caller, whose client may follow what its steps print; null or left out for any other. */
  readonly begun?: BegunCall | null
  /** The call that names the files that its steps change; null or left out for any other. */
  readonly family?: FileFamily | null
  /** Ports of the executors, read when one of its tools runs, and not before. */
  readonly ports: Omit<ExecutorPorts, 'toolbox'>
}

/** A call that uses the toolbox, with the state shared by all the calls that it makes. */
interface User extends Omit<ToolboxUser, keyof OuterAccount> {
  readonly by: Caller
  readonly callId: string
  readonly account: ToolboxUser['account']
  readonly begin: ReturnType<CountedCalls['of']>
  /** A tool on trial, not stored yet; null without one. */
  readonly draft: ToolDefinition | null
}

/** Tools that calls of one session can name: the server's, the tenant's, and those of the session's sources. */
export class SessionToolbox {
  readonly #builtIn: BuiltInTools
  readonly #tenant: TenantTools
  readonly #counted: CountedCalls
  readonly #sources: readonly AnyToolSource[]
  readonly #audit: Parts['tenant']['audit']

  constructor({ sources = toolSources, ...parts }: Parts) {
    const drafts = new Drafts({
      ...parts,
      isTaken: (name) => this.#isTaken(name),
      find: async (name) => (await this.#find('tool', name))?.definition ?? null,
    })
    this.#builtIn = new BuiltInTools(parts)
    this.#tenant = new TenantTools({ ...parts, drafts })
    this.#counted = new CountedCalls(parts)
    this.#audit = parts.tenant.audit
    this.#sources = sources({ ...parts, drafts })
  }

  /** Tools of the session's own sources, source by source. */
  async list(): Promise<readonly BroughtTool[]> {
    const listed: BroughtTool[] = []
    for (const source of this.#sources) listed.push(...((await source.list?.()) ?? []))
    return listed
  }

  /** The toolbox for one call of the history. */
  port(user: ToolboxUser): Toolbox {
    return this.#port({ ...user, begin: this.#counted.of(user), draft: null })
  }

  #port(user: User): Toolbox {
    return {
      nesting: user.nesting,
      list: () => this.list(),
      find: (kind, name) => this.#find(kind, name),
      put: async (source, tools, trial) => this.#put(source, tools, user.by, trial),
      remove: (source, name) => this.#sources.find((one) => one.name === source)?.remove?.(name) ?? false,
      call: (call, nesting, signal) => this.#call(call, user, nesting, signal),
    }
  }

  #put(source: keyof NewTools, tools: NewTools[keyof NewTools], by: Caller, trial: Trial | undefined) {
    const why = whyNotMake(by)
    if (why !== null) fail('forbidden', why)
    const taking = [this.#tenant, ...this.#sources].find(({ name }) => name === source)
    // The cast is sound: a source takes the type under its name in NewTools.
    return taking?.put?.(tools as never, by, trial) ?? fail('internal', `no source ${source} takes tools`)
  }

  async #find<Kind extends BroughtTool['kind']>(kind: Kind, name: string): Promise<ToolOf<Kind> | null> {
    return (await this.#findIn(kind, name))?.tool ?? null
  }

  /** Finds a tool and its source: the first source of that kind that has it. */
  async #findIn<Kind extends BroughtTool['kind']>(kind: Kind, name: string): Promise<Found<Kind> | null> {
    for (const source of this.#sources) {
      if (source.kind !== kind) continue
      const found = source.find(name)
      // A source that answers at once costs no wait.
      const tool = found instanceof Promise ? await found : found
      // The casts are sound: a source has tools of its kind.
      if (tool) return { source: source as unknown as ToolSource<Kind>, tool: tool as ToolOf<Kind> }
    }
    return null
  }

  /** Whether calls by that name would reach a tool from a source other than `session`. */
  async #isTaken(name: string): Promise<boolean> {
    if (await this.#findIn('function', name)) return true
    const found = await this.#findIn('tool', name)
    return found !== null && found.source.name !== 'session'
  }

  async #call(
    { kind, isSilent, hasFiles, ...call }: ToolboxCall,
    user: User,
    nesting: Nesting,
    signal: AbortSignal,
  ): Promise<Result | Pending> {
    const { tool, args } = call
    if (kind === 'built-in' || (!kind && this.#builtIn.has(tool)))
      return this.#builtIn.call({ tool, args }, user.by, {
        callId: user.callId,
        ...(hasFiles && { hasFiles }),
        nesting,
        signal,
        begun: isSilent ? null : (user.begun ?? null),
        family: user.family ?? null,
        charged: (cost) => user.account.madeCall(cost),
      })
    const [id = tool] = tool.split('@', 1)
    if (!mayCall(user.by, id)) await refuseTool(user.by, id, this.#audit)
    if (!kind || kind === 'tool')
      return this.#callCounted(call, isSilent ? { ...user, begun: null } : user, nesting, signal)
    const found = (await this.#findIn(kind, tool)) ?? fail('not_found', `Tool ${tool.slice(0, 100)} not found`)
    const made = { tool: found.tool, args: objectOf(args), context: {}, used: () => undefined, nesting }
    return found.source.call(made, this.#executorPorts(user), signal)
  }

  /** Makes a call of a `tool`, which counts from here to its end. */
  async #callCounted(call: ToolboxCall, user: User, nesting: Nesting, signal: AbortSignal): Promise<Result> {
    const { tool: reference, context = {} } = call
    const args = objectOf(call.args)
    const draft = call.draft ?? user.draft
    const why = draft && whyNotMake(user.by)
    if (why) fail('forbidden', why)
    const isNew = draft?.id === reference
    const own = isNew ? this.#drafted(draft) : await this.#findIn('tool', reference)
    const begun = await user.begin({ reference, own: own?.tool.definition ?? null, isNew })
    const outer = user.begun
    const live = outer && { live: outer.follower.print }
    const amounts = { bytesIn: 0, bytesOut: 0, sandboxMs: 0 }
    const used = ({ bytesIn = 0, bytesOut = 0, sandboxMs = 0 }: Partial<Amounts>) => {
      amounts.bytesIn += bytesIn
      amounts.bytesOut += bytesOut
      amounts.sandboxMs += sandboxMs
    }
    try {
      const { source, tool } = begun.registered ? this.#registered(begun.registered.definition) : (own ?? noTool())
      checkArguments(tool.definition, args)
      const ports = this.#executorPorts(draft === user.draft ? user : { ...user, draft })
      const result = await source.call({ tool, args, context, used, nesting, ...traced(begun), ...live }, ports, signal)
      checkResult(tool.definition, result)
      begun.end({ failure: null, ...amounts })
      return result
    } catch (thrown) {
      begun.end({ failure: toFailure(thrown).code, ...amounts })
      throw thrown
    }
  }

  #registered(definition: ToolDefinition): FoundTool {
    return { source: this.#tenant, tool: toolOf(this.#tenant.name, definition) }
  }

  /** The draft as a found tool, which runs as it would in its source: both sources that take drafts have executors of ours. */
  #drafted(definition: ToolDefinition): FoundTool {
    return { source: this.#tenant, tool: toolOf('draft', definition) }
  }

  #executorPorts(user: User): ExecutorPorts {
    const { ports } = user
    const toolbox = once(() => this.#port(user))
    return {
      circuits: ports.circuits,
      clock: ports.clock,
      http: ports.http,
      mcpServers: ports.mcpServers,
      secrets: ports.secrets,
      get python() {
        return ports.python
      },
      get toolbox() {
        return toolbox()
      },
    }
  }
}

interface Found<Kind extends BroughtTool['kind']> {
  readonly source: Pick<ToolSource<Kind>, 'name' | 'call'>
  readonly tool: ToolOf<Kind>
}
type FoundTool = Found<'tool'>

const toolOf = (source: string, definition: ToolDefinition): SchemaTool => ({
  kind: 'tool',
  source,
  name: definition.id,
  definition,
})

const traced = ({ traceparent }: { readonly traceparent: string | null }) => traceparent !== null && { traceparent }

function noTool(): never {
  throw new Error('a call was begun of a tool that nobody has')
}

/** Arguments as an object. @throws FailureError `invalid_input` */
function objectOf(args: unknown): SourceCall['args'] {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    fail('invalid_input', 'the input must be an object')
  // A cast, since a test for `object` leaves no index.
  return args as SourceCall['args']
}
