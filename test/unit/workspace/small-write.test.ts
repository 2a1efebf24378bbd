import { expect, it } from 'vitest'
import { COMMIT_RETENTION_MS, MAX_KNOWN_ENTRIES, MAX_WORKSPACE_ENTRIES } from '../../../src/core/limits/workspace.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import { readState } from '../../../src/workspace/manifest.ts'
import { link, mkdir, move, openWorkspace, p, remove, text, write } from './open.ts'

const TABLES = ['entries', 'changes', 'blobs', 'contents']
/** All rows, and totals as they come to together: what a commit added may stand in its own row, or in the totals. */
const tables = ({ sql }: ReturnType<typeof openWorkspace>) => [
  ...TABLES.map((name) => sql.all(`SELECT * FROM workspace_${name} ORDER BY 1, 2`)),
  sql.all('SELECT seq, call_id, at, changed, superseded_bytes FROM workspace_commits ORDER BY seq'),
  readState(sql),
]

/** Taken for a commit of several changes, while it changes nothing. */
const NOTHING = remove('never there')

it('leaves the same rows, whether a small file is written by itself or in a longer commit', async () => {
  const alone = openWorkspace()
  const among = openWorkspace()
  const commits: readonly (readonly Change[])[] = [
    [mkdir('dir')],
    [write('dir/new', 'one')],
    [write('dir/new', 'two')],
    [write('dir/new', 'two')],
    [write('dir/other', 'two', { mode: 0o100755, mtimeMs: 5.4 })],
    [write('dir/other', 'two', { mode: 0o755, mtimeMs: 5 })],
    [write('dir/other', 'three')],
    [write('top', '')],
    [write('made/on/the/way', 'x')],
    [write('made/on/the/way', 'one', { mtimeMs: Number.NaN })],
    [link('l', 'top')],
    [write('l', 'in place of the link')],
    [move('dir', 'moved')],
    [write('moved/new', 'one')],
    [remove('moved/new')],
    [write('moved/new', 'again')],
  ]
  for (const changes of commits) {
    await alone.workspace.commit(changes)
    await among.workspace.commit([...changes, NOTHING])
    alone.time.now += 3
    among.time.now += 3
  }
  expect(tables(alone)).toEqual(tables(among))
  for (const path of ['moved/new', 'moved/other', 'top', 'l', 'made/on/the/way'])
    expect(await text(alone.workspace, path)).toBe(await text(among.workspace, path))
  alone.workspace.restore(6)
  among.workspace.restore(6)
  expect(tables(alone)).toEqual(tables(among))
})

it('writes a file again by one statement, and reads it by one', async () => {
  const { workspace, sql } = openWorkspace()
  await workspace.commit([write('dir/a', 'one')])
  await workspace.commit([write('dir/a', 'two')])
  const before = sql.statements
  workspace.stat(p('dir/a'))
  await workspace.commit([write('dir/a', 'three')])
  const written = sql.statements
  workspace.stat(p('dir/a'))
  expect(await text(workspace, 'dir/a')).toBe('three')
  expect([written - before, sql.statements - written]).toEqual([1, 1])
})

it('refuses a small file that stands where a directory is, or below a file, and changes nothing', async () => {
  const opened = openWorkspace()
  const { workspace } = opened
  await workspace.commit([write('dir/file', 'x')])
  const before = tables(opened)
  for (const path of ['dir', 'dir/file/below', ''])
    await expect(workspace.commit([write(path, 'y')])).rejects.toMatchObject({ failure: { code: 'conflict' } })
  expect(tables(opened)).toEqual(before)
  expect(workspace.headSeq()).toBe(1)
})

it('refuses a small file that is one too many, changes nothing, and lets others be written again', async () => {
  const opened = openWorkspace()
  const { workspace, sql, reopen } = opened
  await workspace.commit([write('a', 'x')])
  sql.all('UPDATE workspace_state SET entries = ?', MAX_WORKSPACE_ENTRIES)
  const before = tables(opened)
  const full = reopen()
  await expect(full.commit([write('b', 'y')])).rejects.toMatchObject({ failure: { code: 'limit_exceeded' } })
  expect(tables(opened)).toEqual(before)
  await full.commit([write('a', 'y')])
  expect(await text(full, 'a')).toBe('y')
  expect(full.stat(p('b'))).toBeNull()
})

it('changes nothing where the last of its rows cannot be written, and is written once that can be', async () => {
  const opened = openWorkspace()
  const { workspace, sql } = opened
  await workspace.commit([write('a', 'x')])
  const before = tables(opened)
  sql.all('CREATE UNIQUE INDEX one_of_a_size ON workspace_contents (size)')
  await expect(workspace.commit([write('a', 'y')])).rejects.toThrow('UNIQUE')
  sql.all('DROP INDEX one_of_a_size')
  expect(tables(opened)).toEqual(before)
  await workspace.commit([write('a', 'y')])
  expect(await text(workspace, 'a')).toBe('y')
})

it('knows what it looked at as it is, over every kind of change', async () => {
  const { workspace, reopen } = openWorkspace()
  const paths = ['a', 'b', 'dir', 'dir/c', 'dir/d', 'other/c']
  const commits: readonly (readonly Change[])[] = [
    [write('a', '1'), write('dir/c', '2')],
    [write('dir/d', '3')],
    [move('a', 'b')],
    [move('dir', 'other')],
    [write('other/c', '4')],
    [remove('other')],
    [write('dir/c', '5')],
  ]
  const seen = () => {
    const anew = reopen()
    expect(paths.map((path) => workspace.stat(p(path)))).toEqual(paths.map((path) => anew.stat(p(path))))
    expect([workspace.headSeq(), workspace.totals()]).toEqual([anew.headSeq(), anew.totals()])
  }
  for (const changes of commits) {
    seen()
    await workspace.commit(changes)
    seen()
  }
  for (const seq of [1, 4, 0, 6]) {
    workspace.restore(seq)
    seen()
  }
})

it('remembers few of the paths that were looked at', async () => {
  const { workspace, sql } = openWorkspace()
  const look = (path: string) => {
    const before = sql.statements
    workspace.stat(p(path))
    return sql.statements - before
  }
  expect([look('first'), look('first')]).toEqual([1, 0])
  for (let n = 0; n < MAX_KNOWN_ENTRIES; n++) look(`path ${n}`)
  expect(look('first')).toBe(1)
})

it('has the same totals after a restart, whichever commits they were written down with', async () => {
  const opened = openWorkspace()
  const { workspace, sql, reopen } = opened
  const totalsOf = (of: typeof workspace) => ({ ...of.totals(), head: of.headSeq() })
  await workspace.commit([mkdir('dir'), write('dir/whole', 'with a directory')])
  for (let n = 0; n < 150; n++) {
    await workspace.commit([write(`dir/f${n % 40}`, `${n} ${'x'.repeat(n)}`)])
    if (n % 50 === 49) await workspace.commit([remove(`dir/f${n % 40}`), link(`l${n}`, 'dir')])
    if (n % 60 === 59) workspace.restore(workspace.headSeq() - 2)
    if (n % 10 === 9) expect(totalsOf(reopen())).toEqual(totalsOf(workspace))
  }
  const [counted] = sql.all('SELECT count(*) AS entries, sum(size) AS bytes FROM workspace_entries')
  const [kept] = sql.all('SELECT count(*) AS kept_changes, sum(size) AS kept_bytes FROM workspace_changes')
  const [local] = sql.all('SELECT sum(size) AS local_bytes FROM workspace_contents')
  const { head, ...totals } = readState(sql)
  expect(totals).toEqual({ ...counted, ...kept, ...local })
  expect(head).toBe(workspace.headSeq())
  opened.time.now += COMMIT_RETENTION_MS + 1
  while (reopen().expire());
  expect(readState(sql)).toMatchObject({ ...counted, kept_changes: 0, kept_bytes: 0, head })
  await reopen().commit([write('after', 'all')])
  expect(readState(sql).head).toBe(head + 1)
})
