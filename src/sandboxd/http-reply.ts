import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Json, parseObject } from './json.ts'
import { MAX_CONTROL_BODY_BYTES } from './limits.ts'

/** A refusal in E2B's shape: the SDK reads `code` (the HTTP status again) and `message`. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

export function sendEmpty(response: ServerResponse): void {
  response.writeHead(204).end()
}

/** Sends an error. Anything unforeseen becomes an opaque 500: its text may name paths of the host. */
export function sendError(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) return void response.destroy()
  const status = thrown instanceof ApiError ? thrown.status : 500
  const message = thrown instanceof ApiError ? thrown.message : 'internal error'
  sendJson(response, status, { code: status, message })
}

/** Reads a JSON body. @throws ApiError 400, 413 */
export async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_CONTROL_BODY_BYTES) {
      request.resume()
      throw new ApiError(413, `the body is larger than ${MAX_CONTROL_BODY_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  const body = parseObject(size === 0 ? '{}' : Buffer.concat(chunks).toString('utf8'))
  if (body === null) throw new ApiError(400, 'the body must be a JSON object')
  return body
}
