import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_REFERENCE_POOLS } from '../../../src/core/limits/snapshots.ts'
import { openTenant } from './open.ts'

const TABLES = ['refs', 'ref_pools', 'ref_names', 'ref_releases']

/** A tenant, and what its sessions refer to by a simple account beside it. */
function accountedTenant() {
  const { tenant, sql } = openTenant()
  const sessions = new Map<string, Set<string>>()
  /** Removals by name: a session that is made anew has another node id. */
  const removals = new Map<string, number>()
  const idOf = (node: string) => `${node}-${removals.get(node) ?? 0}`
  const of = (node: string) => sessions.get(node) ?? new Set()
  const steps = {
    async retain(node: string, hashes: readonly string[]) {
      await tenant.blobs.retain(idOf(node), hashes)
      sessions.set(node, new Set([...of(node), ...hashes]))
    },
    async release(node: string, hashes: readonly string[]) {
      await tenant.blobs.release(idOf(node), hashes)
      sessions.set(node, new Set([...of(node)].filter((hash) => !hashes.includes(hash))))
    },
    async fork(from: string, to: string) {
      if (sessions.has(to)) await steps.remove(to)
      // Its answer was lost, and it came again.
      for (const _ of ['once', 'again']) await tenant.blobs.share(idOf(from), idOf(to), 'all')
      sessions.set(to, new Set(of(from)))
    },
    async copy(from: string, to: string, wanted: readonly string[]) {
      if (sessions.has(to)) await steps.remove(to)
      const hashes = wanted.filter((hash) => of(from).has(hash))
      await tenant.blobs.share(idOf(from), idOf(to), hashes)
      sessions.set(to, new Set(hashes))
      const missing = wanted.filter((hash) => !of(from).has(hash))
      if (missing.length > 0)
        await expect(tenant.blobs.share(idOf(from), idOf(to), missing)).rejects.toMatchObject({
          failure: { code: 'upstream' },
        })
    },
    async remove(node: string) {
      await tenant.blobs.release(idOf(node), 'all')
      removals.set(node, (removals.get(node) ?? 0) + 1)
      sessions.delete(node)
    },
  }
  const check = () => {
    const all = new Set([...sessions.values()].flatMap((hashes) => [...hashes]))
    const known = sql.all<{ hash: string }>('SELECT hash FROM blobs').map(({ hash }) => hash)
    const used = sql.all<{ hash: string }>('SELECT hash FROM blobs WHERE unreferenced_since IS NULL')
    const held = sql.all<{ hash: string }>('SELECT DISTINCT hash FROM refs')
    expect(new Set(used.map(({ hash }) => hash))).toEqual(all)
    expect(new Set(held.map(({ hash }) => hash))).toEqual(all)
    expect(known.length).toBeGreaterThanOrEqual(all.size)
  }
  const rows = () => TABLES.flatMap((table) => sql.all(`SELECT * FROM ${table}`))
  return { ...steps, check, rows, sql, tenant, nodes: () => [...sessions.keys()] }
}

const node = fc.constantFrom('a', 'b', 'c', 'd')
const hashes = fc.uniqueArray(fc.constantFrom(...Array.from({ length: 8 }, (_, at) => `h${at}`)), { minLength: 1 })
const step = fc.oneof(
  fc.record({ does: fc.constant('retain' as const), node, hashes }),
  fc.record({ does: fc.constant('release' as const), node, hashes }),
  fc.record({ does: fc.constant('fork' as const), node, to: node }),
  fc.record({ does: fc.constant('copy' as const), node, to: node, hashes }),
  fc.record({ does: fc.constant('remove' as const), node }),
)

it('a content stays exactly as long as a session refers to it, through forks, forks of those, and removals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const tenant = accountedTenant()
      for (const one of steps) {
        if (one.does === 'fork') {
          if (one.node !== one.to) await tenant.fork(one.node, one.to)
        } else if (one.does === 'copy') {
          if (one.node !== one.to) await tenant.copy(one.node, one.to, one.hashes)
        } else if (one.does === 'remove') await tenant.remove(one.node)
        else await tenant[one.does](one.node, one.hashes)
        tenant.check()
      }
      for (const left of tenant.nodes()) await tenant.remove(left)
      tenant.check()
      expect(tenant.rows()).toEqual([])
    }),
    { numRuns: 150 },
  )
})

it('a fork writes no row for a content, however many there are', async () => {
  const { retain, fork, rows, check } = accountedTenant()
  await retain(
    'origin',
    Array.from({ length: 1_000 }, (_, at) => `blob-${at}`),
  )
  const before = rows().length
  for (let at = 0; at < 20; at++) await fork('origin', `fork-${at}`)
  expect(rows().length - before).toBeLessThan(50)
  check()
})

it('a session that changes between very many forks takes part in a bounded number of pools, and loses nothing', async () => {
  const { retain, release, fork, check, sql, rows, remove, nodes } = accountedTenant()
  for (let at = 0; at < 3 * MAX_REFERENCE_POOLS; at++) {
    await retain('origin', [`new-${at}`])
    if (at % 5 === 4) await release('origin', [`new-${at - 2}`])
    await fork('origin', `fork-${at}`)
    if (at % 3 === 2) await remove(`fork-${at - 1}`)
    check()
  }
  const [most] = sql.all<{ pools: number }>(
    'SELECT max(pools) AS pools FROM (SELECT count(*) AS pools FROM ref_pools GROUP BY node_id)',
  )
  expect(most?.pools).toBeLessThanOrEqual(MAX_REFERENCE_POOLS)
  for (const left of nodes()) await remove(left)
  expect(rows()).toEqual([])
})
