import { describe, expect, it } from 'vitest'
import { MAX_LOCKER_NAME_CHARS } from '../../../../src/core/limits/workspace.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NOTHING_OUTSIDE } from '../../../support/nothing-outside.ts'
import { toolbench } from '../../../support/toolbench.ts'

const lock = (file_path: string, locker_name = 'ann', level?: unknown) => ({ file_path, locker_name, level })
const unlock = (file_path: string, unlocker_name: string, unlocker_level?: unknown) => ({
  file_path,
  unlocker_name,
  unlocker_level,
})

describe('locking', () => {
  it('a file or directory answers as the published server does, and is shown', async () => {
    const { data } = toolbench(catalog)
    expect(await data('file_lock', lock('/upload/./a.txt', 'ann', '2'))).toEqual({
      file_path: '/upload/./a.txt',
      level: 2,
      locker_name: 'ann',
      locked: true,
      message: '成功锁定文件: upload/a.txt',
    })
    const shown = {
      path: 'upload/a.txt',
      level: 2,
      locker_name: 'ann',
      locked_at: '2026-11-20 11:08:41',
      locked_at_timestamp: Date.UTC(2026, 10, 20, 11, 8, 41, 368) / 1000,
    }
    const params = { filter_task_id: 't', show_all: true }
    expect(await data('list_locks', params)).toEqual({ locks: [shown], count: 1, message: '找到 1 个文件锁' })
    expect(await data('check_lock', { file_path: 'upload/a.txt' })).toEqual({
      file_path: 'upload/a.txt',
      can_access: false,
      is_locked: true,
      lock_info: shown,
      message: '文件被锁定 - 锁定者: ann, 等级: 2',
    })
    expect(await data('check_lock', { file_path: 'upload' })).toEqual({
      file_path: 'upload',
      can_access: true,
      is_locked: false,
      message: '文件可访问',
    })
  })

  it.each([
    ['a', 'a', /^文件已被锁定 - 锁定者: ann, 等级: 1; a is locked by "ann", level 1; .*file_unlock/],
    ['a', 'a/b/c', /^父目录已被锁定 - 路径: a, 锁定者: ann, 等级: 1; a is locked by "ann", level 1; /],
    ['a/b/c', 'a', /^子路径已被锁定: a\/b\/c; there are locks inside of a; unlock those first$/],
  ])('%s, nobody locks %s as well', async (first, second, message) => {
    const { data, failure } = toolbench(catalog)
    await data('file_lock', lock(first))
    for (const name of ['ann', 'bob']) {
      const refused = await failure('file_lock', lock(second, name, 9))
      expect(refused).toMatchObject({ code: 'conflict', message: expect.stringMatching(message) })
    }
  })

  it.each([
    [{ locker_name: 'ann' }, 'missing required parameter: file_path'],
    [lock('a', 'x'.repeat(MAX_LOCKER_NAME_CHARS + 1)), 'MAX_LOCKER_NAME_CHARS'],
    [lock('a', 'ann', 0), 'level: must be 1 or more'],
    [lock('a', 'ann', 1.5), 'level: must be a whole number'],
    [lock('.'), 'the task root itself cannot be locked'],
    [lock('../other'), 'leaves the task directory'],
  ])('%j is refused', async (params, message) => {
    const { failure, data } = toolbench(catalog)
    expect((await failure('file_lock', params)).message).toContain(message)
    expect(await data('list_locks', {})).toMatchObject({ count: 0 })
  })
})

describe('unlocking', () => {
  it.each([
    ['the same name', unlock('a', 'ann')],
    ['another name at a higher level', unlock('a', 'bob', 3)],
  ])('is for %s', async (_, params) => {
    const { data } = toolbench(catalog)
    await data('file_lock', lock('a', 'ann', 2))
    expect(await data('file_unlock', params)).toMatchObject({ unlocked: true, message: '成功解锁文件: a' })
    expect(await data('check_lock', { file_path: 'a' })).toMatchObject({ can_access: true })
  })

  it.each([
    [
      unlock('a', 'bob', 2),
      'forbidden',
      /^解锁失败: 权限不足或名称不匹配 \(需要等级 > 2 或名称 = "ann"\); not unlocked: unlocker_level .* above 2, or unlocker_name "ann"$/,
    ],
    [unlock('b', 'ann'), 'not_found', /^文件未被锁定: b; it is not locked$/],
    [unlock('a/b', 'ann'), 'not_found', /^文件未被锁定: a\/b; what holds is the lock on a$/],
  ])('%j is refused', async (params, code, message) => {
    const { data, failure } = toolbench(catalog)
    await data('file_lock', lock('a', 'ann', 2))
    expect(await failure('file_unlock', params)).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(await data('list_locks', {})).toMatchObject({ count: 1 })
  })
})

it('a lock holds against a download that began before it', async () => {
  const { data, failure, content } = toolbench(
    catalog,
    {},
    {
      http: {
        ...NOTHING_OUTSIDE.http,
        open: async ({ url }) => {
          await data('file_lock', lock('upload/a.txt'))
          return { status: 200, url, headers: new Headers(), size: 1, body: new Blob(['x']).stream() }
        },
      },
    },
  )
  const params = { download_url: 'https://example.com/a.txt', save_path: 'upload/a.txt' }
  expect((await failure('download_file_from_url', params)).message).toMatch(/^upload\/a\.txt is locked by "ann"/)
  expect(await content('upload/a.txt')).toBeNull()
})

describe('a lock on upload/', () => {
  const upload = { files: [{ filename: 'a.txt', content: 'x' }] }
  it.each([
    ['file_write', { file_path: 'upload/a.txt', content: 'x' }],
    ['file_replace_lines', { file_path: 'upload/a.txt', start_line: 1, end_line: 1, new_content: 'x' }],
    ['file_delete', { file_path: 'upload' }],
    ['file_move', { src_path: 'free.txt', dest_path: 'upload' }],
    ['file_move', { src_path: 'upload/a.txt', dest_path: 'b.txt' }],
    ['file_upload', upload],
    ['dir_create', { dir_path: 'upload/new' }],
    ['git_clone', { repo_url: 'https://example.com/x.git' }],
    ['code_task_execute', { prompt: 'Write a file', workspace_dir: 'upload/work' }],
  ])('holds against %s', async (tool, params) => {
    const { data, failure, put, content, runner } = toolbench(catalog)
    await put('upload/a.txt', 'a\n')
    await put('free.txt', 'f')
    await data('file_lock', lock('upload'))
    const refused = await failure(tool, params)
    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringMatching(/^upload.* is locked by "ann"/) })
    expect(await content('upload/a.txt')).toBe('a\n')
    expect(runner.commands).toEqual([])
    expect(await data('file_read', { file_path: 'upload/a.txt' })).toMatchObject({ content: 'a\n' })
  })

  it.each([{}, { locker_name: '' }, { locker_name: null }])(
    'is done in the name of the task by who gives none: %j',
    async (name) => {
      const { data, failure } = toolbench(catalog)
      expect(await data('file_lock', { file_path: 'a', ...name })).toMatchObject({ locker_name: 'task', level: 1 })
      expect((await failure('file_unlock', { file_path: 'a', unlocker_name: 'bob' })).message).toContain('"task"')
      expect(await data('file_unlock', { file_path: 'a' })).toMatchObject({ unlocker_name: 'task', unlocked: true })
      await data('file_lock', lock('b', 'ann'))
      expect((await failure('file_unlock', { file_path: 'b' })).message).toContain('"ann"')
      expect((await failure('file_lock', { file_path: 'b' })).code).toBe('conflict')
    },
  )
})
