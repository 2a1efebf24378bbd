import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { ANTHROPIC } from './anthropic.ts'
import { type Api, Refusal } from './conversation.ts'
import { GEMINI } from './gemini.ts'
import { CHAT } from './openai-chat.ts'
import { RESPONSES } from './openai-responses.ts'
import { nextTurn } from './script.ts'

const APIS: readonly Api[] = [ANTHROPIC, GEMINI, CHAT, RESPONSES]

/** Stand-in for the models of all providers, on loopback. */
export interface Models {
  /** Settings of the providers' packages that lead them here. */
  readonly env: Readonly<Record<string, string>>
  /** Requests so far: the path of each, and why it was refused. */
  readonly requests: readonly { readonly path: string; readonly refused: string | null }[]
  stop(): Promise<void>
}

/** Listens until its `stop`. Each request has its whole conversation, so several at once do not meet. */
export async function startModels(): Promise<Models> {
  const requests: { path: string; refused: string | null }[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { pathname } = new URL(incoming.url ?? '/', 'http://models')
    const { status, body, refused } = answer(pathname, incoming.headers, Buffer.concat(chunks).toString())
    requests.push({ path: pathname, refused })
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      ...{ OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', GEMINI_API_KEY: 'none' },
      ...{ OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url },
    },
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Answer {
  readonly status: number
  readonly body: object
  readonly refused: string | null
}

function answer(path: string, headers: IncomingHttpHeaders, text: string): Answer {
  const api = APIS.find((one) => one.path.test(path))
  if (!api) return { status: 404, body: { error: { message: `no model is at ${path}` } }, refused: 'unknown path' }
  if (!api.keys.some((name) => headers[name])) return { status: 401, body: api.refuse('no key'), refused: 'no key' }
  try {
    const json = JSON.parse(text) as { model?: string }
    return { status: 200, body: api.write(nextTurn(api.read(json)), json.model ?? 'model'), refused: null }
  } catch (thrown) {
    const refused = reasonOf(thrown)
    return { status: 400, body: api.refuse(refused), refused }
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Refusal) return thrown.message
  return thrown instanceof z.ZodError ? z.prettifyError(thrown) : String(thrown)
}
