import { expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { KnownFiles } from '../../../src/session/sync/known.ts'
import type { Sides } from '../../../src/session/sync/push.ts'
import { type ReportedFile, takeReported } from '../../../src/session/sync/reported-file.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const NOTEBOOK = workspacePath('python_notebook.ipynb')
const record = (fields: readonly (string | number)[]) => fields.map((field) => `${field}\0`).join('')
const entry = ({ kind = 'f', size = 3, links = 1, path = './python_notebook.ipynb' } = {}) =>
  record([kind, '644', size, '1700000000.0000000010', '1700000001.0000000020', `7 ${links}`, '', path])
const REPORTED: ReportedFile = { before: '11', after: '12', record: entry(), text: 'new' }

/** A session whose notebook is `old` on both sides, with the watcher's count at 10. */
async function aNotebook() {
  const sql = new NodeSql()
  openSessionTables(sql)
  const all = new SessionWorkspace({
    sql,
    blobs: new MemoryBlobs().forSession('node'),
    clock: { now: Date.now },
    callId: () => 'call',
  })
  const workspace = all.forCall('call')
  await workspace.commit([{ op: 'write', path: NOTEBOOK, content: new TextEncoder().encode('old') }])
  const known = new KnownFiles(sql)
  const file = workspace.stat(NOTEBOOK)
  if (file?.kind !== 'file') throw new Error('it was written')
  known.set([[NOTEBOOK, { stamp: 'old', signature: `f ${file.mode.toString(8)} ${file.hash}` }]])
  const sides = { workspace, known } as unknown as Sides // no more of it is used
  const text = async () => new TextDecoder().decode((await workspace.read(NOTEBOOK)) ?? new Uint8Array())
  return { sides, known, workspace, text }
}

it('a file that its program tells of is taken over as it is, when nothing else happened', async () => {
  const { sides, known, text } = await aNotebook()
  expect(await takeReported(REPORTED, '10', sides)).toEqual({ conflicts: [], notes: [] })
  expect(await text()).toBe('new')
  expect(known.get(NOTEBOOK)).toMatchObject({
    stamp: 'f 644 3 1700000000.0000000010 1700000001.0000000020 7',
    isRacy: true,
  })
})

it.each([
  ['something happened before', { before: '12', after: '13' }],
  ['something happened beside', { after: '13' }],
  ['something was taken over meanwhile', { before: '10', after: '11' }],
  ['its size is another', { record: entry({ size: 4 }) }],
  ['it has a name elsewhere', { record: entry({ links: 2 }) }],
  ['it is no file', { record: entry({ kind: 'd' }) }],
  ['it is none that was known', { record: entry({ path: './other' }) }],
  ['its place is outside', { record: entry({ path: './../other' }) }],
  ['it is no entry', { record: 'x' }],
  ['its numbers are none', { record: record(['f', '644', 'x', 'y', 'z', '7 1', '', './python_notebook.ipynb']) }],
])('a file that its program tells of is left to a look when %s', async (_, more) => {
  const { sides, text } = await aNotebook()
  expect(await takeReported({ ...REPORTED, ...more }, '10', sides)).toBeNull()
  expect(await text()).toBe('old')
})

it('a program that tells of a directory as if it were a file now removes nothing', async () => {
  const { sides, known, workspace } = await aNotebook()
  const kept = workspacePath('data/kept.txt')
  await workspace.commit([{ op: 'write', path: kept, content: new TextEncoder().encode('kept') }])
  known.set([[workspacePath('data'), { stamp: 'd 755', signature: 'd 755' }]])
  expect(await takeReported({ ...REPORTED, record: entry({ path: './data' }) }, '10', sides)).toBeNull()
  expect(workspace.stat(kept)?.kind).toBe('file')
})

it('a program that tells of a file that is not its own changes nothing', async () => {
  const { sides, known, workspace } = await aNotebook()
  const other = workspacePath('other.txt')
  await workspace.commit([{ op: 'write', path: other, content: new TextEncoder().encode('kept') }])
  known.set([[other, { stamp: 'old', signature: 'f 644 x' }]])
  expect(await takeReported({ ...REPORTED, record: entry({ path: './other.txt' }) }, '10', sides)).toBeNull()
  expect(new TextDecoder().decode((await workspace.read(other)) ?? new Uint8Array())).toBe('kept')
})

it('a file that both sides changed is told as a conflict, and both are in history', async () => {
  const { sides, workspace } = await aNotebook()
  await workspace.commit([{ op: 'write', path: NOTEBOOK, content: new TextEncoder().encode('theirs') }])
  expect(await takeReported(REPORTED, '10', sides)).toEqual({ conflicts: [NOTEBOOK], notes: [] })
})
