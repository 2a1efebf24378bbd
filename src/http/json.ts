import { fail } from '../core/failure.ts'
import { MAX_BODY_BYTES } from '../core/limits.ts'

/**
 * The text of a body; `''` when there is none.
 * @throws FailureError `limit_exceeded` past MAX_BODY_BYTES
 */
export async function readBodyText(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > MAX_BODY_BYTES) {
    fail('limit_exceeded', `the body is larger than ${MAX_BODY_BYTES} bytes (MAX_BODY_BYTES); send it in parts`)
  }
  return new TextDecoder().decode(bytes)
}

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** `at`: where it stopped making sense, in characters from 0. */
  | { readonly ok: false; readonly at: number; readonly message: string }

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : 'unreadable'
    return { ok: false, at: Number(/position (\d+)/.exec(message)?.[1] ?? 0), message }
  }
}
