import { describe, expect, it } from 'vitest'
import { MAX_WATCHED_CHANGES, MAX_WATCHED_COMMITS } from '../../../src/core/limits/watch.ts'
import { ROOT } from '../../../src/core/workspace-path.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { largeContent, link, mkdir, move, openWorkspace, p, remove, write } from './open.ts'

const aWorkspace = () => openWorkspace().workspace
/** Changes as words, commit by commit. */
const seen = (workspace: SessionWorkspace, after: number, path = ROOT) =>
  workspace
    .commitsAfter(after, path)
    .commits.map(({ changes }) => changes.map(({ path, change, kind, size }) => `${change} ${kind} ${path} ${size}`))

describe('the commits behind one', () => {
  it('say of each path what the commit made of it, though later ones changed it again', async () => {
    const workspace = aWorkspace()
    await workspace.commit([write('a.txt', 'one')])
    await workspace.commit([write('a.txt', 'longer'), link('l', 'a.txt')])
    await workspace.commit([mkdir('dir'), move('a.txt', 'dir/b.txt')])
    await workspace.commit([remove('dir')])
    await workspace.commit([write('a.txt', '')])
    expect(seen(workspace, 0)).toEqual([
      ['created file a.txt 3'],
      ['modified file a.txt 6', 'created link l null'],
      ['deleted file a.txt null', 'created directory dir null', 'created file dir/b.txt 6'],
      ['deleted directory dir null', 'deleted file dir/b.txt null'],
      ['created file a.txt 0'],
    ])
    expect(seen(workspace, 4)).toEqual([['created file a.txt 0']])
    expect(workspace.commitsAfter(5, ROOT)).toEqual({ commits: [], upTo: 5, more: false })
  })

  it('are those that touch a folder or a file, and no neighbour whose name begins alike', async () => {
    const workspace = aWorkspace()
    for (const path of ['src/a', 'src.txt', 'src0', 'src/deep/b', 'other']) await workspace.commit([write(path, path)])
    await workspace.commit([write('src/a', '2'), write('other', '2')])
    expect(seen(workspace, 0, p('src')).flat()).toEqual([
      'created directory src null',
      'created file src/a 5',
      'created directory src/deep null',
      'created file src/deep/b 10',
      'modified file src/a 1',
    ])
    expect(seen(workspace, 0, p('src/a'))).toEqual([['created file src/a 5'], ['modified file src/a 1']])
    expect(workspace.commitsAfter(0, p('nothing'))).toEqual({ commits: [], upTo: 6, more: false })
  })

  it('name a hundred paths of a commit and count all, and come in pages', async () => {
    const workspace = aWorkspace()
    const many = Array.from({ length: MAX_WATCHED_CHANGES + 7 }, (_, n) => write(`n${n}`, `${n}`))
    await workspace.commit(many)
    const [commit] = workspace.commitsAfter(0, ROOT).commits
    expect([commit?.changes.length, commit?.changed]).toEqual([MAX_WATCHED_CHANGES, many.length])
    for (let n = 0; n < MAX_WATCHED_COMMITS; n++) await workspace.commit([write('a', `${n}`)])
    const first = workspace.commitsAfter(0, ROOT)
    expect([first.commits.length, first.upTo, first.more]).toEqual([MAX_WATCHED_COMMITS, MAX_WATCHED_COMMITS, true])
    const rest = workspace.commitsAfter(first.upTo, ROOT)
    expect([rest.commits.length, rest.upTo, rest.more]).toEqual([1, MAX_WATCHED_COMMITS + 1, false])
  })
})

it('a workspace tells of each commit once it can be read, and not of one that fails', async () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  const heads: number[] = []
  const workspace: SessionWorkspace = new SessionWorkspace({
    sql,
    blobs: new MemoryBlobs().forSession('node'),
    clock: { now: () => 1 },
    callId: () => 'c',
    committed: () => heads.push(workspace.headSeq()),
  })
  await workspace.commit([write('a', '1')])
  await workspace.commit([write('a', '2'), write('b', '2')])
  await workspace.commit([write('large', largeContent(200_000))])
  await expect(workspace.commit([write('a/below', '3')])).rejects.toThrow()
  await expect(workspace.commit([write('large2', largeContent(200_000)), write('a/below', '3')])).rejects.toThrow()
  workspace.restore(1)
  expect(heads).toEqual([1, 2, 3, 4])
})
