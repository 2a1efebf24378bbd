import { describe, expect, it } from 'vitest'
import { MAX_LISTED_ENTRIES } from '../../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { bytes, toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)

describe('dir_create', () => {
  it('makes a directory and those on the way, as often as it is asked', async () => {
    const { data, workspace } = bench()
    const made = { created: 'a/b/c', container_path: '/home/user/workspace/a/b/c' }
    expect(await data('dir_create', { dir_path: 'a/b/c' })).toEqual(made)
    expect(await data('dir_create', { dir_path: 'a/b/c' })).toEqual(made)
    expect(await data('dir_create', { dir_path: '/' })).toMatchObject({ container_path: '/home/user/workspace' })
    expect(workspace.stat(workspacePath('a/b/c'))?.kind).toBe('directory')
    expect(workspace.headSeq()).toBe(1)
  })

  it('refuses where a file stands, and paths out of the task', async () => {
    const { failure, put } = bench()
    await put('file', 'x')
    expect(await failure('dir_create', { dir_path: 'file' })).toEqual({
      code: 'conflict',
      message: "[Errno 17] File exists: 'file'",
    })
    expect((await failure('dir_create', { dir_path: 'file/below' })).code).toBe('conflict')
    expect((await failure('dir_create', { dir_path: '../x' })).code).toBe('invalid_input')
    expect((await failure('dir_create', { dir_path: '' })).message).toBe('dir_path is required')
  })
})

describe('dir_list of a name with a typing error', () => {
  it.each([
    ['scr', 'src'],
    ['lbi', 'lib'],
    ['ap', 'app'],
    ['test', 'tests'],
    ['Src', 'src'],
    ['doc', 'docs'],
    ['uplaod', 'upload'],
  ])('asks of %s whether %s was meant', async (wrong, right) => {
    const { failure, put } = bench()
    await put(`${right}/a.txt`, 'x')
    expect((await failure('dir_list', { dir_path: wrong })).message).toBe(
      `Directory not found: ${wrong}; did you mean ${right}?`,
    )
  })

  it.each([
    ['f12', 'f13'],
    ['f1', 'f12'],
    ['a', 'b'],
    ['app', 'web'],
  ])('does not lead from %s to %s', async (wrong, other) => {
    const { failure, put } = bench()
    await put(`${other}/x.txt`, 'x')
    expect((await failure('dir_list', { dir_path: wrong })).message).toBe(
      `Directory not found: ${wrong}; list its parent to see what exists`,
    )
  })
})

describe('dir_list', () => {
  async function filled() {
    const made = bench()
    await made.put('b.txt', 'bb')
    await made.put('.hidden', '')
    await made.put('Z/deep/file', 'x')
    await made.put('code_env/lib/python/many.py', 'x')
    await made.workspace.commit([
      { op: 'mkdir', path: workspacePath('empty') },
      { op: 'link', path: workspacePath('latest'), target: 'Z' },
    ])
    return made
  }

  it('lists the root: sorted by code point, hidden files too, directories without size', async () => {
    const { data } = await filled()
    expect(await data('dir_list', {})).toEqual({
      base_path: '/home/user/workspace',
      tree: {
        name: '.',
        type: 'directory',
        path: '.',
        children: [
          { name: '.hidden', type: 'file', path: '.hidden', size: 0 },
          { name: 'Z', type: 'directory', path: 'Z' },
          { name: 'b.txt', type: 'file', path: 'b.txt', size: 2 },
          { name: 'code_env', type: 'directory', path: 'code_env' },
          { name: 'empty', type: 'directory', path: 'empty' },
          { name: 'latest', type: 'link', path: 'latest', target: 'Z' },
        ],
      },
    })
  })

  it('goes down recursively, but not into the virtual environment', async () => {
    const { call } = await filled()
    const { data, text } = await call('dir_list', { recursive: 'True' })
    expect(data.tree).toMatchObject({
      children: [
        {},
        {
          path: 'Z',
          children: [{ path: 'Z/deep', children: [{ name: 'file', type: 'file', path: 'Z/deep/file', size: 1 }] }],
        },
        {},
        { path: 'code_env', children: [] },
        { path: 'empty', children: [] },
        {},
      ],
    })
    expect(text).toBe(
      './\n  .hidden  0\n  Z/\n    deep/\n      file  1\n  b.txt  2\n  code_env/\n  empty/\n  latest -> Z',
    )
  })

  it('lists one directory, with paths from the task root', async () => {
    const { data } = await filled()
    expect(await data('dir_list', { dir_path: '/Z/' })).toEqual({
      base_path: '/home/user/workspace/Z',
      tree: {
        name: 'Z',
        type: 'directory',
        path: 'Z',
        children: [{ name: 'deep', type: 'directory', path: 'Z/deep' }],
      },
    })
  })

  it('cuts a listing that is too long, and says so', async () => {
    const { call, workspace } = bench()
    await workspace.commit(
      Array.from({ length: MAX_LISTED_ENTRIES + 1 }, (_, n) => ({
        op: 'write' as const,
        path: workspacePath(`many/${n}`),
        content: bytes(''),
      })),
    )
    const { data, text } = await call('dir_list', { dir_path: 'many', max_chars: 1_000_000 })
    expect(data.truncated).toBe(true)
    expect(text).toMatch(/\[cut after 5000 entries; list a directory further down\]$/)
  })

  it('has a budget: 64,000 characters, in which the deepest entries are left out', async () => {
    const { call, workspace } = bench()
    await workspace.commit(
      Array.from({ length: 2_000 }, (_, n) => ({
        op: 'write' as const,
        path: workspacePath(n % 2 ? `deep/down/${n}.txt` : `z${n}.txt`),
        content: bytes('x'),
      })),
    )
    const { data, text } = await call('dir_list', { recursive: true })
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(64_300)
    expect(JSON.stringify(data).length).toBeGreaterThan(60_000)
    const { children } = data.tree as { children: { name: string }[] }
    expect(children.filter(({ name }) => name.startsWith('z'))).toHaveLength(1_000)
    const note = expect.stringMatching(
      /^\d+ of 2002 entries shown, the deepest left out; max_chars shows more; or list/,
    )
    expect(data).toMatchObject({ truncated: true, notes: [note] })
    expect(text).toMatch(/\[\d+ of 2002 entries shown.*\]$/)
    expect((await call('dir_list', { recursive: true, max_chars: 500_000 })).data).not.toHaveProperty('truncated')
  })

  it('says what is wrong with the path', async () => {
    const { failure } = await filled()
    expect((await failure('dir_list', { dir_path: 'none' })).message).toMatch(/^Directory not found: none/)
    expect((await failure('dir_list', { dir_path: 'b.txt' })).message).toMatch(/^Not a directory: b\.txt/)
    expect((await failure('dir_list', { dir_path: '../..' })).code).toBe('invalid_input')
  })
})
