import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { callerPath } from '../../../src/tools/caller-path.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { toolbench } from '../../support/toolbench.ts'

describe('a path that a caller gives', () => {
  it.each([
    [
      '/tmp/foo.py',
      '"/tmp/foo.py" is outside of the task directory; use "foo.py" or "code_run/foo.py" (commands may use /tmp, but files there are not kept)',
    ],
    ['/tmp', '"/tmp" is outside of the task directory; give a path relative to the task root'],
    ['//etc/passwd', '"//etc/passwd" is outside of the task directory; use "passwd" or "code_run/passwd"'],
    ['/home/user/other', '"/home/user/other" is outside of the task directory; use "other" or "code_run/other"'],
    ['/home/me/src/a.py', '"/home/me/src/a.py" is outside of the task directory; use "src/a.py"'],
    ['/root/a', '"/root/a" is outside of the task directory; use "a" or "code_run/a"'],
    ['/usr/../tmp/a', '"/usr/../tmp/a" is outside of the task directory; use "a" or "code_run/a"'],
    ['C:\\x.txt', '"C:\\\\x.txt" is outside of the task directory; use "x.txt" or "code_run/x.txt"'],
    ['c:/Users/me/x.txt', '"c:/Users/me/x.txt" is outside of the task directory; use "x.txt" or "code_run/x.txt"'],
    [
      '\\\\server\\share\\x.txt',
      '"\\\\\\\\server\\\\share\\\\x.txt" is outside of the task directory; use "x.txt" or "code_run/x.txt"',
    ],
    ['~/x.txt', '"~/x.txt" is outside of the task directory; use "x.txt" or "code_run/x.txt"'],
    [
      'file:///tmp/x',
      '"/tmp/x" is outside of the task directory; use "x" or "code_run/x" (commands may use /tmp, but files there are not kept)',
    ],
    [
      'code_run\\a.py',
      '"code_run\\\\a.py" has backslashes; names in a path are separated by "/" here: "code_run/a.py"',
    ],
    [
      'https://example.org/a',
      '"https://example.org/a" is a URL, not a path in the task directory; download_file_from_url brings it there',
    ],
  ])('%j is refused, with what to use', async (given, message) => {
    const { failure } = toolbench(catalog)
    for (const tool of ['file_write', 'file_read', 'dir_create'] as const) {
      const args = tool === 'dir_create' ? { dir_path: given } : { file_path: given, content: 'x' }
      expect(await failure(tool, args)).toEqual({ code: 'invalid_input', message })
    }
  })

  it.each([
    ['../upload/site/app.js', ': "upload/site/app.js"'],
    ['../upload/./new.js', ': "upload/new.js"'],
    ['../none/app.js', ''],
    ['../../upload/x', ''],
    ['../upload/../../x', ''],
    ['..', ''],
    ['../', ''],
  ])(
    '%j, as commands in code_run/ have it, is refused with what to use, where that stands in the root',
    async (given, use) => {
      const { failure, put } = toolbench(catalog)
      await put('upload/site/app.js', 'x')
      const message = `the path ${JSON.stringify(given)} leaves the task directory; give one relative to the task root${use}`
      for (const tool of ['file_write', 'file_read']) {
        expect(await failure(tool, { file_path: given, content: 'x' })).toEqual({ code: 'invalid_input', message })
      }
    },
  )

  it.each([
    ['/code_run/hello.py', 'code_run/hello.py'],
    ['/upload/x', 'upload/x'],
    ['/home/user/workspace/tmp/x', 'tmp/x'],
    ['/tmpfiles/x', 'tmpfiles/x'],
    ['tmp/x', 'tmp/x'],
    ['etc/x', 'etc/x'],
    ['~backup', '~backup'],
    ['a:b', 'a:b'],
    ['C:', 'C:'],
    ['/', ''],
    ['~/workspace/code_run/x', 'code_run/x'],
    ['~/workspace', ''],
    ['file:///home/user/workspace/upload/a%20b', 'upload/a b'],
    ['file://localhost/home/user/workspace/x', 'x'],
    ['file:/code_run/x', 'code_run/x'],
  ])('%j lies at %j', (given, path) => {
    expect(callerPath(toolbench(catalog).workspace, given)).toBe(path)
  })

  it.each(['~/workspace/../../x', 'file:///home/user/workspace/../../../x', 'file:///%2e%2e/x', 'file:///%00'])(
    '%j does not leave the task',
    async (file_path) => {
      expect((await toolbench(catalog).failure('file_write', { file_path, content: 'x' })).code).toBe('invalid_input')
    },
  )

  it('reaches what a program has put under such a name', async () => {
    const { put, data, workspace } = toolbench(catalog)
    for (const name of ['tmp/a', 'C:\\x.txt', 'a\\b', '~/n']) await put(name, name)
    expect(await data('file_read', { file_path: '/tmp/a' })).toMatchObject({ content: 'tmp/a' })
    for (const name of ['C:\\x.txt', 'a\\b', '~/n']) {
      expect(await data('file_read', { file_path: name })).toMatchObject({ content: name })
      await data('file_delete', { file_path: name })
      expect(workspace.stat(workspacePath(name))).toBeNull()
    }
  })
})

describe('a path where nothing stands', () => {
  const missing = (given: string) => `File not found: ${given}; `

  it.each([
    ['a.txt', 'did you mean code_run/a.txt?'],
    ['upload/a.txt', 'did you mean code_run/a.txt?'],
    ['code_rn/a.txt', 'did you mean code_run/a.txt?'],
    ['code_run/A.TXT', 'did you mean code_run/a.txt?'],
    ['src/deep/reports.md', 'did you mean src/deep/report.md?'],
    ['src/depe/report.md', 'did you mean src/deep/report.md?'],
    ['code_run/b.txt', 'dir_list shows what exists'],
    ['nowhere/at/all', 'dir_list shows what exists'],
  ])('of the name %s: %s', async (given, hint) => {
    const { put, failure } = toolbench(catalog)
    for (const path of ['code_run/a.txt', 'src/deep/report.md']) await put(path, 'x')
    for (const tool of ['file_read', 'file_delete', 'file_edit']) {
      const { code, message } = await failure(tool, { file_path: given, old_text: 'x', new_text: 'y' })
      expect([code, message]).toEqual(['not_found', missing(given) + hint])
    }
  })

  it('is a directory, too', async () => {
    const { put, failure } = toolbench(catalog)
    await put('code_run/a.txt', 'x')
    expect((await failure('dir_list', { dir_path: 'code_rum' })).message).toBe(
      'Directory not found: code_rum; did you mean code_run?',
    )
  })
})

describe('the virtual environment', () => {
  it('is not deleted, moved away, or moved into', async () => {
    const { put, failure, workspace } = toolbench(catalog)
    await workspace.commit([{ op: 'mkdir', path: workspacePath('code_env') }])
    await put('a', 'x')
    expect(await failure('file_delete', { file_path: '/code_env/' })).toEqual({
      code: 'forbidden',
      message:
        'code_env is the virtual environment that programs here run in, and stays; to remove a package use execute_shell: pip uninstall -y NAME',
    })
    expect((await failure('file_move', { src_path: 'code_env', dest_path: 'old' })).code).toBe('forbidden')
    expect((await failure('file_move', { src_path: 'a', dest_path: 'code_env' })).message).toBe(
      'code_env is the virtual environment, whose files are not kept; move it elsewhere',
    )
    expect(workspace.stat(workspacePath('code_env'))?.kind).toBe('directory')
  })
})
