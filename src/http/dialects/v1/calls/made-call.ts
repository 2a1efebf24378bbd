import { FailureError, fail, messageParts } from '../../../../core/failure.ts'
import type { SessionName } from '../../../../core/ids.ts'
import type { Outcome, ToolCall } from '../../../../core/outcome.ts'
import { say } from '../../../../core/saying/saying.ts'
import { permits } from '../../../../registry/permitted.ts'
import type { SessionApi } from '../../../../session/api.ts'
import { alikeNames, didYouMean } from '../../../alike-names.ts'
import { isChangedName, ownName } from '../../../callable-tools/exported-name.ts'
import { callerOf, type Services } from '../../../dialect.ts'
import { parametersOf, type StrictCall, strictCall } from '../../../parameters/checked-call.ts'
import { nearestTools } from '../../../parameters/nearest-tool.ts'
import type { NewCall } from './call-schemas.ts'
import { informing } from './informing.ts'

/** A call that a client of /v1 makes in a session: checked, made, and its refusals worded. */
export class MadeCall {
  readonly #services: Services
  readonly #session: SessionName
  readonly #input: NewCall
  readonly #place: number | null
  readonly #checked: StrictCall

  /**
   * @param place of the call in its batch
   * @throws FailureError `invalid_input` for an unknown parameter of one of the server's tools
   */
  constructor(services: Services, session: SessionName, input: NewCall, place: number | null = null) {
    this.#place = place
    this.#services = services
    this.#session = session
    this.#input = input
    this.#checked = strictCall(services, callOf(input, services))
  }

  /** Notes on what the call took instead of what was sent. */
  get notes(): readonly string[] {
    return this.#checked.notes
  }

  /** Makes the call, and waits for its end. */
  async make(): Promise<Outcome> {
    const { call, by, api } = this.#request()
    return this.answered(await api.call(call, by))
  }

  /**
   * Begins the call, which goes on without this request.
   * @returns its id
   * @throws FailureError why it was refused
   */
  async begin(): Promise<string> {
    const { call, by, api } = this.#request()
    const begun = await api.begin(call, by)
    if ('callId' in begun) return begun.callId
    const outcome = await this.answered(begun.refused)
    throw 'failure' in outcome ? new FailureError(outcome.failure) : new Error('a call that was refused has a failure')
  }

  /** The outcome for the answer. @throws FailureError where an unknown tool may be a mistyped one */
  async answered(outcome: Outcome): Promise<Outcome> {
    const { tool } = this.#checked.call
    const whole = this.#checked.answer(outcome)
    if (whole.kind === 'refused') await this.#adviseOn(whole)
    const isOurs = this.#services.tools.some(({ name }) => name === tool)
    return isOurs ? informing(whole, this.#checked.call, this.#session) : whole
  }

  #request() {
    const api: SessionApi = this.#services.session(this.#session)
    return {
      api,
      call: {
        ...this.#checked.call,
        wantsFiles: true as const,
        ...(this.#place !== null && { place: this.#place }),
      },
      by: callerOf(this.#services, this.#input.agent),
    }
  }

  async #adviseOn({ failure }: Extract<Outcome, { kind: 'refused' }>): Promise<void> {
    if (failure.code === 'not_found' && !parametersOf(this.#services).has(this.#input.tool)) {
      const nearest = await nearestNames(this.#input, this.#services)
      if (nearest.length > 0) fail('not_found', say`${messageParts(failure)}; ${didYouMean(nearest)}`)
    }
  }
}

/** The call with the tool's own name, where the caller has the one that it is exported by. */
export const withOwnName = (services: Services, input: NewCall): NewCall | Promise<NewCall> =>
  isChangedName(input.tool) && !parametersOf(services).has(input.tool)
    ? ownName(services, input.tool, input.agent ?? null).then((tool) => ({ ...input, tool }))
    : input

/** The call; a tool of the server comes first, so that no registered one is taken for it. */
function callOf({ tool, arguments: named, args: before, context }: NewCall, services: Services): ToolCall {
  if (named && before) fail('invalid_input', 'arguments and args are the same; send arguments alone')
  const args = named ?? before ?? {}
  return parametersOf(services).has(tool)
    ? { tool, args }
    : { tool: 'registered_call', args: { tool_id: tool, args, ...(context && { context }) } }
}

/** Names that an unknown tool may stand for: the server's, or those of registered tools that the agent may call. */
async function nearestNames({ tool, agent }: NewCall, services: Services): Promise<string[]> {
  const nearest = nearestTools(tool, services)
  if (nearest.length > 0) return nearest
  const { tools } = await services.registeredTools()
  const open = tools.filter(
    ({ hidden, policy }) => !hidden && policy.enabled && permits(policy.allowed_agents, agent ?? null),
  )
  return alikeNames(
    tool,
    open.slice(0, MAX_COMPARED_TOOLS).map(({ id }) => id),
    LEAST_LIKENESS,
  )
}

/** Registered tools among which a nearest one is looked for: some milliseconds for a caller's own mistake. */
const MAX_COMPARED_TOOLS = 1_000
const LEAST_LIKENESS = 0.4
