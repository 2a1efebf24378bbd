import { ActionReturn } from './action-return.ts'
import { ActionStatusCode } from './codes.ts'
import type { ActionExecutor, Hook } from './executor.ts'
import { type AgentMessage, agentMessage, isFunctionCall } from './message.ts'

/** Takes the call from `formatted.action`, where agents put what they parsed, and answers with text alone. */
export class ActionPreprocessor implements Hook {
  /** @throws TypeError when the message has no call there */
  beforeAction(_executor: ActionExecutor, message: AgentMessage): AgentMessage {
    const formatted = asRecord(message.formatted)
    const call = isFunctionCall(formatted.action) ? formatted.action : null
    if (!call) throw new TypeError('the message has no `formatted.action` with `name` and `parameters`')
    return agentMessage({ ...message, content: { name: call.name, parameters: call.parameters } })
  }

  afterAction(_executor: ActionExecutor, message: AgentMessage): AgentMessage {
    const { content } = message
    if (!(content instanceof ActionReturn)) return message
    const succeeded = content.state === ActionStatusCode.SUCCESS
    return agentMessage({ ...message, content: succeeded ? content.formatResult() : content.errmsg })
  }
}

/** As {@link ActionPreprocessor}, for what InternLM writes: code that stands alone goes to the first action. */
export class InternLMActionProcessor extends ActionPreprocessor {
  readonly #codeParameter: string

  constructor({ codeParameter = 'command' }: { readonly codeParameter?: string } = {}) {
    super()
    this.#codeParameter = codeParameter
  }

  override beforeAction(executor: ActionExecutor, message: AgentMessage): AgentMessage {
    const formatted = asRecord(message.formatted)
    const [first] = executor.keys()
    if (typeof formatted.action !== 'string' || first === undefined) return super.beforeAction(executor, message)
    const action = { name: first, parameters: { [this.#codeParameter]: formatted.action } }
    return super.beforeAction(executor, { ...message, formatted: { ...formatted, action } })
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
