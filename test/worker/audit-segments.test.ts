import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { tenantId } from '../../src/core/ids.ts'
import { AUDIT_SEGMENT_ENTRIES, MAX_AUDIT_ROWS } from '../../src/core/limits/audit.ts'
import { sha256 } from '../../src/core/sha256.ts'
import { migrateAll } from '../support/all-databases.ts'
import { failureOf } from '../support/failure-of.ts'
import { tenantOf } from '../support/tenant-of.ts'

const OWNER = { key: 'owner', agent: null }
const FULL = MAX_AUDIT_ROWS + 2 * AUDIT_SEGMENT_ENTRIES + 99

beforeAll(() => migrateAll(env.DB))

/** Rows of a log of so many entries, as JSON. */
function rows(count: number): string {
  const all: object[] = []
  let prev = '0'.repeat(64)
  for (let seq = 1; seq <= count; seq++) {
    const entry = JSON.stringify({
      seq,
      at: new Date().toISOString(),
      action: 'secret.put',
      detail: { ünïcode: seq },
      prev,
    })
    prev = sha256(entry)
    all.push({ seq, at: Date.now(), entry, hash: prev })
  }
  return JSON.stringify(all)
}

const seqs = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { seq?: number }).seq)

it('a long audit log goes from a tenant’s object into its own place in R2, is read from there, and goes with the tenant', async () => {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  const stub = env.TENANTS.getByName(tenant)
  const api = tenantOf(tenant)
  await api.secrets.list()
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec(
      `INSERT INTO audit (seq, at, entry, hash)
         SELECT value ->> 'seq', value ->> 'at', value ->> 'entry', value ->> 'hash' FROM json_each(?)`,
      rows(FULL),
    )
  })
  await api.audit.noteKey({ action: 'key.create', id: 'k', name: 'n', scopes: [] }, OWNER)
  const keys = async () => (await env.BLOBS.list({ prefix: `t/${tenant}/` })).objects.map(({ key }) => key)
  await runDurableObjectAlarm(stub)
  await expect.poll(keys).toEqual([1, AUDIT_SEGMENT_ENTRIES + 1].map((first) => keyOf(tenant, first)))
  await expect
    .poll(() => runInDurableObject(stub, (_, { storage }) => storage.sql.exec('SELECT count(*) AS n FROM audit').one()))
    .toEqual({ n: MAX_AUDIT_ROWS + 100 })
  await evictDurableObject(stub)

  const across = await api.audit.page({ after: 995, limit: 10 })
  expect(seqs(across.lines)).toEqual([996, 997, 998, 999, 1_000, 1_001, 1_002, 1_003, 1_004, 1_005])
  const [before, first] = (await api.audit.page({ after: 1_999, limit: 2 })).lines.map(
    (line) => JSON.parse(line) as { hash: string; prev: string },
  )
  expect(first?.prev).toBe(before?.hash)
  expect((await api.audit.head()).seq).toBe(FULL + 1)

  const other = keyOf(tenant, AUDIT_SEGMENT_ENTRIES + 1)
  const swapped = await (await env.BLOBS.get(other))?.arrayBuffer()
  await env.BLOBS.put(keyOf(tenant, 1), swapped ?? expect.unreachable())
  await env.BLOBS.delete(other)
  const { lines } = await api.audit.page({ after: 0, limit: 3 })
  expect(lines.map((line) => (JSON.parse(line) as { unreadable?: object }).unreadable)).toEqual([
    { first: 1, last: 1_000, why: 'changed' },
    { first: 1_001, last: 2_000, why: 'missing' },
    undefined,
  ])

  await stub.beginDeletion()
  const left = async () => {
    await runDurableObjectAlarm(stub)
    return keys()
  }
  await expect.poll(left).toEqual([])
  expect(await failureOf(api.audit.page({ after: 0, limit: 1 }))).toMatchObject({ code: 'unauthenticated' })
})

const keyOf = (tenant: string, first: number) => `t/${tenant}/audit/${String(first).padStart(16, '0')}.jsonl.gz`
