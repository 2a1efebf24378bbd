import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type WorkspacePath, workspacePath } from '../../../src/core/workspace-path.ts'
import { RACE } from '../../../src/guest/bash/programs.ts'
import { difference } from '../../../src/session/sync/difference.ts'
import { KnownFiles } from '../../../src/session/sync/known.ts'
import type { Listed } from '../../../src/session/sync/listing.ts'
import { isRacy, type Race, readRace } from '../../../src/session/sync/racy.ts'
import { IgnoreList } from '../../../src/workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../../src/workspace/synced.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const path = workspacePath('f')
const listed = (more: Partial<Listed> = {}): Listed => ({
  path,
  kind: 'file',
  mode: 0o644,
  size: 4,
  mtimeMs: 1_000,
  changedMs: 1_000,
  target: '',
  closed: false,
  inode: '7',
  links: 1,
  stamp: 'f 644 4 1.0 1.0 7',
  ...more,
})
const race = (more: Partial<Race> = {}): Race => ({ mapped: new Set(), lookedMs: 60_000, ...more })

/** What two listings one after another say of one file: its path when it counts as touched, or as one to be compared. */
function twoLooks(first: readonly [Listed, Race], second: readonly [Listed, Race]) {
  const sql = new NodeSql()
  openSessionTables(sql)
  const [before, raceBefore] = first
  new KnownFiles(sql).set([
    [path, { stamp: before.stamp, signature: 'f 644 h', isRacy: isRacy(before, raceBefore) }],
  ] as const)
  const { touched, suspect } = difference([second[0]], {
    known: new KnownFiles(sql), // as the session finds it after it slept
    workspace: { stat: () => null } as Pick<SyncedWorkspace, 'stat'> as SyncedWorkspace,
    ignore: new IgnoreList([], []),
    complete: true,
    race: second[1],
  })
  const paths = (entries: readonly Listed[]): WorkspacePath[] => entries.map((entry) => entry.path)
  return { touched: paths(touched), compared: paths(suspect) }
}

const NOTHING_TO_DO = { touched: [], compared: [] }

it('a file that nothing touched is not compared again', () => {
  expect(twoLooks([listed(), race()], [listed(), race()])).toEqual(NOTHING_TO_DO)
})

it.each([
  ['in the very tick of the clock in which it was listed', { lookedMs: 1_000 }, {}],
  ['just before it was listed: the clock of files ticks every 10 ms', { lookedMs: 1_009 }, {}],
  ['through memory by a process that had it mapped then, and has ended', { mapped: new Set(['7']) }, {}],
  ['through memory by a process that has it mapped now', {}, { mapped: new Set(['7']) }],
])('a file is compared that may have changed %s', (_, then, now) => {
  expect(twoLooks([listed(), race(then)], [listed(), race(now)])).toEqual({ touched: [], compared: [path] })
})

it.each([
  ['after its clock was set back', { changedMs: 500, stamp: 'f 644 4 1.0 0.5 7' }],
  ['under another inode', { inode: '8', stamp: 'f 644 4 1.0 1.0 8' }],
])('a file is fetched that was written %s, with the old size and mtime', (_, change) => {
  expect(twoLooks([listed(), race()], [listed(change), race()])).toEqual({ touched: [path], compared: [] })
})

it('a large file that was touched and is as long as before is compared before it is fetched', () => {
  const size = 2 * 1024 * 1024
  const before = listed({ size, stamp: `f 644 ${size} 1.0 1.0 7` })
  const after = listed({ size, stamp: `f 644 ${size} 2.0 2.0 7` })
  expect(twoLooks([before, race()], [after, race()])).toEqual({ touched: [], compared: [path] })
  const grown = listed({ size: size + 1, stamp: `f 644 ${size + 1} 2.0 2.0 7` })
  expect(twoLooks([before, race()], [grown, race()])).toEqual({ touched: [path], compared: [] })
})

it('without a time, as a very old bash gives none, no file counts as changed while it was listed', () => {
  expect(isRacy(listed(), readRace('looked \nbackground 1\n'))).toBe(false)
})

it.each([
  ['for reading and writing', 'r+b', 'ACCESS_WRITE', true],
  ['for reading, and could be for writing', 'r+b', 'ACCESS_READ', true],
  ['for reading alone', 'rb', 'ACCESS_READ', false],
  ['as a copy of its own', 'r+b', 'ACCESS_COPY', false],
])('a process that has a file mapped %s is told apart', async (_, mode, access, isThere) => {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-racy-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'a name (deleted)')
  writeFileSync(file, 'x')
  const program = `import mmap, sys
f = open(sys.argv[1], '${mode}')
m = mmap.mmap(f.fileno(), 1, access=mmap.${access}); print('mapped', flush=True); sys.stdin.read()`
  const child = spawn('python3', ['-c', program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = await new Promise((resolve) => child.stdout.once('data', resolve).once('end', () => resolve(null)))
  expect(String(output)).toMatch(/^mapped/)
  const script = `found=(${child.pid} 999999999); ${RACE}print_race`
  const { mapped, lookedMs } = readRace(execFileSync('bash', ['-c', script], { encoding: 'utf8' }))
  expect(mapped.has(String(statSync(file).ino))).toBe(isThere)
  expect(Math.abs(Date.now() - lookedMs)).toBeLessThan(60_000)
})

it('where no process of a call lives on, no program is started to look for mapped files', () => {
  const script = `found=(); PATH=/nowhere; ${RACE}print_race`
  expect(execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8' })).toMatch(/^looked [0-9.,]+\n$/)
})
