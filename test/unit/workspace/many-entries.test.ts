import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../src/core/workspace-path.ts'
import type { Sql } from '../../../src/ports/sql.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import { Changeset, type HashedChange } from '../../../src/workspace/changeset.ts'
import { applyAll } from '../../../src/workspace/many-entries.ts'
import { randomOf } from '../../support/random.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { link, mkdir, openWorkspace, p, remove, text, tree, write } from './open.ts'

const FILES = 3_000
const many = (from = 0): Change[] =>
  Array.from({ length: FILES }, (_, at) => write(`d${at % 40}/e/${at + from}.txt`, `text ${at + from}`))

describe('a commit of many files', () => {
  it('gives everybody else a turn between its slices, and ends with a few statements for all of them', async () => {
    const { workspace, sql } = openWorkspace()
    const inTransactions = statementsOfTransactions(sql)
    let [turns, isOver] = [0, false]
    const others = async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 0))
        turns += 1
        if (!isOver) expect(workspace.totals().entries).toBe(0)
      }
    }
    const waiting = others()
    await workspace.commit(many())
    isOver = true
    await waiting
    expect(turns).toBeGreaterThan(4)
    // What all of them have in common is written in one transaction, the last one.
    expect(inTransactions.at(-1)).toBeLessThan(FILES / 50)
    expect(workspace.totals()).toMatchObject({ entries: FILES + 80 })
    expect(await text(workspace, 'd3/e/43.txt')).toBe('text 43')
  })

  it('is one commit, and what stood there before is in history', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(many())
    const first = workspace.headSeq()
    await workspace.commit([remove('d0'), ...many(7), write('d1/e/1.txt', 'other')])
    expect(workspace.headSeq()).toBe(first + 1)
    workspace.restore(first)
    expect(tree(workspace)).toHaveLength(FILES + 80)
    expect(await text(workspace, 'd1/e/1.txt')).toBe('text 1')
    expect(await text(workspace, 'd0/e/0.txt')).toBe('text 0')
  })

  it('that is cut off or refused leaves nothing to see, and its contents go with the next flush', async () => {
    const { workspace, reopen, sql, blobs } = openWorkspace()
    await workspace.commit([write('kept.txt', 'kept'), write('taken', 'a file')])
    await expect(workspace.commit([...many(), write('taken/below', 'x')])).rejects.toThrow('not a directory')

    const before = sql.transaction.bind(sql)
    let left = 3
    sql.transaction = <T>(work: () => T): T => {
      if (left-- === 0) throw new Error('killed')
      return before(work)
    }
    await expect(workspace.commit(many())).rejects.toThrow('killed')
    sql.transaction = before

    const after = reopen()
    expect(tree(after)).toEqual(['kept.txt', 'taken'])
    expect(after.needsFlush()).toBe(true)
    while (await after.flush());
    const [contents] = sql.all<{ count: number }>('SELECT count(*) AS count FROM workspace_contents')
    expect(contents).toEqual({ count: 2 })
    expect(blobs.contents.size).toBe(2)
  })
})

describe('many changes applied together', () => {
  it('make the very rows that they make one by one, or are refused in the same words', () => {
    let [refused, inBulk] = [0, 0]
    for (let seed = 1; seed <= 80; seed++) {
      const [together, alone] = [tables(), tables()]
      const random = randomOf(seed)
      for (let seq = 1; seq <= 3; seq++) {
        const changes = drawn(random, 60)
        const commit = { seq, now: 1_000 * seq }
        const [before, beforeAlone] = [together.statements, alone.statements]
        const one = outcomeOf(together, () => applyAll(together, changes, commit))
        const other = outcomeOf(alone, () => {
          const changeset = new Changeset(alone, commit.seq, commit.now)
          for (const change of changes) changeset.apply(change)
        })
        expect(one, `seed ${seed}`).toEqual(other)
        if (one !== null) refused += 1
        else if (together.statements - before < (alone.statements - beforeAlone) / 3) inBulk += 1
        expect(rowsOf(together), `seed ${seed}`).toEqual(rowsOf(alone))
      }
    }
    // Both kinds of each were among them.
    expect(refused).toBeGreaterThan(5)
    expect(inBulk).toBeGreaterThan(20)
  })

  it('look at the tables a few times, not once for each path', () => {
    const sql = tables()
    const changes = Array.from({ length: 500 }, (_, at) => hashed(write(`a/b${at % 9}/c${at}`, 'x')))
    const before = sql.statements
    applyAll(sql, changes, { seq: 1, now: 1 })
    expect(sql.statements - before).toBeLessThan(10)
  })

  it('keep a link’s target as it is, whatever characters it has', () => {
    const sql = tables()
    const targets = ['a"b\\c', '\u2028 \u{1f600}', 'half \ud800 of one', '日本']
    const links = targets.map((target, at) => hashed(link(`l${at}`, target)))
    const files = Array.from({ length: 40 }, (_, at) => hashed(write(`f${at}`, 'x')))
    applyAll(sql, [...links, ...files], { seq: 1, now: 1 })
    const alone = tables()
    const changeset = new Changeset(alone, 1, 1)
    for (const change of [...links, ...files]) changeset.apply(change)
    expect(rowsOf(sql)).toEqual(rowsOf(alone))
  })
})

/** Counts the statements of each transaction from now on. */
function statementsOfTransactions(sql: NodeSql): number[] {
  const counts: number[] = []
  const run = sql.transaction.bind(sql)
  sql.transaction = <T>(work: () => T): T => {
    const before = sql.statements
    const result = run(work)
    counts.push(sql.statements - before)
    return result
  }
  return counts
}

function tables(): NodeSql {
  const sql = new NodeSql()
  openSessionTables(sql)
  return sql
}

const rowsOf = (sql: Sql) => [
  sql.all('SELECT * FROM workspace_entries ORDER BY path'),
  sql.all('SELECT * FROM workspace_changes ORDER BY seq, path'),
]

function outcomeOf(sql: Sql, work: () => void): string | null {
  try {
    sql.transaction(work)
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

const hashed = (change: Change): HashedChange => {
  if (change.op !== 'write') return change
  const { content: _, ...rest } = change
  return { ...rest, hash: 'a'.repeat(64), size: 1 }
}

/** Changes over few names, so that some meet: mostly files, now and then a directory or a link where a file stood. */
function drawn(random: () => number, count: number): HashedChange[] {
  const pick = (limit: number) => Math.floor(random() * limit)
  const names = 40 + pick(400)
  const path = () => [`d${pick(4)}`, ...(pick(3) ? [`e${pick(4)}`] : []), `f${pick(names)}`].join('/')
  const mode = () => (pick(3) ? {} : { mode: 0o600 + pick(2) * 0o100 })
  return Array.from({ length: count }, (): HashedChange => {
    const kind = pick(100)
    if (kind < 86) return { ...hashed(write(path(), 'x', mode())), mtimeMs: pick(1_000) } as HashedChange
    if (kind < 92) return { op: 'mkdir', path: p(pick(2) ? path() : `d${pick(4)}`), ...mode() }
    if (kind < 97) return hashed(link(path(), `to ${pick(9)}`))
    if (kind < 98) return { op: 'mkdir', path: pick(2) ? ROOT : p(`d${pick(4)}/e1`) }
    return kind < 99 ? hashed(remove(path())) : hashed(mkdir(`d${pick(4)}/e${pick(4)}`))
  })
}
