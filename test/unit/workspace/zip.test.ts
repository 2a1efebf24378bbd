import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { zipOf } from '../../../src/workspace/zip.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

async function workspaceWith(changes: readonly Change[]) {
  const sql = new NodeSql()
  openSessionTables(sql)
  const clock = { now: () => Date.UTC(2026, 10, 20, 11, 8, 42) }
  const files = new SessionWorkspace({ sql, clock, blobs: new MemoryBlobs().forSession('node'), callId: () => 'c' })
  if (changes.length > 0) await files.commit(changes)
  return files.forCall('c')
}

const write = (path: string, content: string | Uint8Array, mode = 0o644): Change => ({
  op: 'write',
  path: path as ReturnType<typeof workspacePath>,
  content: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  mode,
})

/** What Python's zipfile, an implementation not ours, makes of the archive. */
async function unpacked(archive: ReadableStream<Uint8Array>): Promise<Record<string, readonly unknown[]>> {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-zip-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'a.zip')
  writeFileSync(file, new Uint8Array(await new Response(archive).arrayBuffer()))
  const script = [
    'import zipfile, json, sys, hashlib',
    'z = zipfile.ZipFile(sys.argv[1])',
    'assert z.testzip() is None',
    'print(json.dumps({i.filename: [i.file_size, hashlib.sha256(z.read(i)).hexdigest()[:16], oct(i.external_attr >> 16),',
    '  list(i.date_time)] for i in z.infolist()}))',
  ].join('\n')
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
}

it('holds every file with its name, content, time and permissions, and nothing else', async () => {
  const random = crypto.getRandomValues(new Uint8Array(60_000))
  const workspace = await workspaceWith([
    write('a.txt', 'hello\n'),
    write('empty', ''),
    write('run.sh', '#!/bin/sh\n', 0o755),
    write('deep/er/图.bin', random),
    { op: 'mkdir', path: workspacePath('nothing in it') },
    { op: 'link', path: workspacePath('out'), target: '/etc/passwd' },
    { op: 'link', path: workspacePath('in'), target: 'a.txt' },
  ])
  const time = [2026, 11, 20, 11, 8, 42]
  expect(await unpacked(zipOf(inPieces(workspace)))).toEqual({
    'a.txt': [6, '5891b5b522d5df08', '0o100644', time],
    empty: [0, 'e3b0c44298fc1c14', '0o100644', time],
    'run.sh': [10, expect.any(String), '0o100755', time],
    'deep/er/图.bin': [60_000, (await sha256(random)).slice(0, 16), '0o100644', time],
  })
})

/** The same, with contents that arrive a few bytes at a time. */
function inPieces<W extends Awaited<ReturnType<typeof workspaceWith>>>(workspace: W): W {
  const cut = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (let at = 0; at < chunk.length; at += 1_000) controller.enqueue(chunk.slice(at, at + 1_000))
      },
    })
  const whole = workspace.openContent.bind(workspace)
  const openContent: W['openContent'] = async (entry) => (await whole(entry)).pipeThrough(cut())
  return Object.assign(workspace, { openContent })
}

it('is a valid zip of nothing when there are no files', async () => {
  expect(await unpacked(zipOf(await workspaceWith([])))).toEqual({})
})

it('holds more files than the first zip could count', async () => {
  const many = Array.from({ length: 65_600 }, (_, at) => write(`d${at % 300}/${at}`, ''))
  expect(Object.keys(await unpacked(zipOf(await workspaceWith(many))))).toHaveLength(65_600)
}, 120_000)

it('has the files as they were when it was asked for', async () => {
  const workspace = await workspaceWith([write('a', '1'), write('b', '2')])
  const archive = zipOf(workspace)
  await workspace.commit([write('a', 'changed'), { op: 'remove', path: workspacePath('b') }])
  const files = await unpacked(archive)
  expect(Object.entries(files).map(([name, [size]]) => [name, size])).toEqual([
    ['a', 1],
    ['b', 1],
  ])
})

it('opens no further file once its reader has gone, and waits for its reader', async () => {
  const opened: string[] = []
  const inner = await workspaceWith(Array.from({ length: 50 }, (_, at) => write(`f${at + 10}`, 'x'.repeat(1_000))))
  const openContent = inner.openContent.bind(inner)
  const workspace = Object.assign(inner, {
    openContent: (entry: Parameters<typeof openContent>[0]) => {
      opened.push(entry.path)
      return openContent(entry)
    },
  })
  const reader = zipOf(workspace).getReader()
  await reader.read()
  await reader.read()
  expect(opened.length).toBeLessThan(3)
  await reader.cancel()
  await reader.closed
  expect(opened.length).toBeLessThan(3)
})

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
