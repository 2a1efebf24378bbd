import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FailureError } from '../../../src/core/failure.ts'
import { joined } from '../../../src/core/joined.ts'
import { sha256 } from '../../../src/core/sha256.ts'
import { tarEnd, tarHeader, tarPadding } from '../../../src/core/tar.ts'
import { SANDBOX_ROOT } from '../../../src/core/workspace-path.ts'
import type { RunResult, Sandbox } from '../../../src/ports/sandbox.ts'
import type { StoreContent } from '../../../src/ports/workspace.ts'
import { STATE_DIRECTORY } from '../../../src/session/sandbox/place.ts'
import { fetchContents } from '../../../src/session/sync/fetch.ts'
import { findAll, parseListing } from '../../../src/session/sync/listing.ts'
import { IgnoreList } from '../../../src/workspace/ignore-list.ts'
import { NOTHING } from '../../support/no-sandbox.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolyard-fetch-'))
})
afterEach(() => {
  vi.useRealTimers()
  logged.length = 0
  rmSync(directory, { recursive: true, force: true })
})

const MEGABYTE = 1024 * 1024
/** Beyond what comes in the command's own output. */
const LARGE = 300 * 1024

const listed = () =>
  parseListing(execFileSync('bash', ['-c', findAll(new IgnoreList([], []))], { cwd: directory })).entries

/** What a sandbox sends, and how much of it was taken. */
function sending(next: (at: number) => Uint8Array | null | Promise<never>) {
  const seen = { bytes: 0, cancelled: false }
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await next(at++)
      if (piece === null) return controller.close()
      seen.bytes += piece.length
      controller.enqueue(piece)
    },
    cancel() {
      seen.cancelled = true
    },
  })
  return { stream, seen }
}

/** A sandbox whose archive is `archive`, whatever was asked for. */
function sandboxOf({ stdout = '', stream }: { stdout?: string; stream?: ReadableStream<Uint8Array> }) {
  const scripts: string[] = []
  const sandbox: Sandbox = {
    ...NOTHING,
    async run(script): Promise<RunResult> {
      scripts.push(script)
      return { exitCode: 0, stdout, stderr: '' }
    },
    write: async () => undefined,
    readStream: async () => stream ?? null,
  }
  return { sandbox, scripts }
}

/** This machine as the sandbox, which has these files and no file of more than 2 MiB. */
function machine(contents: Readonly<Record<string, Buffer>>) {
  const [state, root] = [join(directory, 'state'), join(directory, 'files')]
  mkdirSync(state)
  mkdirSync(root)
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(root, name), content)
  const place = (text: string) => text.replaceAll(STATE_DIRECTORY, state).replaceAll(SANDBOX_ROOT, root)
  const onDisk = () => readdirSync(state).reduce((total, name) => total + statSync(join(state, name)).size, 0)
  const read: { readonly bytes: number; readonly onDisk: number }[] = []
  const sandbox: Sandbox = {
    ...NOTHING,
    run: async (script) => ({
      exitCode: 0,
      stdout: execFileSync('prlimit', [`--fsize=${2 * MEGABYTE}`, 'bash', '-c', place(script)]).toString(),
      stderr: '',
    }),
    write: async (files) => {
      for (const { path, content } of files) writeFileSync(place(path), content)
    },
    readStream: async (path) => {
      const part = readFileSync(place(path))
      read.push({ bytes: part.length, onDisk: onDisk() })
      return new Blob([part]).stream()
    },
  }
  const files = parseListing(execFileSync('bash', ['-c', findAll(new IgnoreList([], []))], { cwd: root })).entries
  return { files, sandbox, read, left: () => readdirSync(state) }
}

/** A store that notes the hash of each content. */
function hashingStore() {
  const hashes: string[] = []
  const hashing: StoreContent = async (given) => {
    const whole = given instanceof Uint8Array ? given : await new Response(given.stream as BodyInit).bytes()
    hashes.push(sha256(whole))
    return { hash: sha256(whole), size: whole.length }
  }
  return { hashes, hashing }
}

const NEVER = new AbortController().signal

const stored: number[] = []
const store: StoreContent = async (content) => {
  if (content instanceof Uint8Array) return { hash: sha256(content), size: content.length }
  let size = 0
  for await (const chunk of content.stream) size += chunk.length
  stored.push(size)
  return { hash: 'h', size }
}

const fetched = (sandbox: Sandbox) => {
  const signal = new AbortController().signal
  return fetchContents(listed(), { sandbox, signal, logError: (thrown) => logged.push(thrown) }, store)
}
const logged: unknown[] = []

const refused = async (sandbox: Sandbox) => {
  const thrown = await fetched(sandbox).then(
    () => null,
    (failed: unknown) => failed,
  )
  return thrown instanceof FailureError ? [thrown.failure.code, thrown.failure.message] : thrown
}
const NOT_WHOLE = ['upstream', 'the changed files did not arrive whole from the sandbox; call again']

const entry = (name: string, size: number, content = new Uint8Array(size)) =>
  joined([
    tarHeader({ name: Buffer.from(name), kind: 'file', mode: 0o644, mtimeMs: 0, size }),
    content,
    tarPadding(content.length),
  ])

/** Gzip of `head`, then of zeros without end, a thousand times as long as what is sent. */
function bomb(head: Uint8Array) {
  const beginning = execFileSync(
    'python3',
    [
      '-c',
      'import sys,zlib\nz=zlib.compressobj(9,zlib.DEFLATED,31)\nd=sys.stdin.buffer.read()\nsys.stdout.buffer.write(z.compress(d)+z.flush(zlib.Z_FULL_FLUSH))',
    ],
    { input: head },
  )
  const zeros = execFileSync('python3', [
    '-c',
    'import sys,zlib\nz=zlib.compressobj(9,zlib.DEFLATED,-15)\nsys.stdout.buffer.write(z.compress(bytes(1<<26))+z.flush(zlib.Z_FULL_FLUSH))',
  ])
  expect(zeros.length).toBeLessThan(100_000)
  return sending((at) => new Uint8Array(at === 0 ? beginning : zeros))
}

describe('the files that a sandbox sends', () => {
  it('have their cause logged when they break off, with how much was to come', async () => {
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    const cause = new Error('the connection broke')
    const { sandbox } = sandboxOf({ stream: sending(() => Promise.reject(cause)).stream })
    expect(await refused(sandbox)).toEqual(NOT_WHOLE)
    expect(logged).toMatchObject([{ message: expect.stringContaining(`1 of 1 files, ${LARGE} bytes`), cause }])
  })

  it.each([
    ['gzip: stdout: No space left on device', 'limit_exceeded', /the sandbox's disk is full.*; delete what/],
    ['tar: write error', 'upstream', /could not be packed in the sandbox; call again$/],
  ])('that cannot be packed there are told with what to do: %s', async (stderr, code, message) => {
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    const run = async (): Promise<RunResult> => ({ exitCode: 1, stdout: '', stderr })
    expect(await refused({ ...sandboxOf({}).sandbox, run })).toEqual([code, expect.stringMatching(message)])
    expect(logged).toEqual([new Error(`packing ${LARGE} bytes of changed files ended with 1: ${stderr}`)])
  })

  it('may take longer to be packed and carried over the more they are', async () => {
    writeFileSync(join(directory, 'a'), '')
    truncateSync(join(directory, 'a'), 500_000_000)
    const limits: number[] = []
    const { sandbox } = sandboxOf({})
    const run: Sandbox['run'] = async (script, options) => {
      limits.push(options.timeoutMs)
      return sandbox.run(script, options)
    }
    await refused({ ...sandbox, run })
    expect(limits[0]).toBeGreaterThan(15 * 60_000)
  })

  it('come over, and its archive is removed there', async () => {
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    writeFileSync(join(directory, 'b'), 'small')
    const packed = execFileSync('tar', ['-czf', '-', '--format=gnu', './a', './b'], { cwd: directory })
    const { stream } = sending((at) => (at === 0 ? new Uint8Array(packed) : null))
    const { sandbox, scripts } = sandboxOf({ stream })
    const { contents } = await fetched(sandbox)
    expect(
      [...contents].map(
        ([
          path,
          {
            stored: { size },
          },
        ]) => [path, size],
      ),
    ).toEqual([
      ['a', LARGE],
      ['b', 5],
    ])
    expect(scripts.at(-1)).toMatch(/^rm -rf .*\/pull-[0-9a-f-]+\.tgz$/)
  })

  it('come in parts where the archive is larger than one file there may be, and all parts are removed', async () => {
    const content = randomBytes(5 * MEGABYTE)
    const { files, sandbox, read, left } = machine({ a: content })
    const { hashes, hashing } = hashingStore()
    await fetchContents(files, { sandbox, signal: NEVER, logError: () => undefined }, hashing, 2 * MEGABYTE)
    expect(hashes).toEqual([sha256(content)])
    expect(read.slice(0, -1).map(({ bytes }) => bytes)).toEqual([2 * MEGABYTE, 2 * MEGABYTE])
    expect(left()).toEqual([])
  })

  it('are packed a group at a time, so that the disk there needs room for one group', async () => {
    const contents = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, randomBytes(MEGABYTE + 1)]))
    const { files, sandbox, read, left } = machine(contents)
    const { hashes, hashing } = hashingStore()
    await fetchContents(files, { sandbox, signal: NEVER, logError: () => undefined }, hashing, 2 * MEGABYTE)
    expect(hashes.toSorted()).toEqual(Object.values(contents).map(sha256).toSorted())
    expect(read.length).toBe(4)
    for (const { onDisk } of read) expect(onDisk).toBeLessThan(2 * MEGABYTE)
    expect(left()).toEqual([])
  })

  it.each([
    ['as they are where packing makes them no smaller', randomBytes(17 * MEGABYTE), [17, 18]],
    ['packed where that makes them smaller', Buffer.alloc(17 * MEGABYTE, 'text '), [0, 1]],
  ])('come %s', async (_, content, [least = 0, most = 0]) => {
    const { files, sandbox, read } = machine({ a: content })
    const { hashes, hashing } = hashingStore()
    await fetchContents(files, { sandbox, signal: NEVER, logError: () => undefined }, hashing, 2 * MEGABYTE)
    expect(hashes).toEqual([sha256(content)])
    const bytes = read.reduce((total, part) => total + part.bytes, 0)
    expect(bytes).toBeGreaterThan(least * MEGABYTE)
    expect(bytes).toBeLessThan(most * MEGABYTE)
  })

  it.each([['0'], ['999'], ['many']])('are not looked for in as many parts as a task says: %s', async (stdout) => {
    writeFileSync(join(directory, 'a'), '')
    truncateSync(join(directory, 'a'), 300 * MEGABYTE)
    const [code, message] = (await refused(sandboxOf({ stdout }).sandbox)) as [string, string]
    expect([code, message]).toEqual(['upstream', 'the changed files could not be packed in the sandbox; call again'])
  })

  it.each([
    ['behind the file that was asked for', (size: number) => joined([entry('./a', size), tarEnd()]), true],
    [
      'as the file that was asked for',
      () => tarHeader({ name: Buffer.from('./a'), kind: 'file', mode: 0, mtimeMs: 0, size: 400 * MEGABYTE }),
      false,
    ],
    [
      'as a file that is larger than any',
      () => tarHeader({ name: Buffer.from('./a'), kind: 'file', mode: 0, mtimeMs: 0, size: 8 ** 11 - 1 }),
      false,
    ],
  ])('are not waited for when zeros without end come %s: the stream is cancelled', async (_, head, whole) => {
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    const { stream, seen } = bomb(head(LARGE))
    const { sandbox, scripts } = sandboxOf({ stream })
    if (whole) expect((await fetched(sandbox)).contents.get('a' as never)?.stored.size).toBe(LARGE)
    else expect(await refused(sandbox)).toEqual(NOT_WHOLE)
    expect(seen.cancelled).toBe(true)
    expect(seen.bytes).toBeLessThan(MEGABYTE)
    expect(scripts.at(-1)).toMatch(/^rm -rf /)
  })

  it('are held to what was asked for also in the output of a command', async () => {
    writeFileSync(join(directory, 'a'), 'a')
    const bytes = gzipSync(joined([entry('./a', 1), ...Array(200).fill(entry('./a', MEGABYTE)), tarEnd()]), {
      level: 9,
    })
    expect(await refused(sandboxOf({ stdout: bytes.toString('base64') }).sandbox)).toEqual(NOT_WHOLE)
  })

  it.each([
    ['an entry that was not asked for', () => entry('./b', 1)],
    ['an entry twice', () => joined([entry('./a', 1), entry('./a', 1)])],
    ['a name that leads out', () => entry('../a', 1)],
    ['the name of a file below the one that was asked for', () => entry('./a/b', 1)],
    ['the name in other words', () => entry('./x/../a', 1)],
  ])('are refused with %s', async (_, archive) => {
    writeFileSync(join(directory, 'a'), 'a')
    const stdout = gzipSync(joined([archive(), tarEnd()])).toString('base64')
    expect(await refused(sandboxOf({ stdout }).sandbox)).toEqual(NOT_WHOLE)
  })

  it.each([
    ['comes to a halt', () => new Promise<never>(() => undefined)],
    ['never begins', null],
  ])('are given up when their stream %s', async (_, halt) => {
    vi.useFakeTimers()
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    const packed = gzipSync(entry('./a', LARGE))
    const { stream, seen } = sending((at) =>
      at === 0 && halt ? new Uint8Array(packed.subarray(0, 50)) : new Promise<never>(() => undefined),
    )
    const failed = refused(sandboxOf({ stream }).sandbox)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(await failed).toEqual(NOT_WHOLE)
    expect(seen.cancelled).toBe(true)
  })

  it.each([
    ['breaks off with an error', () => Promise.reject(new Error('the line was cut'))],
    ['ends early', async () => null],
    ['goes on as something else than gzip', async () => new Uint8Array(2 * LARGE).fill(7)],
  ])('are refused when their stream %s', async (_, rest) => {
    writeFileSync(join(directory, 'a'), 'a'.repeat(LARGE))
    const packed = gzipSync(joined([entry('./a', LARGE, new Uint8Array(randomBytes(LARGE))), tarEnd()]))
    const { stream } = sending((at) => (at === 0 ? new Uint8Array(packed.subarray(0, 50_000)) : (rest() as never)))
    expect(await refused(sandboxOf({ stream }).sandbox)).toEqual(NOT_WHOLE)
  })

  it('are refused before they are packed when a workspace cannot hold them', async () => {
    const files = listedSizes(12, 500 * MEGABYTE)
    const { sandbox, scripts } = sandboxOf({})
    const signal = new AbortController().signal
    const failed = await fetchContents(files, { sandbox, signal, logError: () => undefined }, store).catch(
      (thrown: unknown) => thrown,
    )
    expect(failed).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringMatching(/MAX_WORKSPACE_BYTES/) },
    })
    expect(scripts).toEqual([])
  })
})

/** So many files that are nothing but size. */
function listedSizes(count: number, bytes: number) {
  for (let at = 0; at < count; at++) {
    writeFileSync(join(directory, `sparse-${at}`), '')
    truncateSync(join(directory, `sparse-${at}`), bytes)
  }
  return listed()
}
