import type { CallAnswer, CallOptions } from '../calls.ts'
import type { ProblemCode } from '../errors.ts'
import type { Session } from '../session.ts'

/** Result of a call as a model gets it, before it has the form of a provider. */
export interface ToolResult {
  readonly text: string
  readonly images: readonly ToolImage[]
  /** Whether the tool could not do it, or was refused; `text` says why, and what to do. */
  readonly isError: boolean
}

/** Picture of a result: its type, such as `image/png`, and its bytes in base64. */
export interface ToolImage {
  readonly mediaType: string
  readonly data: string
}

/** Problems that a model can mend by another call, or by a later one. All others, such as a key that is not good, end its run. */
const MENDABLE: ReadonlySet<ProblemCode> = new Set([
  ...(['invalid_input', 'not_found', 'forbidden', 'conflict', 'limit_exceeded', 'rate_limited'] as const),
])

/**
 * Calls a tool for a model: a failure of the tool, and a refused call, are results that say so.
 * @param args arguments as the provider gives them: an object, or its JSON
 * @throws ApiError for what no other call mends, ConnectionError, or the reason of the signal
 */
export async function toolResult(
  session: Session,
  name: string,
  args: unknown,
  options?: CallOptions,
): Promise<ToolResult> {
  const given = argumentsOf(args)
  if (given === null) return failed('the arguments are no JSON object; send the call again with one')
  try {
    return resultOf(await session.calls.make(name, given, options))
  } catch (thrown) {
    const problem = problemOf(thrown)
    if (problem === null || !MENDABLE.has(problem.code)) throw thrown
    return failed(`${problem.detail} (${problem.hint})`)
  }
}

/**
 * Makes the calls of one message, in their order.
 * @param results results of the calls so far
 * @throws as `make` does; the error has the results so far: whoever goes on need not make those calls again
 */
export async function inOrder<Call>(
  calls: Iterable<Call>,
  results: () => readonly unknown[],
  make: (call: Call) => Promise<void>,
): Promise<void> {
  try {
    for (const call of calls) await make(call)
  } catch (thrown) {
    if (thrown instanceof Error) Object.assign(thrown, { results: results() })
    throw thrown
  }
}

function resultOf({ text = '', content = [], data, error, next }: CallAnswer): ToolResult {
  if (error) return failed(withNotes(error.message, error.data))
  const images = content.map(({ mimeType, data }) => ({ mediaType: mimeType, data }))
  const more = next ? `\nThe work goes on: call ${next.tool} with ${JSON.stringify(next.args)} to wait for it.` : ''
  return { text: withNotes(text, data) + more, images, isError: false }
}

const failed = (text: string): ToolResult => ({ text, images: [], isError: true })

/** A text with what the server says besides, such as that the sandbox is a new one. */
function withNotes(text: string, data: Readonly<Record<string, unknown>> = {}): string {
  const notes = Array.isArray(data.notes) ? data.notes.filter((note) => !text.includes(String(note))) : []
  return [text, ...notes].join('\n')
}

function argumentsOf(given: unknown): object | null {
  if (typeof given !== 'string') return isObject(given ?? {}) ? ((given ?? {}) as object) : null
  // Some models send nothing at all for a tool without arguments.
  if (given.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(given)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Problem of an error, by its form: the class is that of a module, of which a program may have two. */
function problemOf(thrown: unknown) {
  const { problem } = (thrown ?? {}) as { problem?: { code: ProblemCode; detail: string; hint: string } }
  return problem ?? null
}
