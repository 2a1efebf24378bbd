import { describe, expect, it } from 'vitest'
import {
  COMMIT_RETENTION_MS,
  MAX_COMMITS,
  MAX_KEPT_BYTES,
  MAX_KEPT_CHANGES,
} from '../../../src/core/limits/workspace.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import { foldTotals } from '../../../src/workspace/manifest.ts'
import { hashOf } from '../../support/blobs-memory.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'
import { largeContent, link, mkdir, move, openWorkspace, p, remove, text, tree, write } from './open.ts'

const notKept = expect.objectContaining({ failure: expect.objectContaining({ code: 'not_found' }) })

describe('history', () => {
  it('lists commits newest first, with the call that made each, page by page', async () => {
    const { workspace, time } = openWorkspace()
    await workspace.commit([write('a', '1'), write('b', '2')])
    time.now += 5
    await workspace.commit([remove('a')])
    await workspace.commit([write('c', '3')])
    const first = workspace.commits({ limit: 2 })
    expect(first).toEqual({
      commits: [
        { seq: 3, callId: 'call-3', at: 1_000_005, changed: 1 },
        { seq: 2, callId: 'call-2', at: 1_000_005, changed: 1 },
      ],
      next: 2,
    })
    expect(workspace.commits({ limit: 2, before: first.next ?? 0 })).toEqual({
      commits: [{ seq: 1, callId: 'call-1', at: 1_000_000, changed: 2 }],
    })
  })

  it('lists the commits of one author alone, below a path too', async () => {
    const { workspace } = openWorkspace()
    for (const at of [1, 2, 3]) await workspace.commit([write(at === 2 ? 'd/b' : 'a', String(at))])
    const by = (author: string, path = '') =>
      workspace.history.page({ author, path: p(path), limit: 9, shown: 9 }).commits.map(({ seq }) => seq)
    expect([by('call-2'), by('call-2', 'd'), by('call-2', 'a'), by('call-9')]).toEqual([[2], [2], [], []])
  })

  it('reads a file as of a commit, also one that was moved, replaced or removed since', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', 'first')])
    await workspace.commit([write('a', 'second'), write('other', 'x')])
    await workspace.commit([move('a', 'b')])
    await workspace.commit([remove('b'), mkdir('a')])
    const contentAt = async (path: string, seq: number) => {
      const entry = workspace.entryAsOf(p(path), seq)
      return entry?.kind === 'file'
        ? new TextDecoder().decode((await workspace.readBlob(entry.hash)) ?? undefined)
        : entry?.kind
    }
    expect(await Promise.all([0, 1, 2, 3, 4].map((seq) => contentAt('a', seq)))).toEqual([
      undefined,
      'first',
      'second',
      undefined,
      'directory',
    ])
    expect(await Promise.all([2, 3, 4].map((seq) => contentAt('b', seq)))).toEqual([undefined, 'second', undefined])
    expect(() => workspace.entryAsOf(p('a'), 5)).toThrow(notKept)
    expect(() => workspace.entryAsOf(p('a'), -1)).toThrow(notKept)
  })

  it('says what differs between two commits, in either direction', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('kept', '1'), write('changed', '2'), write('removed', '3'), write('back', '4')])
    await workspace.commit([write('changed', '5'), write('back', '6'), write('fleeting', '7')])
    await workspace.commit([remove('removed'), write('added', '8'), write('back', '4'), remove('fleeting')])
    const sides = (from: number, to: number) =>
      workspace.compare(from, to).map(({ path, before, after }) => [path, before !== null, after !== null])
    expect(sides(1, 3)).toEqual([
      ['added', false, true],
      ['changed', true, true],
      ['removed', true, false],
    ])
    expect(sides(3, 1)).toEqual([
      ['added', true, false],
      ['changed', true, true],
      ['removed', false, true],
    ])
    expect(sides(2, 2)).toEqual([])
    expect(workspace.compare(1, 2).find(({ path }) => path === 'changed')).toMatchObject({
      before: { kind: 'file', hash: hashOf('2') },
      after: { kind: 'file', hash: hashOf('5') },
    })
  })

  it('goes back to a commit as a new one, without copying a byte, and forward again', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([
      write('dir/a', '1'),
      write('dir/big', largeContent(100_000)),
      link('l', 'dir'),
      mkdir('empty'),
    ])
    const state = [...workspace.entries()]
    await workspace.commit([move('dir', 'elsewhere'), remove('empty'), remove('l'), write('dir', 'a file now')])
    const later = [...workspace.entries()]
    const calls = blobs.calls.length

    workspace.restore(1)
    expect([...workspace.entries()]).toEqual(state)
    expect(workspace.countDirectories()).toBe(2)
    expect(workspace.commits({ limit: 1 }).commits).toMatchObject([{ seq: 3, callId: 'call-3' }])
    expect(workspace.totals().bytes).toBe(100_001)
    workspace.restore(2)
    expect([...workspace.entries()]).toEqual(later)
    workspace.restore(0)
    expect(tree(workspace)).toEqual([])
    expect(workspace.totals()).toEqual({ entries: 0, bytes: 0 })
    expect(workspace.countDirectories()).toBe(0)
    workspace.restore(2)
    expect([...workspace.entries()]).toEqual(later)
    expect(blobs.calls.length).toBe(calls)
    expect(workspace.list(p('elsewhere'), {}).entries).toHaveLength(2)
  })

  it('makes no commit when it goes back to where it is', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', '1')])
    workspace.restore(1)
    expect(workspace.headSeq()).toBe(1)
    expect(() => workspace.restore(7)).toThrow(notKept)
  })

  it('gives every entry as of a commit', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(Array.from({ length: 1_200 }, (_, n) => write(`d/${n}`, `${n}`)))
    const state = [...workspace.entries()]
    await workspace.commit([move('d', 'e'), write('f', 'x')])
    await workspace.commit([remove('e')])
    expect([...workspace.entriesAsOf(1)]).toEqual(state)
    expect([...workspace.entriesAsOf(2)]).toHaveLength(1_202)
    expect([...workspace.entriesAsOf(3)].map(({ path }) => path)).toEqual(['f'])
    expect([...workspace.entriesAsOf(0)]).toEqual([])
    expect(() => workspace.entriesAsOf(4)).toThrow(notKept)
  })

  it('agrees with a plain record of every state, over many random changes', async () => {
    const { workspace } = openWorkspace()
    const states = [[...workspace.entries()]]
    let seed = 42
    const pick = <T>(choices: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return choices[seed % choices.length] as T // a list with something in it
    }
    const names = ['a', 'b', 'a/x', 'a/y', 'b/x', 'a/x/1', 'a-b', 'a0', 'a/x/2']
    for (let round = 0; round < 300; round++) {
      const changes = Array.from({ length: pick([1, 2, 3]) }, () =>
        pick([
          () => write(pick(names), pick(['1', '2', '3'])),
          () => mkdir(pick(names)),
          () => remove(pick(names)),
          () => move(pick(names), pick(names)),
          () => link(pick(names), pick(names)),
        ])(),
      )
      if (round % 20 === 19) workspace.restore(pick([...states.keys()]))
      else await workspace.commit(changes).catch(() => undefined)
      if (workspace.headSeq() === states.length) states.push([...workspace.entries()])
      expect(workspace.headSeq()).toBe(states.length - 1)
      expect([...workspace.entries()]).toEqual(states.at(-1))
      const files = [...workspace.entries()].flatMap((entry) => (entry.kind === 'file' ? [entry.size] : []))
      expect(workspace.totals()).toEqual({
        entries: states.at(-1)?.length,
        bytes: files.reduce((sum, size) => sum + size, 0),
      })
    }
    expect(states.length).toBeGreaterThan(100)
    for (const [seq, state] of states.entries()) expect([...workspace.entriesAsOf(seq)]).toEqual(state)
  })
})

describe('expiry', () => {
  it('drops what is older than the retention time, and keeps the files', async () => {
    const { workspace, time } = openWorkspace()
    await workspace.commit([write('a', 'old')])
    await workspace.commit([write('a', 'newer')])
    time.now += COMMIT_RETENTION_MS
    await workspace.commit([write('a', 'newest')])
    expect(workspace.expire()).toBe(false)
    expect(workspace.commits({ limit: 9 }).commits).toHaveLength(3)
    time.now += 1
    expect(workspace.expire()).toBe(false)
    expect(workspace.commits({ limit: 9 }).commits.map(({ seq }) => seq)).toEqual([3])
    expect(workspace.entryAsOf(p('a'), 2)).toMatchObject({ hash: hashOf('newer') })
    expect(() => workspace.entryAsOf(p('a'), 1)).toThrow(notKept)
    expect(workspace.changesSince(2)).toEqual(['a'])
    expect(workspace.changesSince(1)).toBeNull()

    time.now += COMMIT_RETENTION_MS + 1
    workspace.expire()
    expect(workspace.commits({ limit: 9 })).toEqual({ commits: [] })
    expect(await text(workspace, 'a')).toBe('newest')
    expect(workspace.entryAsOf(p('a'), 3)).toMatchObject({ hash: hashOf('newest') })
    expect(workspace.changesSince(3)).toEqual([])
    await workspace.commit([write('b', 'on')])
    expect(workspace.headSeq()).toBe(4)
  })

  it('drops the oldest commits beyond MAX_COMMITS, in batches', async () => {
    const { workspace, sql } = openWorkspace()
    for (let n = 0; n < 700; n++) await workspace.commit([write('a', `${n}`)])
    // As if it had been a loop of many more.
    const gap = MAX_COMMITS - 100
    sql.all('UPDATE workspace_state SET head = head + ?', gap)
    sql.all('UPDATE workspace_commits SET seq = seq + ? WHERE seq > 650', gap)
    sql.all('UPDATE workspace_changes SET seq = seq + ? WHERE seq > 650', gap)
    expect(workspace.expire()).toBe(true)
    expect(workspace.expire()).toBe(false)
    expect(workspace.commits({ limit: 1_000 }).commits.at(-1)?.seq).toBeGreaterThan(600)
  })

  it('drops the oldest commits when history is too large', async () => {
    const { workspace, sql } = openWorkspace()
    for (let n = 0; n < 5; n++) await workspace.commit([write('a', `${n}`)])
    foldTotals(sql)
    sql.all('UPDATE workspace_state SET kept_bytes = ?', MAX_KEPT_BYTES + 2)
    workspace.expire()
    // The first superseded nothing, the next two one byte each.
    expect(workspace.commits({ limit: 9 }).commits.map(({ seq }) => seq)).toEqual([5, 4])
    sql.all('UPDATE workspace_state SET kept_bytes = 0, kept_changes = ?', MAX_KEPT_CHANGES + 1)
    workspace.expire()
    expect(workspace.commits({ limit: 9 }).commits.map(({ seq }) => seq)).toEqual([5])
  })
})

it('finds nothing that differs among thousands of paths, and what 50 commits before them changed, for some passes over the changes', async () => {
  const { workspace, sql } = openWorkspace()
  const paths = Array.from({ length: 20_000 }, (_, n) => `d${n}`)
  await workspace.commit(paths.map(mkdir))
  const chmod = (some: readonly string[], mode: number) =>
    workspace.commit(some.map((path): Change => ({ op: 'chmod', path: p(path), mode })))
  for (let commit = 0; commit < 50; commit++) await chmod(paths.slice(0, 100), commit % 2 === 0 ? 0o700 : 0o755)
  for (const mode of [0o700, 0o755]) await chmod(paths, mode)
  const threePasses = () => {
    for (let pass = 0; pass < 3; pass++)
      sql.all('SELECT min(seq), path FROM workspace_changes GROUP BY path ORDER BY path LIMIT 1')
  }
  const tenPasses = { below: async () => (10 / 3) * (await costOf(threePasses)) }
  const compare = () => workspace.history.differences({ from: 51, to: 53, limit: 100 })
  expect((await expectCost(compare, tenPasses)).differences).toEqual([])
  expect((await expectCost(() => workspace.commitsAfter(1, p('')), tenPasses)).commits).toHaveLength(50)
})
