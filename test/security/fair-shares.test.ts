import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { LONE_REQUEST_SLOTS } from '../../src/core/limits/admission.ts'
import { randomOf } from '../support/random.ts'
import { runningToolyard } from '../support/running-toolyard.ts'
import { newOwner } from '../support/tenants.ts'

const server = runningToolyard(async () => ({}))

/** A tenant of its own with the task `s` and a file in it. */
async function tenant() {
  const { key } = await newOwner(server())
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${server().url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const call = async (tool_name: string, params: object) => {
    const answer = await send('POST', '/api/tool/execute', { task_id: 's', tool_name, params })
    return (await answer.json()) as { readonly success: boolean; readonly error: string | null }
  }
  await send('POST', '/api/task/create?task_id=s&task_name=s')
  expect(await call('file_write', { file_path: 'a.txt', content: 'x' })).toMatchObject({ success: true })
  return { key, send, call, read: () => call('file_read', { file_path: 'a.txt' }) }
}
type Tenant = Awaited<ReturnType<typeof tenant>>

/** Sends requests that begin and do not go on until they are let go: a body that does not come. */
function openRequests(key: string, count: number) {
  const requests = Array.from({ length: count }, () => {
    const open = request(`${server().url}/api/tool/execute`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': 20 },
    })
    open.on('error', () => {})
    open.flushHeaders()
    return open
  })
  return () => {
    for (const open of requests) open.destroy()
  }
}

let over = false
afterEach(() => {
  over = true
})

/** Calls without a pause by so many callers, until the test ends. @returns how many were answered so far */
function flood({ call }: Tenant, callers: number, tool: string, params: object) {
  over = false
  let answered = 0
  const all = Promise.all(
    Array.from({ length: callers }, async () => {
      while (!over) {
        await call(tool, params)
        answered++
      }
    }),
  )
  return { answered: () => answered, all }
}

describe('while one tenant floods the server with 64 callers', () => {
  it.each([
    ['file_read', { file_path: 'a.txt' }],
    ['file_write', { file_path: 'b.txt', content: 'x' }],
  ] as const)('another one is answered after few of its %s, not after all of them', async (tool, params) => {
    const [flooding, calm] = [await tenant(), await tenant()]
    const { answered, all } = flood(flooding, 64, tool, params)
    await expect.poll(answered).toBeGreaterThan(64)
    // Counted and not timed, so that it is the same on a busy machine.
    const between: number[] = []
    for (let n = 0; n < 30; n++) {
      const before = answered()
      expect(await calm.read()).toMatchObject({ success: true })
      between.push(answered() - before)
    }
    over = true
    await all
    const median = between.toSorted((one, other) => one - other)[15]
    expect(median).toBeLessThan(32)
  })
})

describe('while one tenant searches by a pattern that leads to ever new states', () => {
  it('another one is answered again and again, long before the search ends', async () => {
    const [searching, calm] = [await tenant(), await tenant()]
    const draw = randomOf(58)
    const content = Array.from({ length: 15_000 }, () => (draw() < 0.5 ? 'a' : 'b')).join('')
    expect(await searching.call('file_write', { file_path: 'hostile.txt', content })).toMatchObject({ success: true })
    let isOver = false
    const search = searching.call('file_search', { search_text: '[ab]*a[ab]{900}c', regex: true }).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      expect(await calm.read()).toMatchObject({ success: true })
      answered++
    }
    expect(await search).toMatchObject({ success: true, data: { total_matches: 0 } })
    // Without pauses it is one or two.
    expect(answered).toBeGreaterThan(20)
  })
})

describe('a tenant with more open requests than it may have', () => {
  it('keeps nobody else from being served, and is served again when its clients have given up', async () => {
    const [flooding, calm] = [await tenant(), await tenant()]
    const abandon = openRequests(flooding.key, 4 * LONE_REQUEST_SLOTS)
    try {
      for (let n = 0; n < 5; n++) expect(await calm.read()).toMatchObject({ success: true })
      expect((await fetch(`${server().url}/health`)).status).toBe(200)
      const wrongKey = await fetch(`${server().url}/api/tools`, { headers: { 'X-API-Key': 'wrong' } })
      expect(wrongKey.status).toBe(401)
    } finally {
      abandon()
    }
    await expect.poll(async () => (await flooding.read()).success).toBe(true)
  })
})

describe('calls that wait', () => {
  it('keep neither their own tenant nor another one from reading files', async () => {
    const [waiting, calm] = [await tenant(), await tenant()]
    const answers: unknown[] = []
    const waits = Array.from({ length: 2 * LONE_REQUEST_SLOTS }, async () => {
      answers.push(await waiting.call('human_in_loop', { human_task: 'Say something.' }))
    })
    for (let n = 0; n < 10; n++) {
      expect(await waiting.read()).toMatchObject({ success: true })
      expect(await calm.read()).toMatchObject({ success: true })
    }
    expect(answers).toEqual([])
    // Who deletes the task ends them.
    expect((await waiting.send('DELETE', '/api/task/s')).status).toBe(200)
    await Promise.all(waits)
  })
})
