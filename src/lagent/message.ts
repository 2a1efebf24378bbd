import { AgentStatusCode } from './codes.ts'

/**
 * Call that a model requests: an action by its name, and the arguments as the model wrote them. A plain object of these
 * fields is one too.
 */
export class FunctionCall {
  readonly name: string
  readonly parameters: unknown

  constructor(name: string, parameters: unknown) {
    this.name = name
    this.parameters = parameters
  }
}

/** Message between agents and executors. The fields have Lagent's names and order. */
export interface AgentMessage {
  content: unknown
  sender: string
  formatted: unknown
  extra_info: unknown
  type: string | null
  receiver: string | null
  stream_state: AgentStatusCode
}

/** Message with defaults for absent fields. */
export const agentMessage = (fields: Partial<AgentMessage> & Pick<AgentMessage, 'content'>): AgentMessage => ({
  content: fields.content,
  sender: fields.sender ?? 'user',
  formatted: fields.formatted ?? null,
  extra_info: fields.extra_info ?? null,
  type: fields.type ?? null,
  receiver: fields.receiver ?? null,
  stream_state: fields.stream_state ?? AgentStatusCode.END,
})

export const isFunctionCall = (value: unknown): value is FunctionCall =>
  typeof value === 'object' &&
  value !== null &&
  'parameters' in value &&
  'name' in value &&
  typeof value.name === 'string'
