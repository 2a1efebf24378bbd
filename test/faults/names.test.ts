import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'
import { sandboxOf } from '../support/sandbox-control.ts'

const server = aToolServer()

interface Listed {
  readonly name: string
  readonly type: string
  readonly path: string
}
const list = async (task: Task, dir_path: string) =>
  ((await task.done('dir_list', { dir_path })).tree as { children: Listed[] }).children

describe('names that are hard to handle', () => {
  const names = [
    String.raw`a\nb`, // each as bash's $'…' has it
    String.raw`\xff\xfe not UTF-8`,
    String.raw`\xef\x9f\xbf a character that we use ourselves`,
    '-rf',
    '--',
    ' ',
    String.raw`quote\'s "both"`,
    String.raw`\\`,
    '*?[a]{b}$(id)`id`',
    'ü 论文 🙂',
    String.raw`tab\tbell\a`,
    'x'.repeat(255),
  ]

  it('survive the way to the workspace, a new sandbox, and the way back, byte by byte', async () => {
    const task = await server.task()
    const make = names.map((name, n) => `printf ${n} > ./$'${name}'; mkdir -p ./d$'${name.slice(0, 250)}'/e`).join('\n')
    await task.shell(make, { workdir: 'names' })
    const show =
      'find . -printf "%y %p\\0" | LC_ALL=C sort -z | sha256sum; for f in ./*; do [ -f "$f" ] && cat -- "$f"; done'
    const before = await task.shell(show, { workdir: 'names' })
    await (await sandboxOf(server.toolyard(), task.id))?.end()
    const after = await task.shell(show, { workdir: 'names' })
    expect(after.generation).toBe(2)
    expect(after.stdout).toBe(before.stdout)
  })

  it('can be used by file tools and for download as dir_list says them', async () => {
    const task = await server.task()
    await task.shell(names.map((name, n) => `printf ${n} > ./$'${name}'`).join('\n'), { workdir: 'names' })
    const listed = await list(task, 'names')
    expect(listed).toHaveLength(names.length)
    const numbers = new Set<unknown>()
    for (const { path } of listed) {
      const content = await task.read(path)
      numbers.add(content)
      const download = await server.request(`/api/download/${task.id}/${encodeURIComponent(path)}`)
      expect(await download.text()).toBe(content)
      await task.done('file_write', { file_path: path, content: '+', mode: 'append' })
    }
    expect(numbers.size).toBe(names.length)
    const { stdout } = await task.shell('cat ./* | tr -dc +', { workdir: 'names' })
    expect(stdout).toBe('+'.repeat(names.length))
    for (const { path } of listed) await task.done('file_delete', { file_path: path })
    expect((await task.shell('ls -A', { workdir: 'names' })).stdout).toBe('')
  })
})

describe('links that a script made', () => {
  let task: Task
  beforeAll(async () => {
    task = await server.task()
    await task.write('code_run/inside.txt', 'inside')
    await task.shell(`echo outside > ~/outside.txt
ln -s /etc/passwd out; ln -s /etc dir; ln -s ../.. up; ln -s ../../../../../../etc/hostname climb; ln -s loop loop
ln -s /proc/self/environ proc; ln -s ../code_run/inside.txt ok; ln -s /home/user/workspace/code_run abs; ln -s none dangling`)
  })
  const outside = ['out', 'dir/passwd', 'up/outside.txt', 'climb', 'proc', 'abs/up/outside.txt']

  it.each(outside)('%s is not followed out of the workspace by file tools', async (name) => {
    const file_path = `code_run/${name}`
    expect(await task.failure('file_read', { file_path })).toMatch(/points outside the workspace; it can only be read/)
    for (const [tool, params] of [
      ['file_write', { file_path, content: 'x' }],
      ['file_replace_lines', { file_path, start_line: 1, end_line: 1, new_content: 'x' }],
      ['file_upload', { files: [{ filename: file_path, content: 'x' }], target_path: '' }],
    ] as const) {
      const { success } = await task.call(tool, params)
      if (success) expect(tool).toBe('file_upload') // which goes to upload/code_run
    }
    expect((await task.shell('cat ~/outside.txt; grep -c . /etc/passwd')).stdout).toMatch(/^outside\n\d+\n$/)
  })

  it.each(outside)('%s is not followed by a download, which says why', async (name) => {
    expect(await server.json(`/api/download/${task.id}/code_run/${name}`)).toEqual({
      status: 403,
      body: { detail: expect.stringMatching(/points outside the workspace/) },
    })
  })

  it('to files of the task are followed, by all of them', async () => {
    for (const name of ['ok', 'abs/inside.txt']) {
      expect(await task.read(`code_run/${name}`)).toBe('inside')
      expect(await (await server.request(`/api/download/${task.id}/code_run/${name}`)).text()).toBe('inside')
    }
  })

  it('in circles, or to nothing, are an error and no hanging call', async () => {
    expect(await task.failure('file_read', { file_path: 'code_run/loop' })).toMatch(/more than 40 links; remove them/)
    expect(await task.failure('file_write', { file_path: 'code_run/loop', content: '' })).toMatch(/Too many levels/)
    expect(await task.failure('file_read', { file_path: 'code_run/dangling' })).toMatch(/^File not found/)
  })

  it('are removed as links: what they point at stays', async () => {
    await task.done('file_delete', { file_path: 'code_run/abs' })
    await task.done('file_delete', { file_path: 'code_run/dir' })
    expect((await task.shell('cat inside.txt; ls -d abs dir; test -e /etc/passwd && echo there')).stdout).toBe(
      'insidethere\n',
    )
  })

  it('in place of a directory of the task do not make a file tool write elsewhere', async () => {
    const other = await server.task()
    await other.shell('mkdir ~/away; cd ..; rmdir upload; ln -s ~/away upload')
    expect(await other.failure('file_write', { file_path: 'upload/a', content: 'x' })).toMatch(
      /upload is a link and not a dir/,
    )
    expect(await other.failure('file_upload', { files: [{ filename: 'a', content: 'x' }] })).toMatch(/upload is a link/)
    expect((await other.shell('ls ~/away')).stdout).toBe('')
  })
})

describe('pipes, sockets and hard links', () => {
  it('are no files to us and hold nothing up', async () => {
    const task = await server.task()
    const { exit_code } = await task.shell(
      `mkfifo pipe; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'; echo a > a; ln a b`,
    )
    expect(exit_code).toBe(0)
    expect((await list(task, 'code_run')).map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await task.shell('ls; cat a b')).stdout).toBe('a\nb\npipe\nsocket\na\na\n')
  })
})

it('10,000 files come over, a change of one of them does too, and all are there in a new sandbox', async () => {
  const task = await server.task()
  const make =
    'for i in range(10000):\n  p = f"many/{i % 100}"; os.makedirs(p, exist_ok=True); open(f"{p}/{i}", "w").write(str(i))'
  await task.shell(`python3 -c 'import os\n${make}'`, { workdir: '/' })
  expect(await task.read('many/42/4242')).toBe('4242')
  await task.write('many/42/4242', 'changed')
  expect((await task.shell('cat many/42/4242; echo 1 > many/7/7; rm many/8/8', { workdir: '/' })).stdout).toBe(
    'changed',
  )
  expect(await task.read('many/7/7')).toBe('1\n')
  expect(await task.failure('file_read', { file_path: 'many/8/8' })).toMatch(/^File not found/)
  await (await sandboxOf(server.toolyard(), task.id))?.end()
  const { stdout, generation } = await task.shell('find many -type f | wc -l; cat many/7/7 many/42/4242', {
    workdir: '/',
  })
  expect({ stdout, generation }).toEqual({ stdout: '9999\n1\nchanged', generation: 2 })
})
