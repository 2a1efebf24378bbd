import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { MAX_BODY_BYTES } from '../../../src/core/limits/requests.ts'
import { aServer, shellOfLastNode, verifies } from './support.ts'

const server = aServer()

const TREE = 'FileSystemEnv_print_filesys_struture'
const READ = 'FileSystemEnv_read_from_file'
const WRITE = 'FileSystemEnv_write_to_file'

verifies('xagent:files:tree', async () => {
  const node = await server.node()
  await node.write('a.txt', 'x')
  await node.write('new/sub/deep/b.txt', 'x')
  const tree = '- /\n    - a.txt\n- new/\n    - sub/\n        - deep/\n            - b.txt\n'
  expect(await node.value(TREE)).toBe(tree)
  expect(await node.value(TREE, { return_root: true })).toBe(
    `Global Root Work Directory: /home/user/workspace/\n${tree}`,
  )
})

verifies('xagent:files:read', async () => {
  const node = await server.node()
  await node.write('/f.txt/', 'one\ntwo\nthree')
  const read = (line_number?: number) => node.value(READ, { filepath: 'f.txt', ...(line_number && { line_number }) })
  expect(await read()).toBe('    1: one\n    2: two\n    3: three\n')
  expect(await read(2)).toBe('    2: two\n    3: three\n')
  expect(await read(-1)).toBe('    3: three\n')
  await node.upload('empty', '')
  expect(await node.value(READ, { filepath: 'empty' })).toBe('')
})

verifies('xagent:files:write', async () => {
  const node = await server.node()
  const write = (content: string, args: object = {}) => node.value(WRITE, { filepath: 'd/f', content, ...args })
  expect(await write('a\nb')).toBe('    1: a\n    2: b\n')
  expect(await write('c')).toBe('    1: a\n    2: b\n    3: c\n')
  expect(await write('X', { line_number: 2 })).toBe('    1: a\n    2: X\n    3: b\n    4: c\n')
  expect(await write('Y', { line_number: 2, overwrite: true })).toBe('    1: a\n    2: Y\n    3: b\n    4: c\n')
  expect(await write('Z', { line_number: -1 })).toBe('    1: a\n    2: Y\n    3: b\n    4: Z\n    5: c\n')
  expect(await write('new', { truncating: true })).toBe('    1: new\n')
  expect(await node.failure(WRITE, { filepath: 'none', content: 'x', line_number: 7 })).toMatch(
    /^FileNotFoundError: File none not found in workspace\./,
  )
  expect(await node.failure(WRITE, { filepath: 'd', content: 'x' })).toBe('ValueError: File d is not a file.')
})

verifies('xagent:files:outside', async () => {
  const node = await server.node()
  const shell = await shellOfLastNode(server.url())
  await shell('ln -s /etc/passwd passwd; ln -s /etc etc')
  for (const filepath of ['../../etc/passwd', 'passwd', 'etc/passwd', 'a/../../x', 'a\0b']) {
    for (const [tool, args] of [
      [READ, { filepath }],
      [WRITE, { filepath, content: 'x' }],
    ] as const) {
      const failure = await node.failure(tool, args)
      expect([filepath, failure]).toEqual([filepath, expect.not.stringContaining('root:')])
    }
    const { status } = await node.post('/download_file', { file_path: filepath })
    expect([filepath, status]).toEqual([filepath, expect.toSatisfy((code) => [400, 403, 404].includes(code))])
  }
})

verifies('xagent:files:kept-out', async () => {
  const node = await server.node()
  await node.upload('repo/.git/config', '[core]')
  expect(await node.failure(READ, { filepath: 'repo/.git/config' })).toMatch(/^FileNotFoundError: /)
  expect(await node.failure(WRITE, { filepath: 'repo/.git/config', content: 'x' })).toMatch(
    /^ValueError: File repo\/\.git\/config is not within workspace\./,
  )
})

verifies(['xagent:upload', 'xagent:upload:folders'], async () => {
  const node = await server.node()
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  expect(await node.upload('图 1.bin', bytes)).toEqual({ status: 200, body: { message: 'Upload Success!' } })
  expect(await node.bytes('/download_file', { file_path: '图 1.bin' })).toEqual(bytes)
  await node.upload('图 1.bin', 'replaced')
  expect(text(await node.bytes('/download_file', { file_path: '图 1.bin' }))).toBe('replaced')
  expect((await node.upload('a/b/c.txt', 'deep')).status).toBe(200)
  expect(await node.value(READ, { filepath: 'a/b/c.txt' })).toBe('    1: deep')
  expect(await node.upload('../out.txt', 'x')).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/leaves the workspace/) },
  })
  expect(await node.upload('a/b', 'x')).toMatchObject({ status: 409 })
})

verifies('xagent:upload:invalid', async () => {
  const node = await server.node()
  const nothing = new FormData()
  nothing.append('filename', new File(['x'], 'filename'))
  const plain = new FormData()
  plain.append('file', 'a text and no file')
  const invalid = { detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }] }
  for (const init of [{ body: nothing }, { body: plain }, { body: '{}' }, {}]) {
    const response = await node.request('/upload_file', init)
    expect([response.status, await response.json()]).toEqual([422, invalid])
  }
  const large = await node.upload('large', new Uint8Array(MAX_BODY_BYTES))
  expect(large).toMatchObject({ status: 413, body: { detail: expect.stringContaining('MAX_BODY_BYTES') } })
})

verifies(['xagent:download', 'xagent:download:paths'], async () => {
  const node = await server.node()
  await node.upload('hello.txt', 'hello')
  await node.upload('图.png', 'png')
  for (const file_path of ['hello.txt', '/hello.txt', 'workspace/hello.txt', '/workspace/hello.txt', './hello.txt']) {
    expect([file_path, text(await node.bytes('/download_file', { file_path }))]).toEqual([file_path, 'hello'])
  }
  await node.upload('workspace/hello.txt', 'another')
  expect(text(await node.bytes('/download_file', { file_path: 'workspace/hello.txt', file_type: 'x' }))).toBe('another')
  const headersOf = async (file_path: string) =>
    (await node.request('/download_file', { body: JSON.stringify({ file_path }) })).headers
  const plain = await headersOf('hello.txt')
  expect(plain.get('Content-Type')).toMatch(/^text\/plain/)
  expect(plain.get('Content-Disposition')).toBe('attachment; filename="hello.txt"')
  const image = await headersOf('图.png')
  expect(image.get('Content-Type')).toBe('image/png')
  expect(image.get('Content-Disposition')).toBe(`attachment; filename="_.png"; filename*=UTF-8''%E5%9B%BE.png`)
})

verifies('xagent:download:absent', async () => {
  const node = await server.node()
  await node.upload('d/x', 'x')
  expect(await node.post('/download_file', { file_path: 'none.txt' })).toEqual({
    status: 404,
    body: { detail: 'File not found: none.txt' },
  })
  expect((await node.post('/download_file', { file_path: 'd' })).status).toBe(400)
  expect(await node.post('/download_file', {})).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'missing', loc: ['body', 'file_path'] }] },
  })
})

verifies('xagent:workspace:zip', async () => {
  const node = await server.node()
  expect(unzipped(await node.bytes('/download_workspace'))).toEqual({})
  const shell = await shellOfLastNode(server.url())
  await shell('mkdir -p d/e empty; echo deep > d/e/f.txt; ln -s /etc/passwd out; ln -s d/e/f.txt in; seq 300000 > long')
  await node.upload('python_notebook.ipynb', '{}')
  const response = await node.request('/download_workspace')
  expect(response.headers.get('Content-Type')).toBe('application/zip')
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="workspace.zip"')
  expect(unzipped(new Uint8Array(await response.arrayBuffer()))).toEqual({
    'd/e/f.txt': 5,
    long: 1_988_895,
    'python_notebook.ipynb': 2,
  })
})

verifies('xagent:workspace:structure', async () => {
  const node = await server.node()
  expect((await node.post('/get_workspace_structure')).body).toEqual({ name: '', type: 'directory', children: [] })
  const shell = await shellOfLastNode(server.url())
  await shell('mkdir -p d/empty .git; echo x > d/b; echo x > a; echo x > .git/config; ln -s /etc l')
  expect((await node.post('/get_workspace_structure')).body).toEqual({
    name: '',
    type: 'directory',
    children: [
      { name: '.git', type: 'directory', children: [{ name: 'config', type: 'file' }] },
      { name: 'a', type: 'file' },
      { name: 'code_env', type: 'directory', children: [] }, // of the sandbox
      {
        name: 'd',
        type: 'directory',
        children: [
          { name: 'b', type: 'file' },
          { name: 'empty', type: 'directory', children: [] },
        ],
      },
      { name: 'l', type: 'file' },
    ],
  })
})

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Names and sizes, as Python finds them. */
function unzipped(bytes: Uint8Array): Record<string, number> {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-zip-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'a.zip')
  writeFileSync(file, bytes)
  const script =
    'import zipfile,json,sys\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
    'print(json.dumps({i.filename: i.file_size for i in z.infolist()}))'
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }))
}
