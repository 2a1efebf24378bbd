import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pathFromBytes, pathToBytes, type WorkspacePath, workspacePath } from '../../../src/core/workspace-path.ts'
import { SandboxGone } from '../../../src/ports/sandbox.ts'
import { difference } from '../../../src/session/sync/difference.ts'
import type { KnownFiles } from '../../../src/session/sync/known.ts'
import { findAll, parseListing } from '../../../src/session/sync/listing.ts'
import { IgnoreList, ignoreList } from '../../../src/workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../../src/workspace/synced.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolyard-listing-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const listing = (ignore = new IgnoreList([], [])) =>
  parseListing(execFileSync('bash', ['-c', findAll(ignore)], { cwd: directory }))

const list = (ignore?: IgnoreList) => [...listing(ignore).entries].sort((a, b) => (a.path < b.path ? -1 : 1))

describe('a listing', () => {
  it('tells files, directories and links with mode, size and target', () => {
    writeFileSync(join(directory, 'a.sh'), 'hello')
    chmodSync(join(directory, 'a.sh'), 0o755)
    mkdirSync(join(directory, 'd'))
    symlinkSync('a tab\there', join(directory, 'l'))
    expect(list().map(({ path, kind, mode, size, target }) => ({ path, kind, mode, size, target }))).toMatchObject([
      { path: 'a.sh', kind: 'file', mode: 0o755, size: 5, target: '' },
      { path: 'd', kind: 'directory' },
      { path: 'l', kind: 'link', target: 'a tab\there' },
    ])
  })

  it('shows another stamp when a file was rewritten with the same size and its old mtime', () => {
    const file = join(directory, 'f')
    writeFileSync(file, 'one')
    utimesSync(file, 1, 1)
    const [before] = list()
    writeFileSync(file, 'two')
    utimesSync(file, 1, 1)
    const [after] = list()
    expect(after?.mtimeMs).toBe(before?.mtimeMs)
    expect(after?.stamp).not.toBe(before?.stamp)
  })

  it('shows the same stamp when nothing happened', () => {
    writeFileSync(join(directory, 'f'), 'same')
    expect(list()).toEqual(list())
  })

  it('keeps names with newlines, leading dashes and bytes that are not UTF-8', () => {
    const odd = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x61, 0xff, 0xc3, 0x28])])
    writeFileSync(odd, '')
    writeFileSync(join(directory, 'two\nlines'), '')
    writeFileSync(join(directory, '-rf'), '')
    const paths = list().map(({ path }) => path)
    expect(paths).toContain('two\nlines')
    expect(paths).toContain('-rf')
    const kept = paths.find((path) => path.startsWith('a')) ?? ''
    expect([...pathToBytes(kept)]).toEqual([0x61, 0xff, 0xc3, 0x28])
  })

  it('sees when only the permissions of a file or a directory change', () => {
    writeFileSync(join(directory, 'f'), '')
    mkdirSync(join(directory, 'd'))
    const before = list()
    chmodSync(join(directory, 'f'), 0o600)
    chmodSync(join(directory, 'd'), 0o700)
    const after = list()
    for (const [at, entry] of after.entries()) expect(entry.stamp).not.toBe(before[at]?.stamp)
  })

  it('names what no workspace can have apart from the rest', () => {
    writeFileSync(join(directory, 'fine'), '')
    let deep = directory
    for (let level = 0; level < 15; level++) {
      deep = join(deep, `${level}`.padStart(240, 'x'))
      mkdirSync(deep)
    }
    const { entries, unnamable } = listing()
    expect(entries.map(({ path }) => path)).toContain('fine')
    expect(unnamable).toHaveLength(3)
  })

  it('takes a name of 255 bytes that are not UTF-8', () => {
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.alloc(255, 0xd6)]), '')
    const [entry] = list()
    expect([...pathToBytes(entry?.path ?? '')]).toEqual(Array.from({ length: 255 }, () => 0xd6))
  })

  it('passes over pipes', () => {
    execFileSync('mkfifo', [join(directory, 'pipe')])
    expect(list()).toEqual([])
  })
})

describe('names in a sandbox', () => {
  it.each([
    [[0x61]],
    [[0xe4, 0xb8, 0xad]],
    [[0xff, 0xfe, 0x80]],
    [[0xef, 0x9e, 0x80]], // the private-use character that stands for the byte 0x80
    [[0xef, 0xbf, 0xbd]], // a replacement character that is really there
    [[0xf0, 0x9f, 0x98, 0x80, 0xc3]],
  ])('survive the way there and back: %j', (bytes) => {
    const text = pathFromBytes(Uint8Array.from(bytes))
    expect(text.isWellFormed()).toBe(true)
    expect([...pathToBytes(text)]).toEqual(bytes)
  })
})

describe('what stays in the sandbox', () => {
  const cases: [file: string | null, path: string, ignored: boolean][] = [
    [null, 'code_env/bin/python', true],
    [null, 'code_env', false],
    [null, 'app/node_modules/x/y.js', true],
    [null, 'app/node_modules', false],
    [null, 'my_node_modules/x', false],
    [null, 'sub/code_env/x', false],
    ['build\n/data/raw\n# comment\n\n', 'a/build/x', true],
    ['build\n/data/raw\n', 'data/raw/x', true],
    ['build\n/data/raw\n', 'other/data/raw/x', false],
    ['build\n', 'node_modules/x', false],
    ['build\n', 'code_env/x', true],
    ['we?rd*', 'weird1/x', false],
    ['we?rd*', 'we?rd*/x', true],
  ]
  it.each(cases)('with the file %j, %s: %s', (file, path, ignored) => {
    const list_ = ignoreList(file)
    expect(list_.covers(path as never)).toBe(ignored)
    // `find` must see it the same way.
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), '')
    expect(list(list_).some((entry) => entry.path === path)).toBe(!ignored)
  })
})

const NO_RACE = { mapped: new Set<string>(), lookedMs: Number.POSITIVE_INFINITY }

/** One record as a sandbox would print it, forged where it says so. */
const record = (
  forged: Partial<Record<'kind' | 'mode' | 'size' | 'mtime' | 'ctime' | 'inode' | 'target' | 'path', string>>,
) => {
  const fields = {
    kind: 'f',
    mode: '644',
    size: '1',
    mtime: '1.0',
    ctime: '1.0',
    inode: '1',
    target: '',
    path: './a',
    ...forged,
  }
  return Object.values(fields)
    .map((field) => `${field}\0`)
    .join('')
}
const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('a forged listing', () => {
  it.each([
    ['a size that is none', { size: 'NaN' }],
    ['a size below nothing', { size: '-1' }],
    ['a size beyond all numbers', { size: '1e999' }],
    ['a time that is none', { mtime: 'x' }],
    ['a time of change beyond all numbers', { ctime: '9'.repeat(60) }],
    ['a number of millions of digits', { size: '1'.repeat(5_000_000) }],
    ['the root itself', { path: '.' }],
    ['the root by another name', { path: './x/..', kind: 'd' }],
  ])('with %s makes the sandbox one that cannot be listed', (_, forged) => {
    expect(() => parseListing(bytesOf(record(forged)))).toThrow(SandboxGone)
  })

  it.each([['../../etc/passwd'], ['./a/../../../x']])('names nothing outside: %s', (path) => {
    const { entries, unnamable } = parseListing(bytesOf(record({ path })))
    expect([entries, unnamable.length]).toEqual([[], 1])
  })

  it('of more records than a workspace may have is refused, whatever they are, and not read to its end', async () => {
    const usual = () =>
      parseListing(bytesOf(Array.from({ length: 90_000 }, (_, at) => record({ path: `./f${at}` })).join('')))
    for (const kind of ['f', 's', '', 'x'.repeat(60)]) {
      const many = bytesOf(record({ kind, path: `./${'p'.repeat(20)}` }).repeat(400_000))
      await expectCost(() => expect(() => parseListing(many)).toThrow(/more than 110000 files/), {
        below: async () => 3 * (await costOf(usual)) + 100,
      })
    }
  })
})

it('files that went from below many closed directories are looked for once each', async () => {
  const closed = 30_000
  const listed = parseListing(
    bytesOf(Array.from({ length: closed }, (_, at) => record({ kind: 'closed', path: `./closed-${at}` })).join('')),
  ).entries
  const gone = Array.from({ length: closed }, (_, at) => workspacePath(`gone-${at}/x`))
  const below = workspacePath('closed-7/kept')
  const known = new Map([...gone, below].map((path) => [path, { stamp: 's', signature: 'f 644 h' }]))
  const knownFiles = { all: () => known, get: (path: WorkspacePath) => known.get(path) } as unknown as KnownFiles
  const workspace = { stat: () => null } as unknown as SyncedWorkspace
  const difference_ = (listing: typeof listed) =>
    difference(listing, { known: knownFiles, workspace, ignore: new IgnoreList([], []), complete: true, race: NO_RACE })
  await expectCost(() => expect(difference_(listed).gone).toEqual(gone), {
    below: async () => 10 * (await costOf(() => difference_([]))) + 200,
  })
})
