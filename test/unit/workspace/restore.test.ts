import { expect, it } from 'vitest'
import { UNCOUNTED_FROM_CHANGES } from '../../../src/core/limits/workspace.ts'
import { isWithin, ROOT } from '../../../src/core/workspace-path.ts'
import type { WorkspaceEntry } from '../../../src/ports/workspace.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'
import { randomOf } from '../../support/random.ts'
import { checkCounts } from './counts.ts'
import { link, mkdir, move, openWorkspace, p, remove, text, write } from './open.ts'

it('restores any part to any commit, and leaves the rest as it is, after whatever changes', async () => {
  const random = randomOf(75)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const { workspace, time } = openWorkspace()
  const names = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'd-x', 'f/a', 'f']
  const states: WorkspaceEntry[][] = [[]]
  for (let round = 0; round < 600; round++) {
    time.now += 1
    const path = pick(names)
    // Half of them just before: few commits came since then.
    const at = Math.max(
      0,
      random() < 0.5 ? states.length - 1 - Math.floor(random() * 12) : pick(states.map((_, n) => n)),
    )
    const before = [...workspace.entries()]
    const kind = Math.floor(random() * 7)
    try {
      if (kind === 0) await workspace.commit([remove(path)])
      else if (kind === 1) await workspace.commit([mkdir(path)])
      else if (kind === 2) await workspace.commit([move(path, pick(names))])
      else if (kind === 3) await workspace.commit([link(path, 'a')])
      else if (kind === 4) await workspace.commit([write(path, String(round % 5))])
      else if (kind === 5) workspace.restore(at, { stays: (directory) => directory === 'd' })
      else {
        const part = pick([ROOT, p('d'), p('d/e'), p('a'), p('f')])
        workspace.restore(at, { path: part })
        const now = [...workspace.entries()]
        const then = states[at] ?? []
        const within = (list: readonly WorkspaceEntry[]) => list.filter((one) => isWithin(one.path, part))
        expect(within(now)).toEqual(within(then))
        const outside = (list: readonly WorkspaceEntry[]) =>
          list.filter((one) => !isWithin(one.path, part) && !isWithin(part, one.path))
        expect(outside(now)).toEqual(outside(before))
        expect(workspace.restore(at, { path: part })).toMatchObject({ changed: 0, commit: workspace.headSeq() })
      }
    } catch (thrown) {
      expect(thrown).toMatchObject({
        failure: { code: expect.stringMatching(/^(?:conflict|not_found|invalid_input)$/) },
      })
      expect([...workspace.entries()]).toEqual(before)
    }
    if (workspace.headSeq() === states.length) states.push([...workspace.entries()])
  }
  for (const [seq, state] of states.entries()) expect([...workspace.entriesAsOf(seq)]).toEqual(state)
})

it('counts references of restored contents, so that they stay when the commits in between are dropped, and go with the last', async () => {
  const { workspace, sql, time } = openWorkspace()
  await workspace.commit([write('a', 'one'), write('b', 'one')])
  await workspace.commit([write('a', 'two'), remove('b')])
  workspace.restore(1)
  workspace.restore(2, { path: p('a') })
  time.now += 8 * 24 * 60 * 60_000
  while (workspace.expire());
  const counted = sql.all('SELECT size, refs FROM workspace_blobs ORDER BY refs')
  expect(counted).toEqual([
    { size: 3, refs: 1 },
    { size: 3, refs: 1 },
  ])
  expect(new TextDecoder().decode((await workspace.read(p('a'))) ?? undefined)).toBe('two')
  expect(new TextDecoder().decode((await workspace.read(p('b'))) ?? undefined)).toBe('one')
})

it('tells what each restore went back to, as long as its commit is kept', async () => {
  const { workspace, sql, time } = openWorkspace()
  await workspace.commit([write('d/a', 'one'), write('b', 'one')])
  await workspace.commit([write('d/a', 'two'), write('b', 'two')])
  workspace.restore(1, { path: p('d') })
  expect(workspace.restore(1, { path: p('d') }).changed).toBe(0)
  workspace.restore(0, { dryRun: true })
  workspace.restore(1)
  const reported = () => {
    const { commits } = workspace.history.page({ path: ROOT, limit: 10, shown: 10 })
    return commits.map(({ seq, restored }) => [seq, restored])
  }
  expect(reported()).toEqual([
    [4, { commit: 1, path: '' }],
    [3, { commit: 1, path: 'd' }],
    [2, null],
    [1, null],
  ])
  expect(workspace.history.changes({ commit: 3, path: ROOT, limit: 10 }).commit.restored?.path).toBe('d')
  time.now += 8 * 24 * 60 * 60_000
  while (workspace.expire());
  expect(reported()).toEqual([])
  expect(sql.all('SELECT * FROM workspace_restores')).toEqual([])
})

it('undoes a change of thousands of files for less than the change cost, and seeks one path among all that is kept for a tenth', async () => {
  const { workspace } = openWorkspace()
  let number = 0
  const put = () => {
    number += 1
    return workspace.commit(Array.from({ length: 5_000 }, (_, n) => write(`d${n % 50}/${n}`, `${number} ${n}`)))
  }
  await put()
  const change = async () => ({ changeMs: await costOf(put) })
  await expectCost(() => workspace.restore(1), { fresh: change, below: ({ changeMs }) => changeMs })
  const seek = () => {
    workspace.history.page({ path: p('d7/7'), limit: 50, shown: 10 })
    workspace.entryAsOf(p('d7/7'), 1)
  }
  await expectCost(seek, { below: async () => (await costOf(put)) / 10 })
})

it('goes to and fro between two states at one price, however often', async () => {
  const travelled = async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(Array.from({ length: 5_000 }, (_, n) => write(`d${n % 50}/${n}`, `${n}`)))
    const full = [...workspace.entries()]
    await workspace.commit([remove('d1'), ...Array.from({ length: 40 }, (_, n) => move(`d${n + 2}`, `e${n}`))])
    const goTwice = () => {
      for (const commit of [1, 2, 1, 2]) expect(workspace.restore(commit)).toMatchObject({ changed: 8_181 })
    }
    const firstMs = await costOf(goTwice)
    goTwice()
    goTwice()
    return { workspace, full, goTwice, firstMs }
  }
  const { workspace, full } = await expectCost(
    (state: Awaited<ReturnType<typeof travelled>>) => {
      state.goTwice()
      return state
    },
    { fresh: travelled, below: ({ firstMs }) => 2 * firstMs },
  )
  workspace.restore(1)
  expect([...workspace.entries()]).toEqual(full)
})

it('that is cut off in its middle changes nothing, and history has no commit of it', async () => {
  const { workspace, reopen } = openWorkspace()
  await workspace.commit([write('a', 'one'), write('b', 'one')])
  await workspace.commit([write('a', 'two'), remove('b'), mkdir('later')])
  const before = [...workspace.entries()]
  const stays = () => {
    throw new Error('cut off')
  }
  expect(() => workspace.restore(1, { stays })).toThrow('cut off')
  for (const one of [workspace, reopen()]) expect([[...one.entries()], one.headSeq()]).toEqual([before, 2])
  expect(workspace.restore(1)).toMatchObject({ commit: 3, changed: 3 })
})

/** Many files, changed at once; the change undone, redone, and undone again. */
async function undoneAtLarge() {
  const opened = openWorkspace()
  const { workspace } = opened
  const numbers = Array.from({ length: UNCOUNTED_FROM_CHANGES }, (_, n) => n)
  const files = (text: string) => numbers.map((n) => write(`d${n % 7}/${n}`, `${text} ${n % 3 === 0 ? 'often' : n}`))
  await workspace.commit(files('one'))
  await workspace.commit([...files('two'), write('d1/made', 'by it'), write('e/made', 'by it')])
  const now = [...workspace.entries()]
  workspace.restore(1)
  workspace.restore(2)
  expect([...workspace.entries()]).toEqual(now)
  workspace.restore(1)
  return { ...opened, numbers }
}

it('keeps all contents of a large change that was undone, redone and undone, and those of its files alone at last', async () => {
  const { workspace, sql, time, numbers } = await undoneAtLarge()
  checkCounts(sql)
  await workspace.commit([write('later', 'l')])
  time.now += 8 * 24 * 60 * 60_000
  await workspace.commit([remove('d2')])
  while (workspace.expire());
  checkCounts(sql)
  while (await workspace.flush());
  for (const n of numbers.filter((one) => one % 7 !== 2))
    expect(await text(workspace, `d${n % 7}/${n}`)).toBe(`one ${n % 3 === 0 ? 'often' : n}`)
  await workspace.commit(['d0', 'd1', 'd3', 'd4', 'd5', 'd6'].map(remove))
  time.now += 8 * 24 * 60 * 60_000
  await workspace.commit([remove('later')])
  time.now += 8 * 24 * 60 * 60_000
  while (workspace.expire());
  while (await workspace.flush());
  expect(sql.all('SELECT hash FROM workspace_blobs')).toEqual([])
})

it.each([1, 3])('keeps what a snapshot of commit %i needs of a large change that was undone', async (commit) => {
  const { workspace, sql, time } = await undoneAtLarge()
  const then = [...workspace.entriesAsOf(commit)]
  workspace.snapshots.put({ name: 'kept', moment: commit, replaces: false, author: 'a', at: time.now })
  time.now += 8 * 24 * 60 * 60_000
  await workspace.commit([write('later', 'l')])
  while (workspace.expire());
  checkCounts(sql)
  while (await workspace.flush());
  workspace.restore(commit)
  expect([...workspace.entries()]).toEqual(then)
  for (const entry of then) if (entry.kind === 'file') expect(await workspace.read(entry.path)).not.toBeNull()
  checkCounts(sql)
})
