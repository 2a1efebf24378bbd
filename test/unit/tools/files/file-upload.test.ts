import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)
const PIXEL = Buffer.from('89504e470d0a1a0afb00', 'hex')

describe('file_upload', () => {
  it('stores text and bytes under upload/, all in one commit', async () => {
    const { data, content, workspace } = bench()
    const uploaded = await data('file_upload', {
      files: [
        { filename: 'config.json', content: '{"name": "tést"}', is_base64: false },
        { filename: 'images/logo.png', content: PIXEL.toString('base64'), is_base64: true },
      ],
      target_path: 'project_files',
    })
    expect(uploaded).toEqual({
      uploaded_files: [
        {
          filename: 'config.json',
          path: '/home/user/workspace/upload/project_files/config.json',
          size: 17,
          created_at: '2026-11-20T11:08:41.368000',
        },
        {
          filename: 'images/logo.png',
          path: '/home/user/workspace/upload/project_files/images/logo.png',
          size: 10,
          created_at: '2026-11-20T11:08:41.368000',
        },
      ],
      upload_dir: '/home/user/workspace/upload/project_files',
    })
    expect(await content('upload/project_files/config.json')).toBe('{"name": "tést"}')
    expect(await workspace.read(workspacePath('upload/project_files/images/logo.png'))).toEqual(new Uint8Array(PIXEL))
    expect(workspace.headSeq()).toBe(1)
  })

  it.each([
    ['', 'upload/a.txt'],
    [null, 'upload/a.txt'],
    ['upload', 'upload/a.txt'],
    ['upload/', 'upload/a.txt'],
    ['/upload/docs', 'upload/docs/a.txt'],
    ['uploads', 'upload/uploads/a.txt'],
    ['code_run', 'upload/code_run/a.txt'],
  ])('takes the target %j for %s', async (target_path, path) => {
    const { data, content } = bench()
    await data('file_upload', { files: [{ filename: 'a.txt', content: 'x' }], target_path })
    expect(await content(path)).toBe('x')
  })

  it.each([
    ['with line breaks', PIXEL.toString('base64').replace(/(.{4})/g, '$1\r\n')],
    ['in the URL-safe alphabet', PIXEL.toString('base64url')],
    ['as a data URL', `data:image/png;base64,${PIXEL.toString('base64')}`],
  ])('takes base64 %s', async (_, content) => {
    const { data, workspace } = bench()
    await data('file_upload', { files: [{ name: 'p.png', content, is_base64: true }] })
    expect(await workspace.read(workspacePath('upload/p.png'))).toEqual(new Uint8Array(PIXEL))
  })

  const base64 = PIXEL.toString('base64')
  it.each([
    ['the encoding base64', { path: 'p.png', content: base64, encoding: 'Base64' }],
    ['a data URL that is not called base64', { filename: 'p.png', content: `data:image/png;base64,${base64}` }],
    ['the content as data', { name: 'p.png', data: base64, base64: true }],
  ])('stores the bytes of %s', async (_, file) => {
    const { data, workspace } = bench()
    await data('file_upload', { files: [file] })
    expect(await workspace.read(workspacePath('upload/p.png'))).toEqual(new Uint8Array(PIXEL))
  })

  it.each([
    ['text in the place of content', { path: 'a.txt', text: 'x' }, 'x'],
    [
      'a data URL that the call says to be text',
      { filename: 'a.txt', content: 'data:a/b;base64,eA==', is_base64: false },
      'data:a/b;base64,eA==',
    ],
    [
      'a sentence on data URLs',
      { filename: 'a.txt', content: 'data:a/b;base64,eA== is one!' },
      'data:a/b;base64,eA== is one!',
    ],
    ['another encoding', { filename: 'a.txt', content: 'eA==', encoding: 'utf-8' }, 'eA=='],
  ])('stores %s as it is', async (_, file, stored) => {
    const { data, content } = bench()
    await data('file_upload', { files: [file] })
    expect(await content('upload/a.txt')).toBe(stored)
  })

  it.each([
    ['an entry without content', { files: [{ filename: 'a.txt' }] }, 'missing required parameter: files.0.content'],
    [
      'an entry with content null',
      { files: [{ filename: 'a.txt', content: null }] },
      'missing required parameter: files.0.content',
    ],
    [
      'an entry without a name',
      { files: [{ filename: 'ok', content: '' }, { content: 'x' }] },
      'missing required parameter: files.1.filename',
    ],
    ['an empty name', { files: [{ filename: '', content: 'x' }] }, 'files.0.filename is required'],
    ['files null', { files: null }, 'missing required parameter: files'],
    ['no files', {}, 'missing required parameter: files'],
  ])('refuses %s, names what is missing, and stores nothing', async (_, args, message) => {
    const { failure, workspace } = bench()
    expect(await failure('file_upload', args)).toMatchObject({ code: 'invalid_input', message })
    expect(workspace.headSeq()).toBe(0)
  })

  it('takes an empty list, which stores nothing', async () => {
    const { data, workspace } = bench()
    expect(await data('file_upload', { files: [] })).toMatchObject({ uploaded_files: [] })
    expect(workspace.list(workspacePath('upload'), {}).entries).toEqual([])
  })

  it('stores an empty file and replaces an old one', async () => {
    const { data, put, content } = bench()
    await put('upload/a.txt', 'old')
    await data('file_upload', { files: [{ filename: 'a.txt', content: '' }] })
    expect(await content('upload/a.txt')).toBe('')
  })

  it('names the file whose base64 is broken, and stores none', async () => {
    const { failure, content } = bench()
    const files = [
      { filename: 'ok.txt', content: 'fine' },
      { filename: 'bad.png', content: 'a*b', is_base64: true },
    ]
    expect((await failure('file_upload', { files })).message).toMatch(/^Base64 decode error: bad\.png is not base64/)
    expect(await content('upload/ok.txt')).toBeNull()
  })

  it.each([
    [{ target_path: '../outside', filename: 'a' }],
    [{ target_path: 'a', filename: '../../../etc/passwd' }],
    [{ target_path: '', filename: '../code_run/a.py' }],
    [{ target_path: '', filename: 'a\0.txt' }],
  ])('does not let %j climb out of its directory', async ({ target_path, filename }) => {
    const { failure, workspace } = bench()
    expect((await failure('file_upload', { target_path, files: [{ filename, content: 'x' }] })).code).toBe(
      'invalid_input',
    )
    expect(workspace.headSeq()).toBe(0)
  })
})
