import { describe, expect, it } from 'vitest'
import { workspacePath as p } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const copy = (src_path: string, dest_path: string) => ({ src_path, dest_path })

describe('file_copy', () => {
  it('copies content and permissions, into a directory under its own name', async () => {
    const { data, put, content, workspace } = toolbench(catalog)
    await put('run.sh', 'echo')
    await workspace.commit([
      { op: 'chmod', path: p('run.sh'), mode: 0o755 },
      { op: 'mkdir', path: p('dir') },
    ])
    await data('file_copy', copy('run.sh', 'new/copy.sh'))
    await data('file_copy', copy('run.sh', 'dir'))
    expect([await content('new/copy.sh'), await content('dir/run.sh'), await content('run.sh')]).toEqual(
      Array(3).fill('echo'),
    )
    expect(workspace.stat(p('new/copy.sh'))).toMatchObject({ mode: 0o755 })
  })

  it('replaces a file, and what it replaced can be changed without changing the copy', async () => {
    const { data, put, content } = toolbench(catalog)
    await put('a.txt', 'a')
    await put('b.txt', 'b')
    await data('file_copy', copy('a.txt', 'b.txt'))
    await put('a.txt', 'changed')
    expect(await content('b.txt')).toBe('a')
  })

  it('merges a directory into one that stands there, links and empty directories with it', async () => {
    const { data, put, content, workspace } = toolbench(catalog)
    await put('from/deep/a.txt', 'new')
    await put('to/deep/a.txt', 'old')
    await put('to/kept.txt', 'kept')
    await workspace.commit([
      { op: 'link', path: p('from/link'), target: 'deep/a.txt' },
      { op: 'mkdir', path: p('from/empty') },
    ])
    await data('file_copy', copy('from', 'to'))
    expect([await content('to/deep/a.txt'), await content('to/kept.txt'), await content('to/link')]).toEqual([
      'new',
      'kept',
      'new',
    ])
    expect(workspace.stat(p('to/empty'))?.kind).toBe('directory')
  })

  it.each([
    ['.eslintrc.json', '.eslintrc.json.bak', '.eslintrc.json.bak'],
    ['a.txt', 'a.txt~', 'a.txt~'],
    ['.env.example', '.env', '.env'],
    ['a.txt', 'new/place/', 'new/place/a.txt'],
    ['a.txt', 'dir/', 'dir/a.txt'],
  ])('copies %s to %s', async (src, dest, path) => {
    const { data, put, content } = toolbench(catalog)
    await put(src, 'a')
    await put('dir/b.txt', 'b')
    await data('file_copy', copy(src, dest))
    expect([await content(path), await content(src)]).toEqual(['a', 'a'])
  })

  it.each([
    ['a.txt', 'b.txt', "'b.txt' exists already"],
    ['a.txt', 'dir', "'dir/a.txt' exists already"],
    ['dir', 'other', "'other' exists already"],
  ])('does not copy %s over %s when overwrite is false', async (src, dest, message) => {
    const { failure, put, workspace } = toolbench(catalog)
    for (const path of ['a.txt', 'b.txt', 'dir/a.txt', 'other/x']) await put(path, path)
    const before = workspace.headSeq()
    expect((await failure('file_copy', { ...copy(src, dest), overwrite: false })).message).toContain(message)
    expect(workspace.headSeq()).toBe(before)
  })

  it('says where a file is that was copied into a directory made for it', async () => {
    const { data, put } = toolbench(catalog)
    await put('a.txt', 'a')
    expect(await data('file_copy', copy('a.txt', 'new/'))).toMatchObject({ copied_to: 'new/a.txt' })
  })

  it.each([
    [copy('a.txt', 'a'), 'File extension mismatch: .txt != '],
    [copy('a.txt', 'dir/b.txt/'), "[Errno 20] Not a directory: 'dir/b.txt/'"],
    [copy('', 'x'), 'src_path and dest_path are required'],
    [copy('none', 'x'), 'Source not found: none'],
    [copy('a.txt', 'a.txt'), "'a.txt' and 'a.txt' are the same file"],
    [copy('a.txt', 'b'), 'File extension mismatch: .txt != '],
    [copy('dir', 'dir/below'), "Cannot copy a directory 'dir' into itself"],
    [copy('.', 'copy'), "Cannot copy a directory '.' into itself"],
    [copy('dir', 'a.txt'), 'a.txt is a file'],
    [copy('a.txt', '../b.txt'), 'leaves the task directory'],
  ])('%j fails, and changes nothing', async (params, message) => {
    const { failure, put, workspace } = toolbench(catalog)
    await put('a.txt', 'a')
    await put('dir/b.txt', 'b')
    const before = workspace.headSeq()
    expect((await failure('file_copy', params)).message).toContain(message)
    expect(workspace.headSeq()).toBe(before)
  })

  it.each(['upload/a.txt', 'upload'])(
    'does not copy to %s while that is locked, and copies what is locked',
    async (dest) => {
      const { data, failure, put } = toolbench(catalog)
      await put('a.txt', 'a')
      await put('upload/b.txt', 'b')
      await data('file_lock', { file_path: 'upload', locker_name: 'ann' })
      expect((await failure('file_copy', copy('a.txt', dest))).message).toMatch(/^upload\/a\.txt is locked by "ann"/)
      await data('file_copy', copy('upload', 'elsewhere'))
    },
  )

  it('says where a file is that was copied into a directory', async () => {
    const { call, put, content } = toolbench(catalog)
    await put('a.txt', 'a')
    await put('dir/b.txt', 'b')
    expect(await call('file_copy', copy('a.txt', 'dir'))).toEqual({
      text: 'copied a.txt to dir/a.txt',
      data: { copied_from: 'a.txt', copied_to: 'dir/a.txt' },
    })
    expect(await content('dir/a.txt')).toBe('a')
  })
})
