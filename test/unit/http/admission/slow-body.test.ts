import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import { BODY_GRACE_SECONDS, BODY_ROOM_BYTES, TENANT_BODY_ROOM_BYTES } from '../../../../src/core/limits/memory.ts'
import { MemoryRoom } from '../../../../src/core/memory-room.ts'
import { RequestScheduler } from '../../../../src/http/admission/scheduler.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import { lagent } from '../../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../../src/http/dialects/toolserver/routes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each(['/api/tool/execute', '/internal/tools/call', '/lagent/execute'])(
  'a body of which nothing comes is refused by %s in its own form, and its room is there again',
  async (path) => {
    const clock = { now: () => Date.now() }
    const limits = { bytes: BODY_ROOM_BYTES, ownBytes: TENANT_BODY_ROOM_BYTES, waiting: 8, waitMs: 60_000 }
    const bodyRoom = new MemoryRoom(limits, clock.now)
    const app = createApp({
      isLocal: false,
      scheduler: new RequestScheduler({ clock, slots: 8 }),
      bodyRoom,
      dialects: [toolserver, toolcore, lagent],
      authenticate: async () => ({
        principal: { tenant: tenantId('acme'), scopes: ['read', 'execute'], keyId: 'k1' },
      }),
      services: () => ({ tools: [] }) as unknown as Services,
      log: () => {},
    })
    const headers = { 'Content-Length': `${TENANT_BODY_ROOM_BYTES}`, 'Content-Type': 'application/json' }
    const body = new ReadableStream<Uint8Array>()
    const slow = new Request(`https://test${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    const answer = app.fetch(slow)
    await vi.advanceTimersByTimeAsync((BODY_GRACE_SECONDS - 1) * 1_000)
    const next = bodyRoom.take('acme', TENANT_BODY_ROOM_BYTES)
    await vi.advanceTimersByTimeAsync(2_000)
    const response = await answer
    expect(response.status).toBe(504)
    expect(JSON.stringify(await response.json())).toMatch(/came too slowly: .*LEAST_BODY_PACE.*smaller parts/)
    const giveBack = await next
    giveBack?.()
    expect(giveBack).not.toBeNull()
  },
)
