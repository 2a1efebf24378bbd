import { fail } from '../../core/failure.ts'
import { MAX_TOOL_ANSWER_BYTES } from '../../core/limits.ts'
import type { Executor } from '../../registry/definition.ts'
import type { Executed, Execution, ExecutorPorts } from './execution.ts'

type HttpExecutor = Extract<Executor, { kind: 'http' }>

/**
 * Asks the service of a tool with `{"args", "context"}`, as Toolcore does; an object in JSON is its result.
 * Source: Toolcore, services/toolcore/executors, http_executor.
 * @throws FailureError `upstream` for what is no 2xx, no JSON or no object, `timeout`, and as {@link Http.fetch}
 */
export async function askService(
  { target }: HttpExecutor,
  { definition, args, context }: Execution,
  { http }: ExecutorPorts,
  signal: AbortSignal,
): Promise<Executed> {
  const body = JSON.stringify({ args, context })
  const answer = await http.fetch(
    {
      url: target,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body,
      timeoutMs: definition.timeout * 1_000,
      maxBytes: MAX_TOOL_ANSWER_BYTES,
      maxRedirects: 0,
    },
    signal,
  )
  const text = new TextDecoder().decode(answer.body)
  if (answer.status < 200 || answer.status > 299) fail('upstream', `HTTP ${answer.status}: ${text}`)
  return {
    result: { text, data: { result: objectIn(text) } },
    bytesIn: body.length,
    bytesOut: answer.body.length,
    sandboxMs: 0,
  }
}

function objectIn(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    fail('upstream', 'the service answered with something that is not JSON')
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    fail('upstream', 'the service answered with JSON that is no object')
  }
  return value
}
