import { isEventStream } from '../../event-stream.ts'

/** Error of a client that lacks a capability which a call needs: over HTTP its status is 400. */
const MISSING_CAPABILITY = -32021

/**
 * Answers with the status of an error that a call meets before it waits for anything, such as a capability that its client lacks. The SDK
 * begins the stream of a call, with 200, before the call is looked at.
 * @param answer a stream of events; its head goes out no later than without this
 */
export async function withEarlyError(answer: Response): Promise<Response> {
  if (answer.status !== 200 || !answer.body || !isEventStream(answer)) return answer
  const reader = answer.body.getReader()
  const first = reader.read()
  const early = await Promise.race([first, nextTurn()])
  const message = early?.value && errorIn(new TextDecoder().decode(early.value))
  if (message) {
    await reader.cancel()
    return new Response(message, { status: 400, headers: { 'Content-Type': 'application/json' } })
  }
  return new Response(rest(first, reader), answer)
}

/** Turn of the event loop: whatever waits for nothing is done by then. */
const nextTurn = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 0))

/** Message in a first event, if it is such an error; null for any other. */
function errorIn(event: string): string | null {
  const [, data] = /^event: message\ndata: (\{[^\n]*\})\n/.exec(event) ?? []
  if (!data?.includes(`${MISSING_CAPABILITY}`)) return null
  const { error } = JSON.parse(data) as { readonly error?: { readonly code?: unknown } } // the SDK's own JSON-RPC
  return error?.code === MISSING_CAPABILITY ? data : null
}

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>

/** The stream again, with what was read of it. Whoever leaves it leaves the first one too. */
function rest(first: Promise<Read>, reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  let next: Promise<Read> | null = first
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await (next ?? reader.read())
      next = null
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
