import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server'
import { MCP_FORM_STATE_MS } from '../../../../../core/limits/mcp.ts'
import type { ToolCall } from '../../../../../core/outcome.ts'
import { sha256 } from '../../../../../core/sha256.ts'
import type { McpContext } from '../../context.ts'

/** State of a call that waits for the answer to a form, which its client brings back with it. */
export interface CallState {
  readonly session: string
  readonly humanTask: string
  /** Digest of the call. */
  readonly call: string
}

/** Signs and checks states of calls for one caller: another key's, and one that was changed, is refused. */
export class CallStates {
  readonly #context: McpContext
  #made: Promise<RequestStateCodec<CallState>> | null = null

  constructor(context: McpContext) {
    this.#context = context
  }

  sign(state: CallState, request: ServerContext): Promise<string> {
    return this.#codec().then((codec) => codec.mint(state, request))
  }

  /** The state that a text is. @throws Error for any other text: the SDK answers -32602 */
  read(text: string, request: ServerContext): Promise<CallState> {
    return this.#codec().then((codec) => codec.verify(text, request))
  }

  #codec(): Promise<RequestStateCodec<CallState>> {
    this.#made ??= this.#make()
    return this.#made
  }

  async #make(): Promise<RequestStateCodec<CallState>> {
    const { stateKey, services } = this.#context
    if (!stateKey) throw new Error('this server signs no states: its owner has not set SECRETS_KEY')
    return createRequestStateCodec<CallState>({
      key: await stateKey(),
      ttlSeconds: MCP_FORM_STATE_MS / 1_000,
      bind: () => services.key ?? '',
    })
  }
}

/** Digest of a call, by which it is known again. */
export const digestOf = ({ tool, args }: ToolCall): string => sha256(JSON.stringify([tool, args]))
