import { describe, expect, it } from 'vitest'
import { MAX_DELETED_PATHS } from '../../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

async function bench() {
  const made = toolbench(catalog)
  await made.put('src/a.txt', 'a')
  await made.put('src/sub/b.txt', 'b')
  await made.put('dest/old.txt', 'old')
  return made
}

describe('file_move', () => {
  it('renames a file, making directories on the way', async () => {
    const { data, content } = await bench()
    expect(await data('file_move', { src_path: 'src/a.txt', dest_path: '/new/place/c.txt' })).toEqual({
      moved_from: 'src/a.txt',
      moved_to: '/new/place/c.txt',
    })
    expect(await content('new/place/c.txt')).toBe('a')
    expect(await content('src/a.txt')).toBeNull()
  })

  it('moves into a directory that exists, and says where it went', async () => {
    const { call, content } = await bench()
    expect(await call('file_move', { src_path: 'src', dest_path: 'dest' })).toEqual({
      text: 'moved src to dest/src',
      data: { moved_from: 'src', moved_to: 'dest/src' },
    })
    expect(await content('dest/src/sub/b.txt')).toBe('b')
    await call('file_move', { src_path: 'dest/old.txt', dest_path: '.' })
    expect(await content('old.txt')).toBe('old')
  })

  it('makes a directory that is named with a slash at the end, and puts the file into it', async () => {
    const { data, content } = await bench()
    expect(await data('file_move', { src_path: 'src/a.txt', dest_path: 'old/deep/' })).toEqual({
      moved_from: 'src/a.txt',
      moved_to: 'old/deep/a.txt',
    })
    expect(await content('old/deep/a.txt')).toBe('a')
    await data('file_move', { src_path: 'src', dest_path: 'lib/' })
    expect(await content('lib/sub/b.txt')).toBe('b')
  })

  it('replaces a file, and says so', async () => {
    const { call, content } = await bench()
    expect(await call('file_move', { src_path: 'src/a.txt', dest_path: 'dest/old.txt' })).toEqual({
      text: 'moved src/a.txt to dest/old.txt, replacing what stood there',
      data: { moved_from: 'src/a.txt', moved_to: 'dest/old.txt', replaced: true },
    })
    expect(await content('dest/old.txt')).toBe('a')
  })

  it('keeps a file that stands there when overwrite is false', async () => {
    const { failure, data, content } = await bench()
    const move = (dest_path: string) => ({ src_path: 'src/a.txt', dest_path, overwrite: 'false' })
    expect(await failure('file_move', move('dest/old.txt'))).toEqual({
      code: 'conflict',
      message: "'dest/old.txt' exists already, and overwrite is false; give another dest_path",
    })
    expect([await content('dest/old.txt'), await content('src/a.txt')]).toEqual(['old', 'a'])
    await data('file_move', move('dest/new.txt'))
    expect(await content('dest/new.txt')).toBe('a')
  })

  it('leaves what is moved onto itself as it is', async () => {
    const { data, content } = await bench()
    expect(await data('file_move', { src_path: 'src', dest_path: './src/' })).not.toHaveProperty('replaced')
    expect(await content('src/a.txt')).toBe('a')
  })

  it.each([
    ['src', 'src/sub', 'conflict', "Cannot move a directory 'src' into itself 'src/sub'."],
    ['src', 'src/new/deeper', 'conflict', "Cannot move a directory 'src' into itself 'src/new/deeper'."],
    ['src', 'dest/old.txt', 'conflict', "[Errno 20] Not a directory: 'dest/old.txt'"],
    ['src/a.txt', 'dest/old.txt/', 'conflict', "[Errno 20] Not a directory: 'dest/old.txt/'"],
    ['src/sub/b.txt', 'src/sub/../sub', 'conflict', "Destination path 'src/sub/b.txt' already exists"],
    ['none.txt', 'x', 'not_found', 'Source not found: none.txt'],
    ['', 'x', 'invalid_input', 'src_path and dest_path are required'],
    ['src/a.txt', '', 'invalid_input', 'src_path and dest_path are required'],
    ['.', 'x', 'forbidden', 'the task root itself cannot be moved'],
    ['../x', 'y', 'invalid_input', 'the path "../x" leaves the task directory'],
    ['src/a.txt', '../../y', 'invalid_input', 'the path "../../y" leaves the task directory'],
  ])('refuses %j to %j', async (src_path, dest_path, code, start) => {
    const { failure, content } = await bench()
    const found = await failure('file_move', { src_path, dest_path })
    expect([found.code, found.message.slice(0, start.length)]).toEqual([code, start])
    expect(await content('src/sub/b.txt')).toBe('b')
  })

  it('names the missing parameters', async () => {
    const { failure } = await bench()
    expect((await failure('file_move', {})).message).toBe(
      'missing required parameter: src_path; missing required parameter: dest_path',
    )
  })
})

describe('file_delete', () => {
  it('says of wildcards and of several paths in the place of one what to do, and deletes nothing', async () => {
    const { failure, data, content } = await bench()
    expect((await failure('file_delete', { file_path: 'src/*.txt' })).message).toBe(
      'File not found: src/*.txt; wildcards are not taken; file_glob lists the files, and file_paths deletes several',
    )
    expect((await failure('file_delete', { file_path: ['src/a.txt', 'dest/old.txt'] })).message).toBe(
      'file_path: give one path; make a call for each, or name them in one command',
    )
    expect(await content('src/a.txt')).toBe('a')
    expect(await data('file_delete', { file_path: ['src/a.txt'] })).toMatchObject({ deleted: 'src/a.txt' })
  })

  it('deletes a file, a directory with all in it, and a link but not its target', async () => {
    const { data, content, workspace } = await bench()
    expect(await data('file_delete', { file_path: 'src/a.txt' })).toEqual({ deleted: 'src/a.txt', type: 'file' })
    expect(await data('file_delete', { file_path: 'src/' })).toEqual({ deleted: 'src/', type: 'directory' })
    expect(await content('src/sub/b.txt')).toBeNull()
    await workspace.commit([{ op: 'link', path: workspacePath('latest'), target: 'dest' }])
    expect(await data('file_delete', { file_path: 'latest' })).toMatchObject({ type: 'file' })
    expect(await content('dest/old.txt')).toBe('old')
  })

  it.each([
    ['none', 'not_found', 'File not found: none'],
    ['', 'invalid_input', 'file_path is required'],
    ['/', 'forbidden', 'the task root itself cannot be deleted'],
    ['src/..', 'forbidden', 'the task root itself cannot be deleted'],
    ['..', 'invalid_input', 'the path ".." leaves the task directory'],
  ])('refuses %j', async (file_path, code, start) => {
    const { failure, content } = await bench()
    const found = await failure('file_delete', { file_path })
    expect([found.code, found.message.slice(0, start.length)]).toEqual([code, start])
    expect(await content('src/a.txt')).toBe('a')
  })

  it('deletes several things together, one in another too', async () => {
    const { call, content, workspace } = await bench()
    const file_paths = ['src/sub', 'src', 'dest/old.txt', 'src']
    expect(await call('file_delete', { file_paths })).toEqual({
      text: 'deleted directory src/sub\ndeleted directory src\ndeleted file dest/old.txt',
      data: { deleted: ['src/sub', 'src', 'dest/old.txt'], type: 'directory and file' },
    })
    expect(await content('src/a.txt')).toBeNull()
    expect(workspace.stat(workspacePath('dest'))).not.toBeNull()
  })

  it.each([
    [['src/a.txt', 'none.txt'], 'not_found', 'File not found: none.txt'],
    [['src/a.txt', '.'], 'forbidden', 'the task root itself cannot be deleted'],
    [['src/a.txt', 'code_env'], 'forbidden', 'code_env is the virtual environment'],
    [['src/a.txt', '../x'], 'invalid_input', 'the path "../x" leaves'],
    [Array.from({ length: MAX_DELETED_PATHS + 1 }, (_, at) => `${at}`), 'limit_exceeded', 'at most 500 paths'],
  ])('deletes none of several when one cannot be: %j', async (file_paths, code, start) => {
    const { failure, content } = await bench()
    const refused = await failure('file_delete', { file_paths })
    expect([refused.code, refused.message.slice(0, start.length)]).toEqual([code, start])
    expect(await content('src/a.txt')).toBe('a')
  })

  it('names the missing parameter', async () => {
    const { failure } = await bench()
    expect((await failure('file_delete', {})).message).toBe('missing required parameter: file_path')
  })
})
