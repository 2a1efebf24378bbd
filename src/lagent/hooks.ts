import { ActionReturn } from './action-return.ts'
import { ActionStatusCode } from './codes.ts'
import type { ActionExecutor, Hook } from './executor.ts'
import { type AgentMessage, agentMessage, FunctionCall, isFunctionCall } from './message.ts'

/**
 * Preprocessor that takes the call from `formatted`, which is a {@link FunctionCall} or has one as `action`, where agents
 * put parsed text, and answers with text alone. A `name` or `parameters` beside `action` take the place of those in it.
 */
export class ActionPreprocessor implements Hook {
  /** Takes the call from a message. @throws TypeError when the message has no call there, or no content beside `action` */
  beforeAction(_executor: ActionExecutor, message: AgentMessage): AgentMessage {
    if (message.formatted instanceof FunctionCall) return agentMessage({ ...message, content: message.formatted })
    if (message.content === null || message.content === undefined) throw new TypeError('the message has no content')
    const formatted = asRecord(message.formatted)
    const call = isFunctionCall(formatted.action) ? formatted.action : null
    if (!call) throw new TypeError('the message has no `formatted.action` with `name` and `parameters`')
    const { name = call.name, parameters = call.parameters } = formatted
    return agentMessage({ ...message, content: { name, parameters } })
  }

  afterAction(_executor: ActionExecutor, message: AgentMessage): AgentMessage {
    const { content } = message
    if (!(content instanceof ActionReturn)) return message
    const succeeded = content.state === ActionStatusCode.SUCCESS
    return agentMessage({ ...message, content: succeeded ? content.formatResult() : content.errmsg })
  }
}

const PARSED_BY_INTERNLM = ['tool_type', 'thought', 'action', 'status']

/**
 * Preprocessor for the output of InternLM's parsers: `formatted` must have `tool_type`, `thought`, `action` and `status`,
 * and code that stands alone goes to the first action. Otherwise as {@link ActionPreprocessor}.
 */
export class InternLMActionProcessor extends ActionPreprocessor {
  readonly #codeParameter: string

  constructor({ codeParameter = 'command' }: { readonly codeParameter?: string } = {}) {
    super()
    this.#codeParameter = codeParameter
  }

  /** Takes the call from a message. @throws TypeError when `formatted` is not of InternLM's parsers */
  override beforeAction(executor: ActionExecutor, message: AgentMessage, sessionId = 0): AgentMessage {
    const formatted = asRecord(message.formatted)
    const missing = PARSED_BY_INTERNLM.filter((name) => !Object.hasOwn(formatted, name))
    if (missing.length > 0) throw new TypeError(`the message has no ${missing.join(', ')} in \`formatted\``)
    const [first] = executor.keys()
    if (typeof formatted.action !== 'string' || first === undefined) return super.beforeAction(executor, message)
    const parameters = {
      [this.#codeParameter]: formatted.action,
      ...(first === 'AsyncIPythonInterpreter' && { session_id: sessionId }),
    }
    const action = { name: first, parameters }
    return super.beforeAction(executor, { ...message, formatted: { ...formatted, action } })
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
