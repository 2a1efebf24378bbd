import { describe, expect, it } from 'vitest'
import { MAX_SNAPSHOT_CHANGES, MAX_SNAPSHOTS } from '../../../src/core/limits/snapshots.ts'
import { COMMIT_RETENTION_MS } from '../../../src/core/limits/workspace.ts'
import type { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { hashOf, type MemoryBlobs } from '../../support/blobs-memory.ts'
import { checkCounts } from './counts.ts'
import { mkdir, move, openWorkspace, remove, write } from './open.ts'

/** Everything that a moment has, with contents. */
async function state(workspace: SessionWorkspace, moment: string | number): Promise<Record<string, string>> {
  const files = workspace.filesAt(moment)
  const found: Record<string, string> = {}
  for (const entry of files.page('' as never, { depth: 100, limit: 100_000 })) {
    const { kind, path } = entry
    found[path] = kind === 'file' ? await new Response(await files.content(entry)).text() : kind
  }
  return found
}

const failing = (code: string, message: RegExp) =>
  expect.objectContaining({ failure: expect.objectContaining({ code, message: expect.stringMatching(message) }) })

const snapshot = (name: string, moment: string | number | null = null, replaces = false) => ({
  name,
  moment,
  replaces,
  author: 'call-x',
  at: 5,
})

/** Makes all of history expire. */
async function expireAll({ workspace, time }: Pick<ReturnType<typeof openWorkspace>, 'workspace' | 'time'>) {
  time.now += COMMIT_RETENTION_MS + 1
  while (workspace.expire());
  while (await workspace.flush());
}

describe('snapshots', () => {
  it('keeps the files of a snapshot when all of history has expired, and nothing beside', async () => {
    const opened = openWorkspace()
    const { workspace, sql, blobs } = opened
    await workspace.commit([write('a', 'a1'), write('b', 'b1'), mkdir('dir')])
    expect(workspace.snapshots.put(snapshot('first'))).toEqual({
      created: true,
      snapshot: { name: 'first', seq: 1, author: 'call-x', at: 5 },
      before: null,
    })
    await workspace.commit([write('a', 'a2'), write('new', 'n1')])
    await workspace.commit([write('a', 'a3'), remove('b')])
    workspace.snapshots.put(snapshot('second'))
    await workspace.commit([write('b', 'b2'), move('dir', 'other'), write('a', 'a4')])
    const before = [await state(workspace, 'first'), await state(workspace, 'second')]
    expect(before[0]).toEqual({ a: 'a1', b: 'b1', dir: 'directory' })
    await expireAll(opened)
    expect([await state(workspace, 'first'), await state(workspace, 'second')]).toEqual(before)
    expect(await state(workspace, 1)).toEqual(before[0])
    expect(() => workspace.filesAt(2)).toThrow(failing('not_found', /no longer kept/))
    expect(workspace.compare(1, 3).map(({ path }) => path)).toEqual(['a', 'b', 'new'])
    checkCounts(sql)
    // The content of the moment that nobody named is gone.
    expect(isStored(blobs, 'a2')).toBe(false)
    expect(isStored(blobs, 'a3')).toBe(true)
  })

  it('lets the contents of a removed snapshot go, and keeps those of the others', async () => {
    const opened = openWorkspace()
    const { workspace, sql, blobs } = opened
    for (const round of [1, 2, 3, 4]) {
      await workspace.commit([write('same', `s${round}`), write(`only-${round}`, `o${round}`)])
      if (round > 1) await workspace.commit([remove(`only-${round - 1}`)])
      workspace.snapshots.put(snapshot(`s${round}`))
    }
    await workspace.commit([write('same', 'now'), remove('only-4')])
    await expireAll(opened)
    const kept = await Promise.all(['s1', 's3', 's4'].map((name) => state(workspace, name)))
    expect(workspace.snapshots.remove('s2')).toEqual(expect.any(Number))
    expect(workspace.snapshots.remove('s2')).toBe(null)
    expect(() => workspace.filesAt('s2')).toThrow(failing('not_found', /no snapshot s2/))
    await expireAll(opened)
    expect(await Promise.all(['s1', 's3', 's4'].map((name) => state(workspace, name)))).toEqual(kept)
    expect([isStored(blobs, 's2'), isStored(blobs, 'o2'), isStored(blobs, 's3')]).toEqual([false, false, true])
    for (const name of ['s1', 's4', 's3']) workspace.snapshots.remove(name)
    await expireAll(opened)
    checkCounts(sql)
    expect(sql.all('SELECT * FROM workspace_changes')).toEqual([])
    expect(sql.all('SELECT * FROM workspace_moments')).toEqual([])
    expect(blobs.contents.size).toBe(1)
  })

  it('keeps a snapshot as it was when commits expire before what a removed later one needed has gone', async () => {
    const opened = openWorkspace()
    const { workspace, sql, time } = opened
    await workspace.commit([write('a', 'a1')])
    workspace.snapshots.put(snapshot('first'))
    await workspace.commit([write('b', 'b1')])
    workspace.snapshots.put(snapshot('second'))
    await workspace.commit([write('a', 'a2')])
    await expireAll(opened)
    workspace.snapshots.remove('second')
    await workspace.commit([write('a', 'a3')])
    time.now += COMMIT_RETENTION_MS + 1
    workspace.expire()
    expect(await state(workspace, 'first')).toEqual({ a: 'a1' })
    await expireAll(opened)
    expect(await state(workspace, 'first')).toEqual({ a: 'a1' })
    checkCounts(sql)
  })

  it('takes no place for files that came and went between a snapshot and now', async () => {
    const opened = openWorkspace()
    const { workspace, sql } = opened
    await workspace.commit([write('kept', '1')])
    workspace.snapshots.put(snapshot('start'))
    for (let round = 0; round < 12; round++) {
      const names = Array.from({ length: 1_000 }, (_, at) => `tmp-${round}-${at}`)
      await workspace.commit(names.map((name) => write(name, 'x')))
      await workspace.commit(names.map((name) => remove(name)))
      opened.time.now += COMMIT_RETENTION_MS + 1
      while (workspace.expire());
    }
    const [{ rows } = { rows: -1 }] = sql.all<{ rows: number }>('SELECT count(*) AS rows FROM workspace_changes')
    expect(rows).toBeLessThan(5_000)
    expect(await state(workspace, 'start')).toEqual({ kept: '1' })
    checkCounts(sql)
  })

  it('answers the same again for the same name and commit, and takes a name to another commit only when asked', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', '1')])
    workspace.snapshots.put(snapshot('name'))
    expect(workspace.snapshots.put({ ...snapshot('name', 1), at: 9 })).toMatchObject({
      created: false,
      snapshot: { at: 5 },
    })
    await workspace.commit([write('a', '2')])
    expect(() => workspace.snapshots.put(snapshot('name'))).toThrow(
      failing('conflict', /commit 1 and not of 2.*"replace"/),
    )
    expect(workspace.snapshots.put(snapshot('name', null, true))).toMatchObject({ created: true, snapshot: { seq: 2 } })
    expect(workspace.snapshots.put(snapshot('copy', 'name'))).toMatchObject({ snapshot: { seq: 2 } })
    expect(workspace.snapshots.list({ limit: 9 }).map(({ name }) => name)).toEqual(['copy', 'name'])
    expect(workspace.snapshots.list({ limit: 9, after: 'copy' }).map(({ name }) => name)).toEqual(['name'])
  })

  it('refuses names that could be numbers or paths, moments that are not kept, and too many', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit([write('a', '1')])
    for (const name of ['1', '', 'a/b', 'a b', '-a', '\u00e9', 'a'.repeat(65)])
      expect(() => workspace.snapshots.put(snapshot(name))).toThrow(
        failing('invalid_input', /is no name of a snapshot/),
      )
    expect(() => workspace.snapshots.put(snapshot('a', 7))).toThrow(failing('not_found', /no commit 7/))
    expect(() => workspace.snapshots.put(snapshot('a', 'none'))).toThrow(failing('not_found', /no snapshot none/))
    for (let at = 0; at < MAX_SNAPSHOTS; at++) workspace.snapshots.put(snapshot(`s${at}`))
    expect(() => workspace.snapshots.put(snapshot('more'))).toThrow(failing('limit_exceeded', /MAX_SNAPSHOTS/))
    workspace.snapshots.remove('s1')
    workspace.snapshots.put(snapshot('more'))
    workspace.snapshots.remove('s2')
    sql.all('UPDATE workspace_moments SET changes = ?', MAX_SNAPSHOT_CHANGES + 1)
    expect(() => workspace.snapshots.put(snapshot('again'))).toThrow(failing('limit_exceeded', /MAX_SNAPSHOT_CHANGES/))
  })

  it('costs the same in a large workspace as in a small one', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit(Array.from({ length: 5_000 }, (_, at) => write(`f${at}`, `${at}`)))
    const before = sql.all('SELECT total_changes() AS n')[0]?.n as number
    workspace.snapshots.put(snapshot('large'))
    expect((sql.all('SELECT total_changes() AS n')[0]?.n as number) - before).toBe(2)
  })
})

/** Whether the store has a content. */
const isStored = (blobs: MemoryBlobs, content: string) => blobs.contents.has(hashOf(content))
