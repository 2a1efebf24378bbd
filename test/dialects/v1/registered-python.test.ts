import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer } from '../toolserver/support.ts'

const server = aToolServer()

type Body = Readonly<Record<string, unknown>>

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const headers = { 'Content-Type': 'application/json', 'X-Internal-Secret': 'dev-secret-token' }
  const answer = await server.json(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return answer as { status: number; body: Body }
}

/** Registers Python as a tool. @returns its id */
async function registered(executor: object, fields: object = {}): Promise<string> {
  const id = `python ${crypto.randomUUID()}`
  const tool = {
    name: 'Python',
    description: '',
    input_schema: {},
    executor: { kind: 'python', ...executor },
    ...fields,
  }
  const answer = await send('PUT', `/v1/tools/registered/${encodeURIComponent(id)}`, tool)
  expect(answer).toMatchObject({ status: 201 })
  return id
}

const session = `python-${crypto.randomUUID()}`
beforeAll(async () => {
  expect((await send('POST', `/api/task/create?task_id=${session}&task_name=Python`)).status).toBe(200)
})

const call = async (tool: string, args: object = {}, context?: object) =>
  (await send('POST', `/v1/sessions/${session}/calls`, { tool, args, ...(context && { context }) })).body

const toolcore = async (tool_id: string, args: object, context?: object) =>
  send('POST', '/internal/tools/call', {
    tool_id,
    agent_id: 'agent:a',
    microdao_id: session,
    args,
    ...(context && { context }),
  })

describe('a registered tool that is Python', () => {
  it('is called with arguments and context, and stays warm', async () => {
    const source = `
count = 0
async def tell(city, context, days=1):
    global count
    count += 1
    print('looking')
    return {'city': city, 'days': days, 'who': context.get('who'), 'count': count}
`
    const id = await registered({ target: 'weather.now:tell', source })
    expect(await call(id, { city: 'Bern' }, { who: 'me' })).toMatchObject({
      state: 'done',
      data: { result: { city: 'Bern', days: 1, who: 'me', count: 1 }, stdout: 'looking\n' },
    })
    expect(await call(id, { city: 'Bern' })).toMatchObject({ data: { result: { count: 2 } } })
    expect(await toolcore(id, { city: 'Ulm' }, { who: 'x' })).toMatchObject({
      status: 200,
      body: { ok: true, result: { city: 'Ulm', who: 'x', count: 1, days: 1 }, error: null },
    })
  })

  it('has its time in the sandbox counted, also when it fails, is too slow or is cancelled', async () => {
    const source = `
import time
def f(seconds):
    open('begun', 'a').write(str(seconds))
    time.sleep(seconds)
    raise ValueError('é')
`
    const used = async (tool: string) => {
      const { body } = await send('GET', `/v1/usage?tool=${encodeURIComponent(tool)}`)
      return body.total as { calls: number; failed: number; sandbox_seconds: number; bytes_in: number }
    }
    const id = await registered({ target: 'tool:f', source }, { timeout: 3 })
    const began = performance.now()
    expect(await call(id, { seconds: 0.2 })).toMatchObject({ state: 'failed', error: { message: 'ValueError: é' } })
    const bareSeconds = (performance.now() - began) / 1_000 - 0.2
    expect(await call(id, { seconds: 60 })).toMatchObject({ state: 'failed', error: { code: 'timeout' } })
    const tookSeconds = (performance.now() - began) / 1_000
    await expect.poll(() => used(id)).toMatchObject({ calls: 2, failed: 2 })
    const { sandbox_seconds } = await used(id)
    // The deadline is kept from the moment that the call reaches the sandbox, its time is counted from where it begins there.
    expect(sandbox_seconds).toBeGreaterThan(3.2 - bareSeconds)
    expect(sandbox_seconds).toBeLessThan(tookSeconds)
    expect((await used(id)).bytes_in).toBe('{"seconds":0.2}{"seconds":60}'.length)

    const slow = await registered({ target: 'tool:f', source })
    const pending = call(slow, { seconds: 90 })
    await expect
      .poll(() => call('file_read', { file_path: 'begun' }))
      .toMatchObject({ text: expect.stringContaining('90') })
    const { body } = await send('GET', `/v1/sessions/${session}/calls?limit=50`)
    const running = (body.data as { call_id: string; state: string }[]).find(({ state }) => state === 'running')
    await send('POST', `/v1/sessions/${session}/calls/${running?.call_id}/cancel`)
    expect(await pending).toMatchObject({ error: { code: 'conflict' } })
    await expect.poll(() => used(slow)).toMatchObject({ calls: 1, failed: 1 })
    expect((await used(slow)).sandbox_seconds).toBeGreaterThan(0)
  })

  it('returns whole numbers of any size, as digits where JSON’s readers would take another one', async () => {
    const id = await registered({ target: 'tool:f', source: 'def f(n): return [2 ** n - 1, 2 ** n + 1]' })
    expect(await call(id, { n: 53 })).toMatchObject({ data: { result: [2 ** 53 - 1, '9007199254740993'] } })
  })

  it('has what it raises told apart from what is wrong with it', async () => {
    const source = 'def f(a):\n    if a == 1: raise ValueError("bad a")\n    while a == 2: pass\n    return [a]\n'
    const id = await registered({ target: 'tool:f', source })
    expect(await call(id, { a: 1 })).toMatchObject({
      state: 'failed',
      error: { code: 'upstream', message: 'ValueError: bad a' },
    })
    expect(await toolcore(id, { a: 1 })).toMatchObject({
      body: { ok: false, result: null, error: 'ValueError: bad a' },
    })
    const hasty = await registered({ target: 'tool:f', source }, { timeout: 1 })
    expect(await call(hasty, { a: 2 })).toMatchObject({ error: { code: 'timeout', message: 'Timeout after 1s' } })
    expect(await toolcore(id, { a: 3 })).toMatchObject({ body: { ok: true, result: { result: [3] } } })
    const absent = await registered({ target: 'tool:g', source })
    expect(await call(absent)).toMatchObject({
      error: { message: "AttributeError: module 'tool' has no attribute 'g'" },
    })
    const nowhere = await registered({ target: 'somewhere.else:f', files: { 'tool.py': source } })
    expect(await call(nowhere)).toMatchObject({ error: { message: expect.stringContaining('in none of the files') } })
  })

  it('gets the secrets that it names, and none comes back', async () => {
    const kept = await send('PUT', '/v1/secrets/WEATHER_KEY', { value: 'sesame-open-42' })
    expect(kept.status).toBeLessThan(300)
    const source =
      'def f(context):\n    print(context["secrets"])\n    return {"key": context["secrets"]["WEATHER_KEY"], "size": len(context["secrets"]["WEATHER_KEY"])}\n'
    const id = await registered({ target: 'tool:f', source, secrets: ['WEATHER_KEY'] })
    const answer = await call(id)
    expect(answer).toMatchObject({ data: { result: { key: '***', size: 14 } } })
    expect(JSON.stringify(answer)).not.toContain('sesame')
    const other = await registered({
      target: 'tool:f',
      source: 'def f(context): return context',
      secrets: ['NOT_KEPT'],
    })
    expect(await call(other)).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('NOT_KEPT') },
    })
    const none = await registered({ target: 'tool:f', source: 'def f(context): return context' })
    expect(await call(none)).toMatchObject({ data: { result: {} } })
  })

  it('may be several files', async () => {
    const files = {
      'pkg/__init__.py': 'from .words import LOUD',
      'pkg/words.py': 'LOUD = str.upper',
      'main.py': 'from pkg import LOUD\nclass Kit:\n    def shout(self, text): return {"text": LOUD(text)}\n',
    }
    const id = await registered({ target: 'main:Kit.shout', files })
    expect(await call(id, { text: 'ab' })).toMatchObject({ data: { result: { text: 'AB' } } })
  })
})
