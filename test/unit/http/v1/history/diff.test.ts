import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { workspacePath } from '../../../../../src/core/workspace-path.ts'
import type { Change } from '../../../../../src/ports/workspace.ts'
import { openFiles } from '../files/open-files.ts'

const p = workspacePath
const write = (path: string, text: string | Uint8Array, mode?: number): Change => ({
  op: 'write',
  path: p(path),
  content: typeof text === 'string' ? new TextEncoder().encode(text) : text,
  ...(mode !== undefined && { mode }),
})
const link = (path: string, target: string): Change => ({ op: 'link', path: p(path), target })
const remove = (path: string): Change => ({ op: 'remove', path: p(path) })

/** The files of a session over HTTP, and a way to change many at once. */
function opened() {
  const bench = openFiles()
  return { ...bench, commit: (changes: readonly Change[]) => bench.workspace.commit(changes) }
}

/** Makes files as changes of a workspace say. */
function lay(dir: string, changes: readonly Change[]): void {
  for (const change of changes) {
    const path = join(dir, change.op === 'move' ? change.to : change.path)
    mkdirSync(dirname(path), { recursive: true })
    if (change.op === 'write') writeFileSync(path, change.content as Uint8Array, { mode: change.mode ?? 0o644 })
    if (change.op === 'write' || change.op === 'chmod') chmodSync(path, change.mode ?? 0o644)
    if (change.op === 'remove' || change.op === 'link') rmSync(path, { force: true })
    if (change.op === 'link') symlinkSync(change.target, path)
  }
}

/** Files of a directory with their contents and whether they may be run. */
const treeOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    (readdirSync(dir, { recursive: true }) as string[]).sort().map((name) => {
      const stat = lstatSync(join(dir, name))
      if (stat.isSymbolicLink()) return [name, `-> ${readlinkSync(join(dir, name))}`]
      return [
        name,
        stat.isDirectory() ? '/' : `${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(dir, name), 'utf8')}`,
      ]
    }),
  )

const PATCH = { Accept: 'text/x-diff' }
const lines = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, n) => `${changed[n] ?? `line ${n}`}\n`).join('')

describe('a diff', () => {
  it('shows the changed lines of a text, with three around them, and that the end has no break', async () => {
    const { json, put } = openFiles()
    await put('a.txt', lines(20))
    await put('a.txt', `${lines(20, { 10: 'changed' })}end`)
    expect(await json('GET', '/diff?from=1&to=2')).toMatchObject({
      status: 200,
      body: {
        from: 1,
        to: 2,
        data: [
          {
            path: 'a.txt',
            change: 'modified',
            before: { kind: 'file', mode: '0644', size: 150 },
            after: { kind: 'file', mode: '0644', size: 153 },
            hunks: [
              {
                ...{ old_start: 8, old_lines: 7, new_start: 8, new_lines: 7 },
                lines: [' line 7', ' line 8', ' line 9', '-line 10', '+changed', ' line 11', ' line 12', ' line 13'],
              },
              {
                ...{ old_start: 18, old_lines: 3, new_start: 18, new_lines: 4 },
                lines: [' line 17', ' line 18', ' line 19', '+end', '\\ No newline at end of file'],
              },
            ],
            omitted: null,
          },
        ],
        next_cursor: null,
      },
    })
  })

  it('compares with now where to is left out, with the commit before where from is, and in either direction', async () => {
    const { json, put } = openFiles()
    await put('a', '1\n')
    await put('b', '1\n')
    await put('a', '2\n')
    const shown = async (query: string) => {
      const { body } = await json('GET', `/diff?${query}`)
      const data = body.data as { path: string; change: string; hunks: { lines: string[] }[] }[]
      return [
        body.from,
        body.to,
        ...data.map(({ path, change, hunks }) => `${change} ${path} ${hunks[0]?.lines.join('|')}`),
      ]
    }
    expect(await shown('')).toEqual([2, 3, 'modified a -1|+2'])
    expect(await shown('from=1')).toEqual([1, 3, 'modified a -1|+2', 'created b +1'])
    expect(await shown('to=2')).toEqual([1, 2, 'created b +1'])
    expect(await shown('from=3&to=1')).toEqual([3, 1, 'modified a -2|+1', 'deleted b -1'])
    expect(await shown('from=1&path=b')).toEqual([1, 3, 'created b +1'])
    expect(await shown('from=3')).toEqual([3, 3])
  })

  it('gives sizes and hashes of what is no text or too large, and targets of links', async () => {
    const { json, commit } = opened()
    await commit([write('bin', Uint8Array.of(1, 0, 2)), write('big', 'x\n'.repeat(60_000)), link('l', 'a')])
    await commit([
      write('bin', Uint8Array.of(1, 0, 3, 4)),
      write('big', 'y\n'.repeat(60_000)),
      link('l', 'b'),
      write('gbk', Uint8Array.of(0xc4, 0xe3)),
    ])
    const { body } = await json('GET', '/diff')
    expect(body.data).toMatchObject([
      { path: 'big', hunks: [], omitted: 'too large', before: { size: 120_000 } },
      {
        path: 'bin',
        hunks: [],
        omitted: 'not text',
        before: { size: 3 },
        after: { size: 4, etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) },
      },
      { path: 'gbk', omitted: 'not text', before: null },
      { path: 'l', before: { kind: 'link', target: 'a' }, after: { target: 'b' } },
    ])
  })

  it('comes in pages of paths and of characters, each of which applies by itself, and together to the whole', async () => {
    const { send, commit, json } = opened()
    const names = Array.from({ length: 30 }, (_, n) => `f${String(n).padStart(2, '0')}`)
    const text = (n: number, word: string) => `${word} ${n}\n`.repeat(4_000)
    await commit(names.map((name, n) => write(name, text(n, 'before'))))
    await commit(names.map((name, n) => write(name, text(n, 'after!'))))
    const first = await json('GET', '/diff?limit=5')
    expect((first.body.data as unknown[]).length).toBe(5)
    const seen: string[] = []
    let patches = 0
    for (let url: string | null = '/diff?limit=100'; url; patches++) {
      const answer = await send('GET', url, { headers: PATCH })
      for (const [, name = ''] of (await answer.text()).matchAll(/^diff --git a\/(\S+)/gm)) seen.push(name)
      url = /<\/v1\/sessions\/s([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null
    }
    expect(seen).toEqual(names)
    expect(patches).toBeGreaterThan(3)
  })

  it.each(['git', 'patch'])('as text/x-diff is what %s applies', async (program) => {
    const { send, commit } = opened()
    const spaced = 'dir with space/ä ö.txt'
    const before: Change[] = [
      write('text', lines(50)),
      write('no break', 'a\nb'),
      write('crlf', 'a\r\nb\r\n'),
      write('gone', 'gone\n'),
      write(spaced, lines(9)),
      write('script.sh', 'echo\n', 0o644),
      write('becomes-link', 'text\n'),
      link('link', 'text'),
      write('only-mode', 'same\n', 0o644),
    ]
    const after: Change[] = [
      write('text', lines(50, { 3: 'x', 4: 'y', 40: '' }).replace('line 20\n', '')),
      write('no break', 'a\nb\nc'),
      write('crlf', 'a\r\nc\r\n'),
      remove('gone'),
      write(spaced, lines(9, { 8: '-- x' })),
      write('script.sh', 'echo 1\n', 0o755),
      { op: 'chmod', path: p('only-mode'), mode: 0o755 },
      write('made/deep/new.txt', 'new\n'),
      ...(program === 'git'
        ? [
            write('empty', ''),
            write('quo"te\\x', 'q\n'),
            remove('becomes-link'),
            link('becomes-link', 'text'),
            link('link', 'crlf'),
          ]
        : []),
      write('bin', Uint8Array.of(0, 1)),
    ]
    await commit(before)
    const dir = mkdtempSync(join(tmpdir(), 'diff-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    lay(dir, before)
    await commit(after)
    const patch = await (await send('GET', '/diff?from=1&limit=100', { headers: PATCH })).text()
    if (program === 'git') {
      execFileSync('git', ['init', '-q'], { cwd: dir })
      execFileSync('git', ['apply', '--check', '-'], { cwd: dir, input: patch })
      execFileSync('git', ['apply', '-'], { cwd: dir, input: patch })
    } else {
      const done = spawnSync('patch', ['-p1', '--no-backup-if-mismatch'], { cwd: dir, input: patch, encoding: 'utf8' })
      expect([done.status, done.stdout, done.stderr]).toEqual([0, expect.not.stringContaining('fuzz'), ''])
    }
    rmSync(join(dir, '.git'), { recursive: true, force: true })
    const wanted = mkdtempSync(join(tmpdir(), 'diff-'))
    onTestFinished(() => rmSync(wanted, { recursive: true }))
    lay(wanted, [...before, ...after.filter((change) => change.op !== 'write' || change.path !== 'bin')])
    expect(treeOf(dir)).toEqual(treeOf(wanted))
  })

  it('as text/x-diff brings nothing into the repository of whoever applies it by patch', async () => {
    const { send, commit } = opened()
    const hooks = ['.git/hooks/pre-commit', 'sub/.GIT/config', '.g\u200cit/config', 'git~1/config', '.git./config']
    await commit(hooks.map((path) => write(path, '#!/bin/sh\n', 0o755)))
    await commit([write('.gitignore', 'out\n'), write('hooks/pre-commit', 'mine\n')])
    const patch = await (await send('GET', '/diff?from=0&limit=100', { headers: PATCH })).text()
    const dir = mkdtempSync(join(tmpdir(), 'diff-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    expect(spawnSync('patch', ['-p1'], { cwd: dir, input: patch }).status).toBe(0)
    expect(Object.keys(treeOf(dir))).toEqual(['.gitignore', 'hooks', 'hooks/pre-commit'])
    expect(patch).toMatch(/^# \.git\/hooks\/pre-commit: git's own, left out: nothing -> 10 bytes/m)
  })

  it('as text/x-diff has no name that a terminal obeys, that forges a line, or that looks like another', async () => {
    const { send, commit } = opened()
    const names = [
      '\u009b31mred',
      'a\u001b]0;title',
      'x\n+++ y',
      'txt.\u202eexe',
      'a\u2028b',
      'b\u0085c',
      'd\u2066e',
      'z\u200bw',
    ]
    const changes = names.map((name) => write(name, 'text\n'))
    await commit(changes)
    const patch = await (await send('GET', '/diff?from=0&limit=100', { headers: PATCH })).text()
    expect(patch.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(patch.match(/^\+\+\+ /gm)).toHaveLength(names.length)
    const dir = mkdtempSync(join(tmpdir(), 'diff-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    execFileSync('git', ['apply', '-'], { cwd: dir, input: patch })
    expect(Object.keys(treeOf(dir)).sort()).toEqual([...names].sort())
  })
})
