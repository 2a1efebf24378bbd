import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'
import { type LocalInternet, startLocalInternet } from '../../support/local-internet.ts'
import { COMMANDS, type CommandName } from './published-commands.ts'
import { aToolServer, verifies } from './support.ts'

let internet: LocalInternet | undefined
const server = aToolServer(async () => {
  internet = await startLocalInternet(['requests', 'numpy', 'pandas'])
  return { allow: [internet.host], vars: { PIP_INDEX_URL: internet.packageIndex } }
})
afterAll(() => internet?.stop())

const shell = promisify(execFile)

/** Runs a command with real curl; all that is changed is the base URL. */
async function run(command: string): Promise<unknown> {
  const { stdout } = await shell('bash', ['-c', command.replaceAll('http://localhost:8001', server.url())])
  return JSON.parse(stdout)
}
const printed = (name: CommandName) => run(COMMANDS[name])

const write = (file_path: string, content: string) =>
  server.execute({ task_id: 'my_task', tool_name: 'file_write', params: { file_path, content } })
const read = async (file_path: string) => {
  const { body } = await server.execute({ task_id: 'my_task', tool_name: 'file_read', params: { file_path } })
  return (body as { data: { content: string } }).data.content
}

verifies('toolserver:published:commands', async () => {
  expect(await printed('create')).toMatchObject({
    success: true,
    data: { task_id: 'my_task', task_name: 'My_Task', status: 'created' },
  })
  expect(await printed('list')).toMatchObject({ success: true, data: [{ task_id: 'my_task', status: 'active' }] })
  expect(await printed('status')).toMatchObject({ success: true, data: { task_id: 'my_task', task_name: 'My_Task' } })

  // Between single quotes the shell sends \\" as it is, which ends the string of JSON after a backslash.
  expect(await printed('file_upload')).toMatchObject({
    success: false,
    error: '请求格式错误',
    details: [{ type: 'json_parse_error' }],
  })

  expect(await printed('file_read')).toMatchObject({
    success: false,
    data: null,
    error: expect.stringMatching(/^File not found: upload\/config\.json/),
    task_id: 'my_task',
    tool_name: 'file_read',
  })
  await write('upload/config.json', '{"name": "test"}')
  expect(await printed('file_read')).toMatchObject({
    success: true,
    data: { content: '{"name": "test"}', total_lines: 1, line_range: '1-1', file_path: 'upload/config.json' },
  })

  expect(await printed('file_write')).toMatchObject({
    success: true,
    data: { file_path: 'code_run/hello.py', mode: 'overwrite', size: 22 },
  })
  expect(await read('code_run/hello.py')).toBe('print("Hello, World!")')

  expect(await printed('file_replace_lines')).toMatchObject({
    success: false,
    error: expect.stringMatching(/^File not found: code_run\/script\.py/),
  })
  await write('code_run/script.py', '1\n2\n3\n4\n5\n6\n7\n8\n')
  expect(await printed('file_replace_lines')).toMatchObject({
    success: true,
    data: { replaced_lines: '5-7', new_line_count: 1, total_lines: 6 },
  })
  // \\n between single quotes is a backslash and an n, also to the published server.
  expect(await read('code_run/script.py')).toBe('1\n2\n3\n4\n# 这是替换的新内容\\nprint("Updated code")\n8\n')

  expect(await printed('dir_list')).toMatchObject({
    success: true,
    data: { tree: { name: 'upload', type: 'directory', children: [{ name: 'config.json', type: 'file', size: 16 }] } },
  })

  expect(await printed('execute_code')).toMatchObject({
    success: true,
    data: { exit_code: 0, stdout: 'Hello, World!\n', stderr: '', executed_file: 'code_run/hello.py' },
  })
  expect(await printed('execute_shell')).toMatchObject({
    success: true,
    data: { exit_code: 0, stdout: expect.stringContaining('hello.py'), stderr: '', command: 'ls -la' },
  })
  expect(await printed('pip_install')).toMatchObject({
    success: true,
    data: { results: ['requests', 'numpy', 'pandas'].map((name) => ({ package: name, success: true })) },
  })

  // There is no such repository, and there may be no network either.
  const cloned = await printed('git_clone')
  expect(cloned).toMatchObject({ success: false, error: expect.stringMatching(/^Git clone failed: /) })
  expect(JSON.stringify(cloned)).not.toContain('your_github_token')

  expect(await printed('delete')).toEqual({ success: true, data: { task_id: 'my_task', status: 'deleted' } })
})

verifies('toolserver:published:upload', async () => {
  const { id } = await server.task()
  const meant = COMMANDS.file_upload
    .replaceAll('\\\\"', '\\"')
    .replace('iVBORw0KGgo...', 'iVBORw0KGgo=')
    .replace('my_task', id)
  expect(await run(meant)).toMatchObject({
    success: true,
    data: {
      uploaded_files: [
        { filename: 'config.json', size: 16, path: '/home/user/workspace/upload/project_files/config.json' },
        { filename: 'images/logo.png', size: 8 },
      ],
      upload_dir: '/home/user/workspace/upload/project_files',
    },
  })
})
