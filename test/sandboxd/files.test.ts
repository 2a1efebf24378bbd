import { randomBytes } from 'node:crypto'
import { FileNotFoundError, type FilesystemEvent, FilesystemEventType, Sandbox } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let sandbox: Sandbox
beforeAll(async () => {
  daemon = await startDaemon()
  sandbox = await Sandbox.create(daemon.sdk)
})
afterAll(() => daemon.stop())

function streamOf(bytes: Uint8Array, chunk = 65_536): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + chunk))
      at += chunk
    },
  })
}

describe('contents', () => {
  it('writes and reads text, making directories on the way', async () => {
    const info = await sandbox.files.write('deep/er/note.txt', 'grüße\n')
    expect(info).toMatchObject({ name: 'note.txt', path: '/home/user/deep/er/note.txt', type: 'file' })
    expect(await sandbox.files.read('/home/user/deep/er/note.txt')).toBe('grüße\n')
  })

  it('keeps bytes, also those that look like a multipart boundary', async () => {
    const bytes = Buffer.concat([
      randomBytes(3000),
      Buffer.from('\r\n--\r\n------formdata-undici-0\r\n'),
      randomBytes(3000),
    ])
    await sandbox.files.write(
      'bytes.bin',
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    )
    const read = await sandbox.files.read('bytes.bin', { format: 'bytes' })
    expect(Buffer.from(read).equals(bytes)).toBe(true)
  })

  it('writes many files in one request', async () => {
    const files = Array.from({ length: 50 }, (_, n) => ({ path: `many/${n} "quoted" é.txt`, data: `content ${n}` }))
    const written = await sandbox.files.write(files)
    expect(written.map(({ path }) => path)).toEqual(files.map(({ path }) => `/home/user/${path}`))
    expect(await sandbox.files.read('many/49 "quoted" é.txt')).toBe('content 49')
  })

  it('streams 8 MB up and down without change', async () => {
    const bytes = randomBytes(8 * 1024 * 1024)
    await sandbox.files.write('big.bin', streamOf(bytes))
    const chunks: Uint8Array[] = []
    for await (const chunk of await sandbox.files.read('big.bin', { format: 'stream' })) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
    await sandbox.files.write('big2.bin', new Blob([bytes]))
    expect((await sandbox.commands.run('cmp big.bin big2.bin && stat -c %s big2.bin')).stdout).toBe('8388608\n')
  })

  it('has empty files in every format', async () => {
    await sandbox.files.write('empty', '')
    expect(await sandbox.files.read('empty')).toBe('')
    expect(await sandbox.files.read('empty', { format: 'bytes' })).toEqual(new Uint8Array())
    expect((await (await sandbox.files.read('empty', { format: 'blob' })).text()).length).toBe(0)
  })

  it('compresses both ways when asked', async () => {
    const text = 'abc '.repeat(50_000)
    await sandbox.files.write('zipped.txt', text, { gzip: true })
    expect(await sandbox.files.read('zipped.txt', { gzip: true })).toBe(text)
    expect((await sandbox.commands.run('stat -c %s zipped.txt')).stdout).toBe('200000\n')
  })

  it('refuses what is not gzip, a directory, and a missing file', async () => {
    const upload = await fetch(`${daemon.url}/files?path=bad`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' },
      body: 'not gzip',
    })
    expect(upload.status).toBe(400)
    await expect(sandbox.files.write('/home/user', 'x')).rejects.toThrow(/EISDIR/)
    await expect(sandbox.files.read('/home/user')).rejects.toThrow(/is a directory/)
    await expect(sandbox.files.read('missing')).rejects.toBeInstanceOf(FileNotFoundError)
  })

  it('keeps metadata with the file', async () => {
    const written = await sandbox.files.write('tagged', 'x', { metadata: { author: 'me', kind: 'draft' } })
    expect(written.metadata).toEqual({ author: 'me', kind: 'draft' })
    await sandbox.files.rename('tagged', 'tagged2')
    expect((await sandbox.files.getInfo('tagged2')).metadata).toEqual({ author: 'me', kind: 'draft' })
    expect((await sandbox.files.getInfo('empty')).metadata).toBeUndefined()
  })

  it('serves signed URLs, and refuses forged and expired ones', async () => {
    await sandbox.files.write('shared.txt', 'for you')
    const url = await sandbox.downloadUrl('shared.txt', { useSignatureExpiration: 60 })
    expect(await (await fetch(url)).text()).toBe('for you')
    expect((await fetch(url.replace('shared', 'secret'))).status).toBe(401)
    expect((await fetch(await sandbox.downloadUrl('shared.txt', { useSignatureExpiration: -5 }))).status).toBe(401)
    const form = new FormData()
    form.append('file', new Blob(['sent']), 'ignored.txt')
    const upload = await fetch(await sandbox.uploadUrl('sent.txt'), { method: 'POST', body: form })
    expect(upload.status).toBe(200)
    expect(await sandbox.files.read('sent.txt')).toBe('sent')
  })
})

describe('directories', () => {
  it('lists by depth, with types, sizes and symlinks', async () => {
    await sandbox.commands.run(
      'mkdir -p tree/a/b && printf 12345 > tree/five && chmod 640 tree/five && ln -s five tree/link',
    )
    const shallow = await sandbox.files.list('tree')
    expect(shallow.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'dir'],
      ['five', 'file'],
      ['link', 'file'],
    ])
    expect(shallow[1]).toMatchObject({ size: 5, mode: 0o640, permissions: '-rw-r-----', owner: 'user', group: 'user' })
    expect(shallow[2]).toMatchObject({ symlinkTarget: '/home/user/tree/five' })
    const deep = await sandbox.files.list('tree', { depth: 2 })
    expect(deep.map(({ path }) => path)).toContain('/home/user/tree/a/b')
    await expect(sandbox.files.list('tree/five')).rejects.toThrow(/not a directory/)
  })

  it('makes, moves, removes and asks for existence', async () => {
    expect(await sandbox.files.makeDir('one/two')).toBe(true)
    expect(await sandbox.files.makeDir('one/two')).toBe(false)
    expect(await sandbox.files.rename('one/two', 'moved/two')).toMatchObject({
      path: '/home/user/moved/two',
      type: 'dir',
    })
    expect(await sandbox.files.exists('one/two')).toBe(false)
    await sandbox.files.remove('moved')
    expect(await sandbox.files.exists('moved/two')).toBe(false)
    await expect(sandbox.files.rename('moved', 'elsewhere')).rejects.toBeInstanceOf(FileNotFoundError)
  })

  it('will not remove the home directory', async () => {
    await expect(sandbox.files.remove('/home/user')).rejects.toThrow(/cannot remove/)
  })
})

describe('watchDir', () => {
  const watch = async (path: string, recursive: boolean) => {
    const events: FilesystemEvent[] = []
    await sandbox.files.makeDir(path)
    const handle = await sandbox.files.watchDir(path, (event) => void events.push(event), {
      recursive,
      includeEntry: true,
    })
    const saw = (type: FilesystemEventType, name: string) =>
      expect.poll(() => events.map((event) => [event.type, event.name])).toContainEqual([type, name])
    return { handle, events, saw }
  }

  it('tells of files that come, change, move and go', async () => {
    const { handle, events, saw } = await watch('watched', false)
    await sandbox.files.write('watched/new.txt', 'x')
    await saw(FilesystemEventType.CREATE, 'new.txt')
    expect(events[0]?.entry).toMatchObject({ path: '/home/user/watched/new.txt', type: 'file' })
    await sandbox.files.write('watched/new.txt', 'longer')
    await saw(FilesystemEventType.WRITE, 'new.txt')
    await sandbox.commands.run('chmod 600 watched/new.txt')
    await saw(FilesystemEventType.CHMOD, 'new.txt')
    await sandbox.files.rename('watched/new.txt', 'watched/other.txt')
    await saw(FilesystemEventType.RENAME, 'new.txt')
    await saw(FilesystemEventType.CREATE, 'other.txt')
    await sandbox.files.remove('watched/other.txt')
    await saw(FilesystemEventType.REMOVE, 'other.txt')
    await handle.stop()
  })

  it('sees files in directories that were made a moment ago', async () => {
    const { handle, saw } = await watch('watched-deep', true)
    await sandbox.commands.run('mkdir -p watched-deep/a/b/c && echo x > watched-deep/a/b/c/file')
    await saw(FilesystemEventType.CREATE, 'a/b/c/file')
    await sandbox.commands.run('echo y >> watched-deep/a/b/c/file')
    await saw(FilesystemEventType.WRITE, 'a/b/c/file')
    await handle.stop()
  })
})

function headers() {
  const token = (sandbox as unknown as { envdAccessToken: string }).envdAccessToken
  return { 'E2b-Sandbox-Id': sandbox.sandboxId, 'E2b-Sandbox-Port': '49983', 'X-Access-Token': token }
}
