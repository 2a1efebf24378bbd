import { describe, expect, it } from 'vitest'
import {
  MAX_EDIT_BYTES,
  MAX_FILE_BYTES,
  MAX_INLINE_BLOB_BYTES,
  MAX_WORKSPACE_BYTES,
  MAX_WORKSPACE_ENTRIES,
} from '../../../src/core/limits/workspace.ts'
import { ROOT, type WorkspacePath } from '../../../src/core/workspace-path.ts'
import type { FileEntry } from '../../../src/ports/workspace.ts'
import { streamOf } from '../../../src/workspace/bytes.ts'
import { hashOf } from '../../support/blobs-memory.ts'
import { openSessionTables } from '../../support/tables.ts'
import { largeContent, link, mkdir, move, openWorkspace, p, remove, text, tree, write } from './open.ts'

const failure = (code: string, words: RegExp = /./) =>
  expect.objectContaining({ failure: expect.objectContaining({ code, message: expect.stringMatching(words) }) })

describe('writing and reading', () => {
  it('gives back the bytes that were written, with their hash, size, mode and time', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a/b/hello.txt', 'hello', { mode: 0o755, mtimeMs: 123_456.7 })])
    expect(await text(workspace, 'a/b/hello.txt')).toBe('hello')
    expect(workspace.stat(p('a/b/hello.txt'))).toEqual({
      path: 'a/b/hello.txt',
      kind: 'file',
      hash: hashOf('hello'),
      size: 5,
      mode: 0o755,
      mtimeMs: 123_457,
    })
  })

  it('reads many files at once, small and large, and says which had to be fetched', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', 'one'), write('b', 'one'), write('c', largeContent(MAX_INLINE_BLOB_BYTES + 1))])
    const files = workspace.list(ROOT).entries.filter((entry) => entry.kind === 'file')
    const gone = { ...files[0], kind: 'file', hash: hashOf('nowhere') } as FileEntry
    const { contents, fetched } = await workspace.readMany([...files, gone])
    expect(contents.map((content) => content?.length ?? null)).toEqual([3, 3, files[2]?.size, null])
    expect(fetched).toBe(2)
    expect(await workspace.readMany([])).toEqual({ contents: [], fetched: 0 })
  })

  it('makes the directories on the way, and keeps empty ones', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a/b/c.txt', 'x'), mkdir('empty/deep')])
    expect(tree(workspace)).toEqual(['a/', 'a/b/', 'a/b/c.txt', 'empty/', 'empty/deep/'])
    expect(workspace.totals()).toEqual({ entries: 5, bytes: 1 })
  })

  it('keeps the permissions of a file that is written again', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('run.sh', '1', { mode: 0o700 })])
    await workspace.commit([write('run.sh', '2')])
    expect(workspace.stat(p('run.sh'))?.mode).toBe(0o700)
  })

  it.each([0, 1, MAX_INLINE_BLOB_BYTES, MAX_INLINE_BLOB_BYTES + 1, 3_000_000])('keeps %d bytes whole', async (size) => {
    const { workspace } = openWorkspace()
    const content = largeContent(size)
    await workspace.commit([write('data.bin', content)])
    expect(Buffer.compare((await workspace.read(p('data.bin'))) ?? Buffer.of(7), content)).toBe(0)
    const opened = await workspace.open(p('data.bin'))
    expect(opened?.entry.size).toBe(size)
    expect(hashOf(new Uint8Array(await new Response(opened?.body).arrayBuffer()))).toBe(hashOf(content))
  })

  it('writes only the part of a buffer that it was given', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('part', new TextEncoder().encode('[inner]').subarray(1, 6))])
    expect(await text(workspace, 'part')).toBe('inner')
  })

  it('takes a stream of any size, and refuses one of another length than announced', async () => {
    const { workspace, blobs } = openWorkspace()
    const content = largeContent(200_000)
    const stream = (size: number) =>
      workspace.commit([{ op: 'write', path: p('s.bin'), content: { stream: streamOf(content), size } }])
    await expect(stream(199_999)).rejects.toEqual(failure('invalid_input'))
    expect(workspace.stat(p('s.bin'))).toBeNull()
    await stream(200_000)
    expect(blobs.contents.has(hashOf(content))).toBe(true)
    expect(hashOf((await workspace.read(p('s.bin'))) ?? '')).toBe(hashOf(content))
  })

  it('has nothing where nothing was written, and a root that is always there', async () => {
    const { workspace } = openWorkspace()
    expect(workspace.stat(p('nothing'))).toBeNull()
    expect(await workspace.read(p('nothing'))).toBeNull()
    expect(await workspace.open(p('nothing'))).toBeNull()
    expect(workspace.stat(ROOT)).toMatchObject({ kind: 'directory', path: '' })
    expect(await workspace.read(ROOT)).toBeNull()
  })

  it('keeps all when its tables are made a second time', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit([write('a', '1')])
    openSessionTables(sql)
    expect(await text(workspace, 'a')).toBe('1')
  })

  it('commits a small file in one hash and a dozen statements', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit([mkdir('dir')])
    const before = sql.statements
    await workspace.commit([write('dir/a.txt', 'x'.repeat(100))])
    expect(sql.statements - before).toBeLessThanOrEqual(13)
  })
})

describe('a look at many paths', () => {
  it('shows each entry as a look at its path does, and leaves out what is not there', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a/"é".txt', 'text'), link('a/link', 'b'), write('c', 'other')])
    const paths = ['a', 'a/"é".txt', 'a/link', 'gone'].map(p)
    const looked = workspace.statMany(paths)
    expect([...looked.keys()].sort()).toEqual(paths.slice(0, 3).sort())
    for (const path of paths) expect(looked.get(path) ?? null).toEqual(workspace.stat(path))
  })
})

describe('all or nothing', () => {
  it.each([
    ['a file where a directory stands', [write('new.txt', '1'), write('dir', '2')], 'conflict', /dir is a directory/],
    ['a file below a file', [write('new.txt', '1'), write('file/x', '2')], 'conflict', /file is a file and not a dir/],
    ['a directory where a file stands', [write('new.txt', '1'), mkdir('file')], 'conflict', /file is a file/],
    ['a file below a link', [write('new.txt', '1'), write('link/x', '2')], 'conflict', /link is a link/],
    ['a file in place of the root', [write('new.txt', '1'), write('', '2')], 'conflict', /root is a directory/],
    ['removal of the root', [write('new.txt', '1'), remove('')], 'invalid_input', /root itself cannot be removed/],
    ['a move of the root', [write('new.txt', '1'), move('', 'x')], 'invalid_input', /root itself cannot be moved/],
    ['a move of nothing', [write('new.txt', '1'), move('nothing', 'x')], 'not_found', /nothing at nothing/],
    ['a move into itself', [write('new.txt', '1'), move('dir', 'dir/sub/dir')], 'invalid_input', /into itself/],
    ['a move onto a directory', [write('new.txt', '1'), move('file', 'dir')], 'conflict', /dir is a directory/],
    ['a link without a target', [write('new.txt', '1'), link('l', '')], 'invalid_input', /no target/],
    [
      'permissions of nothing',
      [write('new.txt', '1'), { op: 'chmod' as const, path: p('no'), mode: 0o600 }],
      'not_found',
      /nothing at no/,
    ],
    [
      'a file that is too large',
      [
        write('new.txt', '1'),
        { op: 'write' as const, path: p('big'), content: { stream: streamOf(Buffer.of()), size: MAX_FILE_BYTES + 1 } },
      ],
      'limit_exceeded',
      /MAX_FILE_BYTES/,
    ],
    [
      'a name that is no Unicode',
      [write('new.txt', '1'), { ...write('x', '2'), path: '\ud800' as WorkspacePath }],
      'invalid_input',
      /not valid Unicode/,
    ],
  ])('changes nothing when one change is %s', async (_, changes, code, words) => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('file', 'old'), mkdir('dir/sub'), link('link', 'dir')])
    const before = [...workspace.entries()]
    await expect(workspace.commit(changes)).rejects.toEqual(failure(code, words))
    expect([...workspace.entries()]).toEqual(before)
    expect(workspace.headSeq()).toBe(1)
    expect(workspace.totals()).toEqual({ entries: 4, bytes: 3 })
  })

  it('sends no large content for a commit that cannot succeed', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([mkdir('dir')])
    await expect(workspace.commit([write('a', largeContent(100_000)), write('dir', 'x')])).rejects.toEqual(
      failure('conflict'),
    )
    expect(blobs.calls).toEqual([])
  })

  it('refuses the entry that is one too many, and lets a full workspace shrink', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit([write('a', '1'), write('b', '2')])
    sql.all('UPDATE workspace_state SET entries = ?', MAX_WORKSPACE_ENTRIES)
    await expect(workspace.commit([write('c', '3')])).rejects.toEqual(
      failure('limit_exceeded', /MAX_WORKSPACE_ENTRIES/),
    )
    await workspace.commit([write('a', 'changed')])
    await workspace.commit([remove('b')])
    await workspace.commit([write('c', '3')])
  })

  it('refuses the bytes that are too many', async () => {
    const { workspace, sql } = openWorkspace()
    sql.all('UPDATE workspace_state SET bytes = ?', MAX_WORKSPACE_BYTES - 1)
    await workspace.commit([write('a', '1')])
    await expect(workspace.commit([write('b', '2')])).rejects.toEqual(failure('limit_exceeded', /MAX_WORKSPACE_BYTES/))
  })

  it('says that a file is too large to be read whole', async () => {
    const { workspace, reopen, sql } = openWorkspace()
    await workspace.commit([write('a', '1')])
    sql.all('UPDATE workspace_entries SET size = ?', MAX_EDIT_BYTES + 1)
    await expect(reopen().read(p('a'))).rejects.toEqual(failure('limit_exceeded', /MAX_EDIT_BYTES/))
  })

  it('makes no commit when nothing changes', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', '1'), mkdir('d')])
    await workspace.commit([mkdir('d'), remove('nothing'), write('a', '1'), move('a', 'a')])
    await workspace.commit([write('tmp', 'x'), remove('tmp')])
    await workspace.commit([move('a', 'b'), move('b', 'a')])
    await workspace.commit([])
    expect(workspace.headSeq()).toBe(1)
    expect(workspace.changesSince(0)).toEqual(['a', 'd'])
  })

  it('carries changes out in order', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', 'file')])
    await workspace.commit([remove('a'), write('a/b', '1'), move('a', 'c'), write('a', 'again'), write('c/d', '2')])
    expect(tree(workspace)).toEqual(['a', 'c/', 'c/b', 'c/d'])
    expect(workspace.totals()).toEqual({ entries: 4, bytes: 7 })
  })

  it('keeps both of two commits that are under way at once, in one order or the other', async () => {
    const { workspace } = openWorkspace()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        workspace.commit([write(`n/${n}`, `${n}`), write('last', n % 2 ? `${n}` : largeContent(70_000, n))]),
      ),
    )
    expect(workspace.list(p('n'), {}).entries).toHaveLength(20)
    expect(workspace.headSeq()).toBe(20)
  })
})

describe('removing and moving', () => {
  it('takes a directory with all below it, and nothing that only looks alike', async () => {
    const names = ['a/x', 'a/y/z', 'a-b/1', 'a0', 'a.txt', 'ab/2', 'A/3', 'a /4']
    const { workspace } = openWorkspace()
    await workspace.commit(names.map((name) => write(name, name)))
    await workspace.commit([remove('a')])
    expect(tree(workspace)).toEqual(['A/', 'A/3', 'a /', 'a /4', 'a-b/', 'a-b/1', 'a.txt', 'a0', 'ab/', 'ab/2'])
    await workspace.commit([move('a-b', 'a')])
    expect(tree(workspace)).toEqual(['A/', 'A/3', 'a/', 'a /', 'a /4', 'a.txt', 'a/1', 'a0', 'ab/', 'ab/2'])
    expect(workspace.totals()).toEqual({ entries: 10, bytes: 'A/3a /4a-b/1a.txta0ab/2'.length })
  })

  it('takes % and _ and * in names for what they are', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(['%/x', '_/x', '*/x', 'b/x', "'/x", '"/x', '\\/x'].map((name) => write(name, name)))
    await workspace.commit([remove('%'), remove('_'), move('*', '%_')])
    expect(tree(workspace)).toEqual(['"/', '"/x', '%_/', '%_/x', "'/", "'/x", '\\/', '\\/x', 'b/', 'b/x'])
    expect(await text(workspace, '%_/x')).toBe('*/x')
  })

  it('keeps names in any script, and names that are no UTF-8, sorted by code point', async () => {
    const { workspace } = openWorkspace()
    const names = ['e\u0301', '\u00e9', '文件', '😀', '\ufb00～', 'z', '\uf780x', '\u{10ffff}']
    await workspace.commit(names.map((name) => write(`dir/${name}/f`, name)))
    await workspace.commit([move('dir/😀', 'dir/文件😀'), move('dir', '目录')])
    const listed = workspace.list(p('目录'), {}).entries.map(({ path }) => path.slice('目录/'.length))
    const moved = names.map((name) => (name === '😀' ? '文件😀' : name))
    expect(listed).toEqual(moved.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    for (const name of names) expect(await text(workspace, `目录/${name === '😀' ? '文件😀' : name}/f`)).toBe(name)
  })

  it('moves a directory without touching its bytes', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([write('a/x', '1'), write('a/b/y', largeContent(100_000)), mkdir('a/empty')])
    const calls = blobs.calls.length
    await workspace.commit([move('a', 'deep/er/c')])
    expect(tree(workspace)).toEqual([
      'deep/',
      'deep/er/',
      'deep/er/c/',
      'deep/er/c/b/',
      'deep/er/c/b/y',
      'deep/er/c/empty/',
      'deep/er/c/x',
    ])
    expect(blobs.calls.length).toBe(calls)
  })

  it('replaces a file or a link that stands at the new name', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', 'new'), write('b', 'old'), link('l', 'b'), write('c', 'more')])
    await workspace.commit([move('a', 'b'), move('c', 'l')])
    expect(await text(workspace, 'b')).toBe('new')
    expect(await text(workspace, 'l')).toBe('more')
    expect(tree(workspace)).toEqual(['b', 'l'])
  })

  it('refuses a move that would make a path too long, and keeps all', async () => {
    const { workspace } = openWorkspace()
    const long = Array.from({ length: 14 }, () => 'n'.repeat(200)).join('/')
    await workspace.commit([write(`a/${long}`, '1')])
    await expect(workspace.commit([move('a', `${'m'.repeat(250)}/${'m'.repeat(250)}`)])).rejects.toEqual(
      failure('invalid_input', /MAX_PATH_BYTES/),
    )
    expect(await text(workspace, `a/${long}`)).toBe('1')
  })

  it('changes permissions and times', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', '1', { mtimeMs: 5 })])
    await workspace.commit([{ op: 'chmod', path: p('a'), mode: 0o100_600 }])
    expect(workspace.stat(p('a'))).toMatchObject({ mode: 0o600, mtimeMs: 5 })
    await workspace.commit([{ op: 'chmod', path: p('a'), mode: 0o600, mtimeMs: 9 }])
    expect(workspace.stat(p('a'))).toMatchObject({ mode: 0o600, mtimeMs: 9 })
  })
})

describe('listing', () => {
  it('lists a directory, without what lies deeper unless asked', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a/b/c', '1'), write('a/d', '2'), write('e', '3')])
    const paths = (dir: string, options: Parameters<typeof workspace.list>[1]) =>
      workspace.list(p(dir), options).entries.map(({ path }) => path)
    expect(paths('', {})).toEqual(['a', 'e'])
    expect(paths('a', {})).toEqual(['a/b', 'a/d'])
    expect(paths('a', { recursive: true })).toEqual(['a/b', 'a/b/c', 'a/d'])
    expect(paths('', { recursive: true })).toEqual(['a', 'a/b', 'a/b/c', 'a/d', 'e'])
    expect(paths('e', {})).toEqual([])
    expect(paths('nothing', { recursive: true })).toEqual([])
  })

  it('says when it was cut', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a/1', ''), write('a/2', ''), write('b', '')])
    expect(workspace.list(ROOT, { limit: 2 })).toMatchObject({ truncated: false, entries: [{}, {}] })
    expect(workspace.list(ROOT, { limit: 1 })).toMatchObject({ truncated: true, entries: [{ path: 'a' }] })
    expect(workspace.list(ROOT, { recursive: true, limit: 3 })).toMatchObject({
      truncated: true,
      entries: [{}, {}, {}],
    })
    expect(workspace.list(ROOT, { limit: 0 })).toEqual({ truncated: true, entries: [] })
  })

  it('goes on behind a path, in pages, with and without directories that it does not enter', async () => {
    const { workspace } = openWorkspace()
    const paths = ['a/b', 'a-b', 'a/c/d', 'a/c0', 'b', '😀', 'ｚ']
    await workspace.commit(paths.map((path) => write(path, path)))
    for (const except of [[], [p('a/c')]]) {
      const whole = workspace.list(ROOT, { recursive: true, except }).entries.map(({ path }) => path)
      const paged: WorkspacePath[] = []
      for (let more = true; more; ) {
        const page = workspace.list(ROOT, { recursive: true, except, limit: 2, after: paged.at(-1) })
        paged.push(...page.entries.map(({ path }) => path))
        more = page.truncated
      }
      expect(paged).toEqual(whole)
    }
    expect(workspace.list(p('a'), { recursive: true, after: p('a/b') }).entries).toMatchObject([
      { path: 'a/c' },
      { path: 'a/c/d' },
      { path: 'a/c0' },
    ])
    expect(workspace.list(p('a'), { recursive: true, after: p('b') }).entries).toEqual([])
  })

  it('names the directories that it does not enter', async () => {
    const { workspace } = openWorkspace()
    const paths = ['n', 'n-x/1', 'n/a', 'n/b/c', 'n0', 'z/n/q', 'a', '😀/1', 'ｚ/1', '\u{10ffff}\u{10ffff}']
    await workspace.commit(paths.filter((path) => path !== 'n').map((path) => write(path, path)))
    const list = (except: string[], dir = '') =>
      workspace.list(p(dir), { recursive: true, except: except.map(p) }).entries.map(({ path }) => path)
    const all = tree(workspace).map((path) => path.replace(/\/$/, ''))
    const without = (...dirs: string[]) => all.filter((path) => !dirs.some((dir) => path.startsWith(`${dir}/`)))
    expect(list([])).toEqual(all)
    expect(list(['n'])).toEqual(without('n'))
    expect(list(['n/b', 'n', 'z/n'])).toEqual(without('n', 'z/n'))
    expect(list(['😀', 'ｚ', 'nothing', 'a'])).toEqual(without('😀', 'ｚ'))
    expect(list(['n'], 'n')).toEqual([])
    expect(list([''])).toEqual([])
    expect(list(['z'], 'n')).toEqual(['n/a', 'n/b', 'n/b/c'])
    expect(list(['n/b'], 'n')).toEqual(['n/a', 'n/b'])
  })

  it('gives what is in a directory and nothing below it, whatever the names beside each other are', async () => {
    const { workspace } = openWorkspace()
    const names = ['s', 's!', 's-x', 's.txt', 's0', 's1', 's\u0001', 's\u{10ffff}', 'sub', 'é', '😀', 'ｚ']
    const files = names.flatMap((name, at) =>
      at % 3 === 0 ? [name] : names.flatMap((below) => [`${name}/${below}/deep`, `${name}/${below}/${below}`]),
    )
    await workspace.commit(files.map((path) => write(path, path)))
    const all = [...workspace.entries()].map(({ path }) => path)
    for (const dir of ['', ...all]) {
      const isIn = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) === dir && path !== dir
      const listed = workspace.list(p(dir)).entries.map(({ path }) => path)
      expect(listed).toEqual(all.filter(isIn))
      expect(workspace.list(p(dir), { limit: 3 })).toMatchObject({
        entries: listed.slice(0, 3).map((path) => ({ path })),
        truncated: listed.length > 3,
      })
    }
  })

  it('handles 10,000 files', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(Array.from({ length: 10_000 }, (_, n) => write(`big/${n % 100}/${n}`, `${n}`)))
    expect(workspace.totals().entries).toBe(10_101)
    await workspace.commit([move('big', 'moved')])
    expect(workspace.list(p('moved'), { recursive: true }).entries).toHaveLength(10_100)
    await workspace.commit([remove('moved')])
    expect(workspace.totals()).toEqual({ entries: 0, bytes: 0 })
    workspace.restore(1)
    expect(workspace.totals().entries).toBe(10_101)
    expect(await text(workspace, 'big/42/9942')).toBe('9942')
  })
})

describe('links', () => {
  it('reads through links in the last name and on the way, and shows them as links otherwise', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([
      write('real/data/file', 'found'),
      link('to-file', 'real/data/file'),
      link('to-dir', './real//data/.'),
      link('real/up', '../to-dir'),
      link('absolute', '/home/user/workspace/real/up/file'),
      link('chain', 'absolute'),
    ])
    for (const path of ['to-file', 'to-dir/file', 'real/up/file', 'absolute', 'chain']) {
      expect(await text(workspace, path)).toBe('found')
    }
    expect(workspace.stat(p('chain'))).toMatchObject({ kind: 'link', target: 'absolute' })
    expect((await workspace.open(p('chain')))?.entry.path).toBe('real/data/file')
    expect(await workspace.read(p('to-dir'))).toBeNull()
  })

  it('goes up from where a link leads, not from where it lies', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([
      write('x/y/f', 'right'),
      write('f', 'wrong'),
      mkdir('x/y/z'),
      link('l', 'x/y/z'),
      link('m', 'l/../f'),
    ])
    expect(await text(workspace, 'm')).toBe('right')
  })

  it.each([
    '/etc/passwd',
    '../outside',
    'dir/../../outside',
    '/home/user',
    '/home/user/workspace-2/x',
    '../workspace/file',
  ])('never follows a link to %s', async (target) => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('etc/passwd', 'mine'), write('file', 'x'), mkdir('dir'), link('l', target)])
    await expect(workspace.read(p('l'))).rejects.toEqual(failure('forbidden', /outside the workspace/))
    await expect(workspace.open(p('l'))).rejects.toEqual(failure('forbidden', /outside the workspace/))
  })

  it('ends at links that go in a circle, and finds nothing behind one that dangles', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([link('a', 'b'), link('b', 'a'), link('self', 'self/x'), link('dangling', 'no/where')])
    for (const path of ['a', 'b', 'self', 'a/x']) {
      await expect(workspace.read(p(path))).rejects.toEqual(failure('invalid_input', /more than 40 links/))
    }
    expect(await workspace.read(p('dangling'))).toBeNull()
    expect(await workspace.read(p('dangling/x'))).toBeNull()
  })
})

describe('what changed', () => {
  it('names the paths changed since a commit', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('a', '1'), write('b/c', '2')])
    await workspace.commit([write('a', '3')])
    await workspace.commit([move('b', 'd')])
    expect(workspace.changesSince(2)).toEqual(['b', 'b/c', 'd', 'd/c'])
    expect(workspace.changesSince(3)).toEqual([])
    expect(workspace.changesSince(0)).toEqual(['a', 'b', 'b/c', 'd', 'd/c'])
    for (const unknown of [4, -1, 1.5, Number.NaN]) expect(workspace.changesSince(unknown)).toBeNull()
  })

  it('walks through all entries although there are more than a page holds', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit(Array.from({ length: 2_500 }, (_, n) => write(`${n}`, '')))
    const paths: WorkspacePath[] = [...workspace.entries()].map(({ path }) => path)
    expect(paths).toHaveLength(2_500)
    expect(new Set(paths).size).toBe(2_500)
  })
})
