import { FailureError, failureWith, messageParts } from '../../core/failure.ts'
import { MAX_TOOL_ANSWER_BYTES, RETRY_BACKOFF_MS, TOOL_ATTEMPTS } from '../../core/limits/registry.ts'
import type { Result } from '../../core/outcome.ts'
import { type Saying, say } from '../../core/saying/saying.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { type HttpRequest, type HttpResponse, UnansweredError } from '../../ports/http.ts'
import type { Executor } from '../../registry/definition.ts'
import { type HttpRequestOf, isIdempotent } from '../../registry/http-request.ts'
import { anyValueOf, objectOf, refuseUnlessGood } from './answer-of.ts'
import { type Opened, openCredentials } from './credentials.ts'
import type { Execution, ExecutorPorts } from './execution.ts'
import { Mask } from './masked.ts'
import { requestOf } from './request-of.ts'
import { retryPause } from './retry-pause.ts'

type HttpExecutor = Extract<Executor, { kind: 'http' }>

/** Request plan of one call: what is sent, how often, and how the answer is read. */
interface Asking {
  readonly request: Omit<HttpRequest, 'timeoutMs'>
  readonly attempts: number
  readonly backoffMs: number
  readonly mask: Mask
  read(answer: HttpResponse): Result
}

/**
 * Calls the service of an HTTP tool, within the tool's time for all attempts together. Without `request` the call is made,
 * and fails, as in Toolcore, but for two things: the time is for the whole call, and a service that failed several times is
 * not called for a while.
 * Source: Toolcore, services/toolcore/executors, http_executor.
 * @throws FailureError the service's message, or why it could not be reached, without any secret
 */
export async function askService(
  executor: HttpExecutor,
  execution: Execution,
  ports: ExecutorPorts,
  signal: AbortSignal,
): Promise<Result> {
  const { definition } = execution
  const asking = executor.request
    ? await askingOf(executor.target, executor.request, execution, ports)
    : toolcoreAsking(executor.target, execution)
  const leave = ports.circuits.enter(definition.id, executor.target)
  let health: Parameters<typeof leave>[0] = 'unknown'
  try {
    const answer = await ask(asking, execution, ports, signal)
    health = answer.status >= 500 ? 'failed' : 'answered'
    refuseUnlessGood(answer, asking.mask, ports.clock.now())
    return asking.read(answer)
  } catch (thrown) {
    if (isOutage(thrown) && !signal.aborted && health === 'unknown') health = 'failed'
    const explained = withWayOut(thrown, asking.request.maxBytes)
    throw executor.request
      ? withDoubt(explained, executor.request.method)
      : inToolcoresWords(explained, executor.target)
  } finally {
    leave(health)
  }
}

function toolcoreAsking(target: string, { args, context }: Execution): Asking {
  return {
    request: {
      url: target,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ args, context }),
      maxBytes: MAX_TOOL_ANSWER_BYTES,
      maxRedirects: 0,
    },
    attempts: 1,
    backoffMs: 0,
    mask: new Mask([]),
    read: objectOf,
  }
}

async function askingOf(
  target: string,
  call: HttpRequestOf,
  { args }: Execution,
  { secrets }: ExecutorPorts,
): Promise<Asking> {
  const opened: Opened = await openCredentials(call.auth, secrets)
  return {
    request: { ...requestOf(target, call, args, opened), maxBytes: call.max_answer_bytes },
    attempts: call.retry?.attempts ?? (isIdempotent(call.method) ? TOOL_ATTEMPTS : 1),
    backoffMs: call.retry?.backoff_ms ?? RETRY_BACKOFF_MS,
    mask: opened.mask,
    read: (answer) => anyValueOf(answer, opened.mask),
  }
}

/** Tries until another attempt would not better the answer, or no time is left; each attempt has the remaining time. */
async function ask(
  asking: Asking,
  { definition: { timeout: seconds }, used, traceparent }: Execution,
  { http, clock }: ExecutorPorts,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const bytesIn = utf8Length(asking.request.body ?? '')
  const endsAt = clock.now() + seconds * 1_000
  const request = withTrace(asking.request, traceparent)
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = Math.max(1, endsAt - clock.now())
    const answer = await http
      .fetch({ ...request, timeoutMs }, signal)
      .catch((thrown: unknown) => ({ thrown: signal.aborted ? thrown : inSeconds(thrown, seconds) }))
    used({ bytesIn, bytesOut: 'thrown' in answer ? 0 : answer.body.length })
    const pause = retryPause(answer, { attempt, backoffMs: asking.backoffMs, now: clock.now() })
    if (pause === null || attempt >= asking.attempts || clock.now() + pause >= endsAt) {
      if ('thrown' in answer) throw answer.thrown
      return answer
    }
    await sleep(pause, signal)
  }
}

/** Request with the call's place in its trace, unless the tool's definition sends one of its own. */
function withTrace(request: Asking['request'], traceparent: string | undefined): Asking['request'] {
  const { headers = {} } = request
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')
  return traceparent === undefined || hasOwn ? request : { ...request, headers: { ...headers, traceparent } }
}

/** Timeout with the tool's whole time: the last attempt may have had only a part of it. */
const inSeconds = (thrown: unknown, seconds: number): unknown =>
  thrown instanceof FailureError && thrown.failure.code === 'timeout'
    ? sameKind(thrown, `Timeout after ${seconds}s`)
    : thrown

/** Failure of the same code with another message. */
function sameKind(thrown: FailureError, message: string): FailureError {
  const Kind = thrown instanceof UnansweredError ? UnansweredError : FailureError
  return new Kind({ ...thrown.failure, message }, { cause: thrown })
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Whether a failure is an outage of the service: neither the caller's fault nor ours. */
const isOutage = (thrown: unknown) =>
  thrown instanceof FailureError && (thrown.failure.code === 'timeout' || thrown.failure.code === 'upstream')

/** Failure of a too large answer, with advice. */
function withWayOut(thrown: unknown, maxBytes: number): unknown {
  if (!(thrown instanceof FailureError) || thrown.failure.code !== 'limit_exceeded') return thrown
  const limit = maxBytes === MAX_TOOL_ANSWER_BYTES ? 'MAX_TOOL_ANSWER_BYTES' : "the tool's max_answer_bytes"
  const explanation = say`${messageParts(thrown.failure)} (${limit}); ask for less at once, such as a page`
  return new FailureError(failureWith('limit_exceeded', explanation, thrown.failure.data), { cause: thrown })
}

/** Advice after a request that changes things, when nobody knows whether the service has acted on it. */
const IN_DOUBT = 'no answer came back, but the service may have acted on the call; look there before you repeat it'

/**
 * Failure of a request that may have been carried out, saying so: a caller that reads "cannot be reached" would send an
 * order twice.
 */
function withDoubt(thrown: unknown, method: string): unknown {
  if (!(thrown instanceof UnansweredError) || isIdempotent(method)) return thrown
  const { code, message } = thrown.failure
  const what = code === 'timeout' ? message : 'Connection failed'
  return new FailureError({ code, message: `${what}: ${IN_DOUBT}` }, { cause: thrown })
}

function inToolcoresWords(thrown: unknown, target: string): unknown {
  if (!(thrown instanceof FailureError)) return thrown
  const { code, message, data } = thrown.failure
  // Failures of an answer have Toolcore's words already.
  const isOfConnection = code === 'upstream' || code === 'forbidden'
  if (!isOfConnection || /^(?:HTTP|Unexpected error)/.test(message)) return thrown
  const why = whyUnconnected(thrown)
  return new FailureError(failureWith(code, say`Connection failed: ${target} (${why})`, data), { cause: thrown })
}

function whyUnconnected(thrown: FailureError): Saying | string {
  // Toolcore's client tells a refused connection from a broken one, and a Worker cannot.
  if (thrown instanceof UnansweredError) return IN_DOUBT
  return thrown.cause === undefined ? messageParts(thrown.failure) : 'All connection attempts failed'
}
