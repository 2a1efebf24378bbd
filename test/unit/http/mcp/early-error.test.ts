import { expect, it } from 'vitest'
import { withEarlyError } from '../../../../src/http/dialects/mcp/early-error.ts'

const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`
const LACKING = { jsonrpc: '2.0', id: 1, error: { code: -32021, message: 'sampling', data: {} } }

/** Stream of events, as the SDK answers a call. */
function stream() {
  const left: unknown[] = []
  let events: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      events = controller
    },
    cancel: (reason) => void left.push(reason),
  })
  const answer = new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  return {
    answer,
    left,
    send: (text: string) => events?.enqueue(new TextEncoder().encode(text)),
    end: () => events?.close(),
  }
}

it('a capability that the client lacks is answered 400, as JSON', async () => {
  const { answer, send, end } = stream()
  send(event(LACKING))
  end()
  const early = await withEarlyError(answer)
  expect(early.status).toBe(400)
  expect(early.headers.get('Content-Type')).toBe('application/json')
  expect(await early.json()).toEqual(LACKING)
})

it('any other event stays as it is, and so does what comes later', async () => {
  const result = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'code -32021' }] } }
  const first = stream()
  first.send(event(result))
  first.end()
  expect(await (await withEarlyError(first.answer)).text()).toBe(event(result))

  const late = stream()
  const answered = await withEarlyError(late.answer)
  expect(answered.status).toBe(200)
  late.send(': keepalive\n\n')
  late.send(event(LACKING))
  late.end()
  expect(await answered.text()).toBe(`: keepalive\n\n${event(LACKING)}`)
})

it('a client that leaves the stream leaves the call', async () => {
  const { answer, left } = stream()
  const answered = await withEarlyError(answer)
  await answered.body?.cancel('gone')
  expect(left).toEqual(['gone'])
})

it('an answer that is no stream is not looked at', async () => {
  const answer = Response.json(LACKING)
  expect(await withEarlyError(answer)).toBe(answer)
})
