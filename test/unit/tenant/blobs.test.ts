import { describe, expect, it } from 'vitest'
import { MAX_FORKED_DATABASE_BYTES } from '../../../src/core/limits/snapshots.ts'
import { BLOB_GRACE_MS, DELETE_BATCH_BLOBS } from '../../../src/core/limits/workspace.ts'
import { isWaiting, openTenant } from './open.ts'

describe('contents of a tenant', () => {
  it('are sent once, by whichever session comes first', async () => {
    const { tenant } = openTenant()
    expect(await tenant.blobs.retain('one', ['a', 'b'])).toEqual([])
    await tenant.blobs.stored(['a'])
    expect(await tenant.blobs.retain('two', ['b', 'a', 'c', 'a'])).toEqual(['a'])
    expect(await tenant.blobs.retain('two', [])).toEqual([])
  })

  it('stay as long as any session refers to them, and a day longer', async () => {
    const { tenant, time, store, alarm, ring } = openTenant()
    for (const node of ['one', 'two']) await tenant.blobs.retain(node, ['a'])
    await tenant.blobs.stored(['a'])
    await tenant.blobs.release('one', ['a'])
    expect(alarm.at).toBeNull()
    await tenant.blobs.release('two', ['a'])
    expect(alarm.at).toBe(time.now + BLOB_GRACE_MS)
    time.now += BLOB_GRACE_MS - 1
    await tenant.wake()
    expect(store.deleted).toEqual([])
    await ring()
    expect(store.deleted).toEqual(['a'])
    expect(await tenant.blobs.retain('three', ['a'])).toEqual([])
  })

  it('are not deleted when a session takes them up within the day', async () => {
    const { tenant, store, ring } = openTenant()
    await tenant.blobs.retain('one', ['a'])
    await tenant.blobs.stored(['a'])
    await tenant.blobs.release('one', 'all')
    expect(await tenant.blobs.retain('two', ['a'])).toEqual(['a'])
    await ring()
    expect(store.deleted).toEqual([])
  })

  it('wait the whole day again after each time they were taken up', async () => {
    const { tenant, time, store, ring } = openTenant()
    await tenant.blobs.retain('one', ['a'])
    await tenant.blobs.stored(['a'])
    await tenant.blobs.release('one', ['a'])
    time.now += BLOB_GRACE_MS - 1
    await tenant.blobs.retain('one', ['a'])
    await tenant.blobs.release('one', ['a'])
    const released = time.now
    await ring()
    expect(store.deleted).toEqual(['a'])
    expect(time.now).toBe(released + BLOB_GRACE_MS)
  })

  it('are shared with no further fork while forks leave the tenant too little room, and with others again after that', async () => {
    const { tenant, database, sql } = openTenant()
    await tenant.blobs.retain('origin', ['a', 'b'])
    await tenant.blobs.share('origin', 'fork-1', 'all')
    database.bytes = MAX_FORKED_DATABASE_BYTES + 1
    await expect(tenant.blobs.share('origin', 'fork-2', 'all')).rejects.toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('remove forks') },
    })
    expect(sql.all("SELECT pool FROM ref_pools WHERE node_id = 'fork-2'")).toEqual([])
    database.bytes = 0
    await tenant.blobs.share('origin', 'fork-2', 'all')
    expect(sql.all("SELECT pool FROM ref_pools WHERE node_id = 'fork-2'")).toHaveLength(1)
  })

  it('are all given up when a session ends, and no other session loses any', async () => {
    const { tenant, store, sql, ring } = openTenant()
    const many = Array.from({ length: 12_000 }, (_, n) => `blob-${n}`)
    await tenant.blobs.retain('one', many)
    await tenant.blobs.retain('two', ['blob-7'])
    await tenant.blobs.stored(many)
    await tenant.blobs.release('one', 'all')
    expect(sql.all('SELECT * FROM refs')).toHaveLength(1)
    await ring()
    expect(new Set(store.deleted)).toEqual(new Set(many.filter((hash) => hash !== 'blob-7')))
    expect(sql.all('SELECT hash FROM blobs')).toHaveLength(1)
  })

  it('stay as long as the owner of the server has them kept', async () => {
    const blobGraceMs = 30 * BLOB_GRACE_MS
    const { tenant, time, store, alarm, ring } = openTenant(null, undefined, { blobGraceMs })
    await tenant.blobs.retain('one', ['a'])
    await tenant.blobs.stored(['a'])
    await tenant.blobs.release('one', ['a'])
    expect(alarm.at).toBe(time.now + blobGraceMs)
    time.now += blobGraceMs - 1
    await tenant.wake()
    expect(store.deleted).toEqual([])
    await ring()
    expect(store.deleted).toEqual(['a'])
  })

  it('are deleted at most a thousand at a time', async () => {
    const { tenant, time, store } = openTenant()
    await tenant.blobs.retain(
      'one',
      Array.from({ length: DELETE_BATCH_BLOBS + 1 }, (_, n) => `${n}`),
    )
    await tenant.blobs.release('one', 'all')
    time.now += BLOB_GRACE_MS
    await tenant.wake()
    expect(store.deleted).toHaveLength(DELETE_BATCH_BLOBS)
    await tenant.wake()
    expect(store.deleted).toHaveLength(DELETE_BATCH_BLOBS + 1)
  })

  it('are deleted also when they arrive after the session has ended', async () => {
    const { tenant, store, ring } = openTenant()
    await tenant.blobs.retain('one', ['late', 'later'])
    await tenant.blobs.release('one', 'all')
    await tenant.blobs.stored(['late'])
    await ring()
    await tenant.blobs.stored(['later'])
    await ring()
    expect(store.deleted.sort()).toEqual(['late', 'later', 'later'])
  })

  it('are given up as often as one likes, also unknown ones', async () => {
    const { tenant, store, ring } = openTenant()
    await tenant.blobs.retain('one', ['a'])
    await tenant.blobs.release('one', ['a', 'unknown'])
    await tenant.blobs.release('one', ['a'])
    await tenant.blobs.release('nobody', 'all')
    await ring()
    expect(store.deleted).toEqual(['a'])
  })
})

describe('deleting while somebody wants the same content', () => {
  async function deleting() {
    const at = openTenant()
    const stopped = Promise.withResolvers<void>()
    at.store.before = () => stopped.promise
    await at.tenant.blobs.retain('one', ['a', 'b'])
    await at.tenant.blobs.stored(['a', 'b'])
    await at.tenant.blobs.release('one', ['a'])
    at.time.now += BLOB_GRACE_MS
    const sweep = at.tenant.wake()
    expect(await isWaiting(sweep)).toBe(true)
    return { ...at, stopped, sweep }
  }

  it('lets the newcomer wait for the delete, and then says that the content is not there', async () => {
    const { tenant, store, stopped, sweep } = await deleting()
    const retained = tenant.blobs.retain('two', ['a', 'b'])
    expect(await isWaiting(retained)).toBe(true)
    expect(store.deleted).toEqual([])
    stopped.resolve()
    expect(await retained).toEqual(['b'])
    expect(store.deleted).toEqual(['a'])
    await sweep
    await tenant.blobs.stored(['a'])
    expect(await tenant.blobs.retain('three', ['a'])).toEqual(['a'])
  })

  it('lets others pass', async () => {
    const { tenant, stopped, sweep } = await deleting()
    expect(await tenant.blobs.retain('two', ['b'])).toEqual(['b'])
    stopped.resolve()
    await sweep
  })

  it('deletes again before anything else when the store failed', async () => {
    const { tenant, store, stopped, sweep } = await deleting()
    const retained = tenant.blobs.retain('two', ['a'])
    const failures = Promise.allSettled([sweep, retained])
    stopped.reject(new Error('out of order'))
    for (const { status } of await failures) expect(status).toBe('rejected')
    store.before = () => undefined
    expect(await tenant.blobs.retain('two', ['a'])).toEqual([])
    expect(store.deleted).toEqual(['a'])
  })

  it('deletes again after a crash, before it answers who wants the content', async () => {
    const { reopen, store, alarm, ring } = await deleting() // and the first object is never heard of again
    const second = Promise.withResolvers<void>()
    store.before = () => second.promise
    const tenant = reopen()
    const retained = tenant.blobs.retain('two', ['a'])
    expect(await isWaiting(retained)).toBe(true)
    second.resolve()
    expect(await retained).toEqual([])
    expect(store.deleted).toEqual(['a'])
    await tenant.blobs.stored(['a'])
    alarm.at = 0
    await ring(tenant)
    expect(store.deleted).toEqual(['a'])
  })

  it('deletes again after a crash when nobody wants the content', async () => {
    const { reopen, store, ring, alarm } = await deleting()
    store.before = () => undefined
    alarm.at = 0
    await ring(reopen())
    expect(store.deleted).toEqual(['a'])
  })
})
