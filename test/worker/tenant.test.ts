import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { blobDeleterR2, blobsR2 } from '../../src/adapters/blobs-r2.ts'
import { failureWith } from '../../src/core/failure.ts'
import { tenantId } from '../../src/core/ids.ts'
import { BLOB_GRACE_MS } from '../../src/core/limits/workspace.ts'
import { operator, say } from '../../src/core/saying/saying.ts'
import { sha256 } from '../../src/core/sha256.ts'
import { noLimit } from '../../src/core/slots.ts'
import { ToolDefinition } from '../../src/registry/definition.ts'
import { LimitSettings } from '../../src/registry/limit-settings.ts'
import { failureOf } from '../support/failure-of.ts'
import { tenantOf } from '../support/tenant-of.ts'

function openTenant() {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  const stub = env.TENANTS.getByName(tenant)
  const api = tenantOf(tenant)
  const forSession = (nodeId: string) => blobsR2({ bucket: env.BLOBS, ledger: api.blobs, tenant, nodeId })
  const keys = async () => (await env.BLOBS.list({ prefix: `t/${tenant}/` })).objects.map(({ key }) => key)
  /** As if everything had been given up a day earlier. */
  const waitOutGrace = () =>
    runInDurableObject(stub, (_, state) => {
      state.storage.sql.exec('UPDATE blobs SET unreferenced_since = unreferenced_since - ?', BLOB_GRACE_MS)
    })
  return { tenant, stub, api, forSession, keys, waitOutGrace }
}

async function blob(text: string) {
  const content = new TextEncoder().encode(text)
  return { hash: await sha256(content), content }
}

describe("a tenant's object", () => {
  it('lists its own sessions and no other tenant’s', async () => {
    const [one, two] = [openTenant(), openTenant()]
    const session = { name: 'täsk/1', nodeId: 'n', title: 'A task', createdAt: 5 }
    expect(await one.api.sessions.add(session)).toEqual({ version: 0, rules: [], prices: [], isBusy: false })
    await evictDurableObject(one.stub)
    expect(await one.api.sessions.list({ limit: 10 })).toEqual({ sessions: [session] })
    expect(await two.api.sessions.list({ limit: 10 })).toEqual({ sessions: [] })
    await one.api.sessions.remove(session.name)
    expect(await one.api.sessions.list({ limit: 10 })).toEqual({ sessions: [] })
  })

  it('tells its caller of a refusal with all that belongs to it: the words in their parts, and the data', async () => {
    const { api } = openTenant()
    const missing = failureWith(
      'not_found',
      say`there is no tool ${'none'}${operator('; GET /v1/tools/registered lists those there are')}`,
    )
    await expect((async () => await api.tools.versions('none', { limit: 1 }))()).rejects.toMatchObject({
      failure: missing,
    })
    const definition = ToolDefinition.parse({
      ...{ id: 't', name: 't', description: '', input_schema: {} },
      executor: { kind: 'http', target: 'http://10.0.0.1/' },
    })
    const by = { key: 'k', agent: null }
    await api.tools.change([{ op: 'put', definition }], by)
    await api.limits.put(LimitSettings.parse({ rules: [{ scope: 'tool', name: 't', concurrency: 1 }] }), by)
    const begin = (callId: string) => api.calls.begin({ callId, reference: 't', session: 's', ...by })
    expect(await begin('1')).toMatchObject({ tool: { version: 1 } })
    expect(await failureOf(begin('2'))).toMatchObject({
      code: 'rate_limited',
      data: { scope: 'tool', kind: 'concurrency' },
    })
  })

  it('keeps contents while a session has them, and deletes them a day after the last gave them up', async () => {
    const { tenant, stub, forSession, keys, waitOutGrace } = openTenant()
    const [shared, lone] = [await blob('shared'), await blob('lone')]
    await forSession('one').put([shared, lone])
    await forSession('two').put([shared])
    await forSession('one').releaseAll()
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect(await keys()).toHaveLength(2)

    await waitOutGrace()
    // Also when the object is made anew for the alarm, and nobody called it by its name.
    await evictDurableObject(stub)
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect(await keys()).toEqual([`t/${tenant}/blobs/${shared.hash}`])
    expect(await runDurableObjectAlarm(stub)).toBe(false)
  })

  it('never loses a content that is put again while it is deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const { stub, forSession, waitOutGrace } = openTenant()
      const some = await Promise.all(Array.from({ length: 5 }, (_, n) => blob(`${round} ${n}`)))
      await forSession('one').put(some)
      await forSession('one').releaseAll()
      await waitOutGrace()
      await Promise.all([runDurableObjectAlarm(stub), forSession('two').put(some), forSession('three').put(some)])
      for (const { hash } of some) expect(await forSession('two').get(hash)).not.toBeNull()
    }
  })

  it('ends a delete that a crash cut off before it lets anyone put the content again', async () => {
    const { stub, api, forSession, keys } = openTenant()
    const one = await blob('one')
    await forSession('one').put([one])
    await forSession('one').releaseAll()
    await runInDurableObject(stub, (_, state) => {
      state.storage.sql.exec("UPDATE blobs SET state = 'deleting'")
    })
    await evictDurableObject(stub)
    expect(await api.blobs.retain('two', [one.hash])).toEqual([])
    expect(await keys()).toEqual([])
    await forSession('two').put([one])
    expect(await keys()).toHaveLength(1)
  })

  it('keeps tenants apart: a hash that one has tells another nothing', async () => {
    const [one, two] = [openTenant(), openTenant()]
    const secret = await blob('secret')
    await one.forSession('n').put([secret])
    expect(await two.forSession('n').get(secret.hash)).toBeNull()
    expect(await two.api.blobs.retain('n', [secret.hash])).toEqual([])
    await two.forSession('n').releaseAll()
    expect(await one.forSession('n').get(secret.hash)).not.toBeNull()
  })
})

describe('uploads of unknown hash', () => {
  it('leave nothing behind under their passing name', async () => {
    const { tenant, forSession, keys } = openTenant()
    const size = 9 * 1024 * 1024
    const stream = () => new Blob([new Uint8Array(size)]).stream()
    const hash = await forSession('one').putStream(stream(), size)
    expect(await keys()).toEqual([`t/${tenant}/blobs/${hash}`])
    await expect((async () => await forSession('one').putStream(stream(), size + 1))()).rejects.toThrow()
    expect(await keys()).toEqual([`t/${tenant}/blobs/${hash}`])
  })

  it('are cleared away a day after a crash', async () => {
    const { tenant, keys } = openTenant()
    await env.BLOBS.put(`t/${tenant}/incoming/x`, 'left over')
    await blobDeleterR2(env.BLOBS, tenant, noLimit).deleteAbandoned(Date.now() + BLOB_GRACE_MS - 60_000)
    expect(await keys()).toHaveLength(1)
    await blobDeleterR2(env.BLOBS, tenant, noLimit).deleteAbandoned(Date.now() + BLOB_GRACE_MS + 60_000)
    expect(await keys()).toEqual([])
  })
})
