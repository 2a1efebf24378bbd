import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { MAX_CONNECTION_EVENT_CHARS, MAX_CONNECTION_EVENTS } from '../../../../src/core/limits/connections.ts'
import { EventLog } from '../../../../src/http/dialects/mcp/legacy/event-log.ts'

const answer = (id: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } })
const progress = (at: number): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', method: 'notifications/progress' },
  params: { progressToken: 1, progress: at },
})

async function after(log: EventLog, eventId: string): Promise<JSONRPCMessage[]> {
  const messages: JSONRPCMessage[] = []
  await log.replayEventsAfter(eventId, { send: async (_, message) => void messages.push(message) })
  return messages
}

/** Something before the first event, so that all of a stream are after it. */
const beforeAll = (stream: string) => `${stream}_1`

it('keeps an answer for a client that has an event of its stream', async () => {
  const log = new EventLog()
  const first = await log.storeEvent('a', progress(1))
  await log.storeEvent('b', progress(1))
  await log.storeEvent('a', answer(1))
  expect(await after(log, first)).toEqual([answer(1)])
})

it('keeps no answer that is the first of its stream: nobody can come back for it', async () => {
  const log = new EventLog()
  await log.storeEvent('a', answer(1))
  expect(await after(log, beforeAll('a'))).toEqual([])
})

it('keeps both answers of a batch', async () => {
  const log = new EventLog()
  const first = await log.storeEvent('a', progress(1))
  for (const id of [1, 2]) await log.storeEvent('a', answer(id))
  expect(await after(log, first)).toEqual([answer(1), answer(2)])
})

it('loses nothing for a message that is too long to be kept', async () => {
  const log = new EventLog()
  const first = await log.storeEvent('a', progress(1))
  await log.storeEvent('a', progress(2))
  await log.storeEvent('a', answer(1, 'x'.repeat(MAX_CONNECTION_EVENT_CHARS)))
  expect(await after(log, first)).toEqual([progress(2)])
})

it('keeps the last messages, and their length together', async () => {
  const log = new EventLog()
  for (let at = 0; at <= MAX_CONNECTION_EVENTS; at++) await log.storeEvent('a', progress(at))
  expect(await after(log, beforeAll('a'))).toHaveLength(MAX_CONNECTION_EVENTS)
  const half = 'x'.repeat(MAX_CONNECTION_EVENT_CHARS / 2)
  for (const id of [1, 2, 3]) await log.storeEvent('a', answer(id, half))
  expect(await after(log, beforeAll('a'))).toEqual([answer(3, half)])
})
