import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { blobsR2 } from '../../src/adapters/blobs-r2.ts'
import { durableSql } from '../../src/adapters/sql-durable.ts'
import { tenantId } from '../../src/core/ids.ts'
import { COMMIT_RETENTION_MS, MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { workspacePath } from '../../src/core/workspace-path.ts'
import type { Change } from '../../src/ports/workspace.ts'
import { SessionWorkspace } from '../../src/workspace/workspace.ts'
import { pieces } from '../contract/blobs.ts'
import { openSessionTables } from '../support/tables.ts'
import { tenantOf } from '../support/tenant-of.ts'

const p = workspacePath
const write = (path: string, content: string | Uint8Array): Change => ({
  op: 'write',
  path: p(path),
  content: typeof content === 'string' ? new TextEncoder().encode(content) : content,
})

/** Runs `work` on a workspace in a real object's storage, over R2 and the tenant's own object. */
function inWorkspace(
  work: (at: {
    workspace: SessionWorkspace
    reopen: () => SessionWorkspace
    time: { now: number }
    keys: () => Promise<string[]>
  }) => Promise<void>,
): Promise<void> {
  const tenant = tenantId(`t-${crypto.randomUUID()}`)
  // Any object with SQLite will do; the tenant's own is another one.
  return runInDurableObject(env.TENANTS.getByName(`s-${crypto.randomUUID()}`), async (_, state) => {
    const sql = durableSql(state.storage)
    openSessionTables(sql)
    const time = { now: Date.now() }
    const blobs = blobsR2({ bucket: env.BLOBS, ledger: tenantOf(tenant).blobs, tenant, nodeId: 'node' })
    const reopen = () => new SessionWorkspace({ sql, blobs, clock: { now: () => time.now }, callId: () => 'call' })
    const keys = async () => (await env.BLOBS.list({ prefix: `t/${tenant}/` })).objects.map(({ key }) => key)
    await work({ workspace: reopen(), reopen, time, keys })
  })
}

const text = async (workspace: SessionWorkspace, path: string) => {
  const bytes = await workspace.read(p(path))
  return bytes && new TextDecoder().decode(bytes)
}

describe('a workspace in a Durable Object', () => {
  it('keeps small and large files, streams and odd names', () =>
    inWorkspace(async ({ workspace, keys }) => {
      const large = new Uint8Array(MAX_INLINE_BLOB_BYTES + 1).fill(7)
      const size = 10 * 1024 * 1024
      await workspace.commit([
        write('a/文件 %_.txt', 'small'),
        write('a/large', large),
        { op: 'write', path: p('a/stream'), content: { stream: pieces(size), size } },
        { op: 'link', path: p('l'), target: 'a/文件 %_.txt' },
        { op: 'mkdir', path: p('empty') },
      ])
      expect(await text(workspace, 'l')).toBe('small')
      expect(await workspace.read(p('a/large'))).toEqual(large)
      const opened = await workspace.open(p('a/stream'))
      expect((await new Response(opened?.body).arrayBuffer()).byteLength).toBe(size)
      expect(await keys()).toHaveLength(2)
      while (await workspace.flush());
      expect(await keys()).toHaveLength(3)
      expect([...workspace.entries()].map(({ path }) => path)).toEqual([
        'a',
        'a/large',
        'a/stream',
        'a/文件 %_.txt',
        'empty',
        'l',
      ])
    }))

  it('changes nothing when a commit fails, at whatever point', () =>
    inWorkspace(async ({ workspace }) => {
      await workspace.commit([write('a', '1')])
      const failing = async (...changes: Change[]) => await workspace.commit([write('a', '2'), ...changes])
      const size = 100_000
      const stream = (real: number, breaksAt?: number) =>
        ({ op: 'write', path: p('s'), content: { stream: pieces(real, breaksAt), size } }) as const
      await expect(failing(write('a/b', 'below a file'))).rejects.toThrow('a is a file')
      await expect(failing(stream(size - 1))).rejects.toThrow(`${size} bytes`)
      await expect(failing(stream(size, 50))).rejects.toThrow('[upstream]')
      expect(await text(workspace, 'a')).toBe('1')
      expect([...workspace.entries()]).toHaveLength(1)
      expect(workspace.headSeq()).toBe(1)
    }))

  it('goes back in time, and forgets in time', () =>
    inWorkspace(async ({ workspace, reopen, time, keys }) => {
      await workspace.commit([write('d/x', 'one'), write('d/y', new Uint8Array(100_000))])
      await workspace.commit([{ op: 'move', from: p('d'), to: p('e') }, write('e/x', 'two')])
      workspace.restore(1)
      expect(await text(workspace, 'd/x')).toBe('one')
      expect(workspace.compare(1, 2).map(({ path }) => path)).toEqual(['d', 'd/x', 'd/y', 'e', 'e/x', 'e/y'])
      expect([...workspace.entriesAsOf(2)].map(({ path }) => path)).toEqual(['e', 'e/x', 'e/y'])
      expect(workspace.changesSince(2)).toEqual(['d', 'd/x', 'd/y', 'e', 'e/x', 'e/y'])

      await workspace.commit([{ op: 'remove', path: p('d/y') }])
      while (await workspace.flush());
      time.now += COMMIT_RETENTION_MS + 1
      const later = reopen()
      expect(later.expire()).toBe(false)
      while (await later.flush());
      expect(later.commits({ limit: 5 })).toEqual({ commits: [] })
      expect(await text(later, 'd/x')).toBe('one')
      expect(later.needsFlush()).toBe(false)
      // In R2 they stay for a while yet: the tenant's object deletes them.
      expect(await keys()).toHaveLength(3)
      await later.destroy()
    }))

  it('handles 10,000 files', () =>
    inWorkspace(async ({ workspace }) => {
      await workspace.commit(Array.from({ length: 10_000 }, (_, n) => write(`big/${n % 50}/${n}.txt`, `${n}`)))
      expect(workspace.totals().entries).toBe(10_051)
      await workspace.commit([{ op: 'move', from: p('big'), to: p('moved') }])
      expect(workspace.list(p('moved/7'), {}).entries).toHaveLength(200)
      expect(workspace.list(p(''), { recursive: true, except: [p('moved/7')], limit: 20_000 }).entries).toHaveLength(
        9_851,
      )
      await workspace.commit([{ op: 'remove', path: p('moved') }])
      workspace.restore(1)
      expect(await text(workspace, 'big/0/9950.txt')).toBe('9950')
    }))

  it('shows its history by path, its differences by pages, and restores one directory, with links, modes and what stays', () =>
    inWorkspace(async ({ workspace }) => {
      await workspace.commit([write('d/a', '1'), write('e', '1'), { op: 'link', path: p('d/l'), target: 'a' }])
      await workspace.commit([write('d/a', '2'), { op: 'chmod', path: p('e'), mode: 0o755 }])
      await workspace.commit([
        { op: 'remove', path: p('d') },
        { op: 'mkdir', path: p('d/node_modules') },
        write('d-x', 'x'),
      ])
      const { history } = workspace
      expect(
        history.page({ path: p('d'), limit: 9, shown: 2 }).commits.map(({ seq, changed }) => [seq, changed]),
      ).toEqual([
        ...[
          [3, 3],
          [2, 1],
          [1, 3],
        ],
      ])
      expect(history.page({ path: p(''), limit: 1, before: 3, shown: 9 }).commits[0]?.changes).toEqual([
        { path: 'd/a', change: 'modified', kind: 'file', size: 1 },
        { path: 'e', change: 'modified', kind: 'file', size: 1 },
      ])
      const first = history.differences({ from: 1, to: 3, limit: 2 })
      expect([first.differences.map(({ path }) => path), first.more]).toEqual([['d-x', 'd/a'], true])
      const rest = history.differences({ from: 1, to: 3, limit: 9, after: 'd/a' })
      expect([rest.differences.map(({ path }) => path), rest.more]).toEqual([['d/l', 'd/node_modules', 'e'], false])
      const stays = (path: string) => path.endsWith('node_modules')
      expect(workspace.restore(1, { path: p('d'), stays, dryRun: true })).toMatchObject({ commit: 3, changed: 2 })
      expect(workspace.headSeq()).toBe(3)
      expect(workspace.restore(1, { path: p('d'), stays, shown: 9 })).toMatchObject({
        commit: 4,
        stayed: ['d/node_modules'],
      })
      expect([...workspace.entries()].map(({ path }) => path)).toEqual([
        'd',
        'd-x',
        'd/a',
        'd/l',
        'd/node_modules',
        'e',
      ])
      expect([await text(workspace, 'd/l'), workspace.stat(p('e'))?.mode]).toEqual(['1', 0o755])
      expect(await workspace.at(2).read(p('d/a'))).toEqual(new TextEncoder().encode('2'))
    }))
})
