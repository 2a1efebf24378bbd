import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  MAX_ARCHIVE_BYTES,
  MAX_ARCHIVE_ENTRIES,
  MAX_ARCHIVE_LARGE_FILES,
} from '../../../../../src/core/limits/files.ts'
import { MAX_INLINE_BLOB_BYTES } from '../../../../../src/core/limits/workspace.ts'
import { sha256 } from '../../../../../src/core/sha256.ts'
import { type TarSpec, tarBytes, tarGzBytes, type ZipSpec, zipBytes } from '../../../../support/archives.ts'
import { bomb } from '../../../../support/bomb.ts'
import { openFiles } from './open-files.ts'

type Opened = ReturnType<typeof openFiles>

async function pathsOf({ json }: Opened, path = '') {
  const { body } = await json('GET', `/files/${path}?recursive=true&limit=1000`)
  return (body.data as { path: string }[]).map((entry) => entry.path)
}

const hashOf = async (send: Opened['send'], path: string) =>
  sha256(new Uint8Array(await (await send('GET', `/files/${path}`)).arrayBuffer()))

function scratch() {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-archive-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

describe('an archive of a session', () => {
  const filled = async () => {
    const opened = openFiles()
    for (const path of ['a.txt', 'd/b.txt', 'd/e/c.txt', 'd/文.txt'])
      await opened.put(encodeURIComponent(path), `in ${path}`)
    return opened
  }

  it.each(['zip', 'tar.gz'])(
    'goes out as %s, and comes in elsewhere as the same files in one commit',
    async (format) => {
      const opened = await filled()
      const { send, json } = opened
      const answer = await send('GET', `/archive?path=d&format=${format}`)
      expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="d.${format}"`)
      const body = new Uint8Array(await answer.arrayBuffer())
      expect(await json('PUT', '/archive?path=copy', { body })).toEqual({
        status: 200,
        body: { path: 'copy', files: 3, bytes: 34, commit: 5 },
      })
      expect(await pathsOf(opened, 'copy')).toEqual(['copy/b.txt', 'copy/e', 'copy/e/c.txt', 'copy/文.txt'])
      expect(await (await send('GET', '/files/copy/e/c.txt')).text()).toBe('in d/e/c.txt')
      expect((await json('GET', '/history?limit=1')).body.data).toMatchObject([{ author: 'unpack:k' }])
    },
  )

  it('goes out as it was after a commit, and is read by tar', async () => {
    const { send, json } = await filled()
    await json('DELETE', '/files/d?recursive=true')
    const directory = scratch()
    const body = await (await send('GET', '/archive?format=tar.gz&as_of=4')).arrayBuffer()
    writeFileSync(join(directory, 'a.tar.gz'), new Uint8Array(body))
    execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: directory })
    expect(readFileSync(join(directory, 'd/e/c.txt'), 'utf8')).toBe('in d/e/c.txt')
    expect((await send('GET', '/archive?path=none')).status).toBe(404)
    expect((await send('GET', '/archive?format=rar')).status).toBe(400)
  })

  it('comes in beside what is there, or in its place', async () => {
    const opened = await filled()
    const body = zipBytes([
      { name: 'new.txt', content: '1' },
      { name: 'b.txt', content: '2' },
    ])
    await opened.json('PUT', '/archive?path=d', { body })
    expect(await pathsOf(opened, 'd')).toEqual(['d/b.txt', 'd/e', 'd/e/c.txt', 'd/new.txt', 'd/文.txt'])
    await opened.json('PUT', '/archive?path=d&mode=replace', { body })
    expect(await pathsOf(opened)).toEqual(['a.txt', 'd', 'd/b.txt', 'd/new.txt'])
    await opened.json('PUT', '/archive?mode=replace', { body })
    expect(await pathsOf(opened)).toEqual(['b.txt', 'new.txt'])
  })

  it('of other programs comes in: written to a pipe, with a comment, with long names, with modes, by git', async () => {
    const opened = openFiles()
    const directory = scratch()
    const long = `${'n'.repeat(90)}/${'m'.repeat(90)}.txt`
    mkdirSync(join(directory, 'n'.repeat(90)))
    writeFileSync(join(directory, long), 'long')
    writeFileSync(join(directory, 'run.sh'), '#!/bin/sh', { mode: 0o755 })
    const python = `
import io, sys, zipfile, tarfile
class Pipe(io.RawIOBase):
    def writable(self): return True
    def write(self, b): return sys.stdout.buffer.write(b)
with zipfile.ZipFile(Pipe(), 'w', zipfile.ZIP_DEFLATED) as z:
    z.comment = b'PK\\x05\\x06 a comment'
    z.write('run.sh'); z.write('${long}')
    z.writestr('dir/', '')
`
    const piped = execFileSync('python3', ['-c', python], { cwd: directory })
    expect((await opened.json('PUT', '/archive?path=zip', { body: Uint8Array.from(piped) })).body).toMatchObject({
      files: 2,
    })
    for (const format of ['gnu', 'posix', 'ustar']) {
      const tar = execFileSync('tar', [`--format=${format}`, '-czf', '-', 'run.sh', long], { cwd: directory })
      expect((await opened.json('PUT', `/archive?path=${format}`, { body: Uint8Array.from(tar) })).body).toMatchObject({
        files: 2,
      })
      expect(await (await opened.send('GET', `/files/${format}/${long}`)).text()).toBe('long')
    }
    const stat = opened.workspace.stat('zip/run.sh' as never)
    expect(stat?.mode).toBe(0o755)
    const git = Uint8Array.from(
      execFileSync(
        'sh',
        [
          '-c',
          'git init -q . && git add run.sh && git -c user.name=a -c user.email=a@b commit -qm x && git archive --format=tar.gz HEAD',
        ],
        { cwd: directory },
      ),
    )
    expect((await opened.json('PUT', '/archive?path=git', { body: git })).body).toMatchObject({ files: 1 })
  })

  it('has files of any size, small and large, each as it was', async () => {
    const { json, send } = openFiles()
    const large = new Uint8Array(3 * 1024 * 1024).map((_, at) => (at * 31) ^ (at >> 9))
    const middle = large.subarray(0, MAX_INLINE_BLOB_BYTES + 1)
    for (const body of [
      zipBytes([
        { name: 'l', content: large },
        { name: 'm', content: middle },
        { name: 'empty' },
        { name: 's', content: 'x', method: 0 },
      ]),
      tarGzBytes([
        { name: 'l', content: large },
        { name: 'm', content: middle },
        { name: 'empty' },
        { name: 's', content: 'x' },
      ]),
    ]) {
      expect((await json('PUT', '/archive?mode=replace', { body })).body).toMatchObject({ files: 4 })
      expect(await hashOf(send, 'l')).toBe(sha256(large))
      expect(await hashOf(send, 'm')).toBe(sha256(middle))
      expect(await (await send('GET', '/files/s')).text()).toBe('x')
    }
  })
})

/** Refusals leave the session as it was. */
async function refused(body: Uint8Array<ArrayBuffer>, path = ''): Promise<Record<string, unknown>> {
  const opened = openFiles()
  await opened.put('there.txt', 'before')
  const answer = await opened.json('PUT', `/archive?path=${path}`, { body })
  expect(await pathsOf(opened)).toEqual(['there.txt'])
  expect(opened.workspace.headSeq()).toBe(1)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  return answer.body
}

const good: ZipSpec & TarSpec = { name: 'good.txt', content: 'good' }

describe('a hostile archive is refused whole, and the answer names the entry', () => {
  it.each([
    ['../x', /"..\/x".*".."/],
    ['a/../../x', /".."/],
    ['a/..', /".."/],
    ['/etc/passwd', /absolute/],
    ['C:/x', /absolute/],
    ['a\\..\\x', /backslash/],
    ['a\0b', /NUL/],
    ['n'.repeat(256), /longer than 255/],
    [`${'d/'.repeat(65)}x`, /MAX_ARCHIVE_DEPTH/],
    ['good.txt', /twice/],
    ['./good.txt', /twice/],
    ['good.txt/x', /which is a file/],
    ['GOOD.txt', /case or form/],
    ['ｇood.txt', /case or form/],
    ['.', /has no name/],
  ])('a name that leads elsewhere, or is two names: %o', async (name, reason) => {
    expect(await refused(zipBytes([good, { name }]))).toMatchObject({ code: 'invalid_input', detail: reason })
    if (!name.includes('\0')) expect(await refused(tarGzBytes([good, { name }]), 'd')).toMatchObject({ detail: reason })
  })

  it('directories that differ in case alone', async () => {
    expect(await refused(zipBytes([{ name: 'Dir/a' }, { name: 'dir/b' }]))).toMatchObject({
      detail: expect.stringMatching(/case or form/),
    })
  })

  it.each([
    ['a symbolic link', '2'],
    ['a hard link', '1'],
    ['a character device', '3'],
    ['a block device', '4'],
    ['a pipe', '6'],
    ['a sparse file', 'S'],
    ['a volume', 'V'],
    ['anything unknown', 'Z'],
  ])('%s in a tar', async (_, type) => {
    const detail = /"bad" of the archive is a link, a device/
    expect(await refused(tarGzBytes([good, { name: 'bad', type }]))).toMatchObject({ detail })
  })

  it.each([
    ['a symbolic link', { unixMode: 0o120777, content: '/etc/passwd' }, /link, a device/],
    ['a device', { unixMode: 0o020666 }, /link, a device/],
    ['an encrypted file', { flags: 1 }, /encrypted/],
    ['a file of a masked directory', { flags: 0x2000 }, /encrypted/],
    ['a file packed by another method', { method: 14 }, /other than deflate/],
    ['a file that is larger than stated', { size: 3, content: 'abcdef' }, /does not unpack/],
    ['a file that is smaller than stated', { size: 9, content: 'abcdef' }, /does not unpack/],
    ['a file with another checksum', { crc: 1, content: 'abcdef' }, /does not unpack/],
    ['a stored file with two sizes', { method: 0, content: 'abcdef', size: 3 }, /two sizes/],
    ['a file with another name in its own header', { localName: 'dab' }, /another name/],
    ['a directory with a content', { unixMode: 0o040755, content: 'x' }, /directory with a content/],
    ['a file of a zip64', { size: 0xffff_ffff }, /zip64/],
    ['a file in the bytes of another', { sameAs: 0 }, /another name|shares/],
    ['a file that goes on behind the archive', { packedSize: 1_000_000 }, /damaged|two sizes/],
  ])('%s in a zip', async (_, spec, detail) => {
    expect(await refused(zipBytes([good, { name: 'bad', ...spec }]))).toMatchObject({ code: 'invalid_input', detail })
  })

  it('two entries that share one content, as a bomb without compression of its own has them', async () => {
    const body = zipBytes([
      { name: 'a', content: 'x'.repeat(10_000) },
      { name: 'b', localName: 'a', sameAs: 0, packedSize: 5 },
    ])
    expect(await refused(body)).toMatchObject({ detail: expect.stringMatching(/shares|another name/) })
  })

  it.each([
    ['with bytes before its first entry that move all places', zipBytes([good]).subarray(3)],
    ['cut off', zipBytes([good]).slice(0, -4)],
    ['with bytes behind its end', Uint8Array.from([...zipBytes([good]), 1])],
    ['with more entries stated than it has', zipBytes([good], { count: 2 })],
    ['that is a zip64', zipBytes([good], { count: 0xffff })],
    ['that is no archive', new TextEncoder().encode('hello')],
    ['that is empty', new Uint8Array(0)],
    ['of a gzip cut off', tarGzBytes([good]).slice(0, -20)],
    ['of a tar cut off', Uint8Array.from(bomb(tarBytes([good]).slice(0, 700)))],
    ['of a gzip that is no tar', Uint8Array.from(bomb(new Uint8Array(1024).fill(65)))],
    ['of a tar with a size that goes on behind its end', tarGzBytes([{ name: 'a', size: 100_000 }])],
  ])('one %s', async (_, body) => {
    expect(await refused(Uint8Array.from(body))).toMatchObject({
      code: 'invalid_input',
      detail: expect.stringMatching(/nothing was unpacked/),
    })
  })

  it('one with too many entries, before they are looked at', async () => {
    const many = Array.from({ length: MAX_ARCHIVE_ENTRIES + 1 }, (_, at) => ({ name: `f${at}`, method: 0 }))
    for (const body of [zipBytes(many), zipBytes([good], { count: MAX_ARCHIVE_ENTRIES + 1 }), tarGzBytes(many)])
      expect(await refused(body)).toMatchObject({
        code: 'limit_exceeded',
        detail: expect.stringMatching(/MAX_ARCHIVE_ENTRIES/),
      })
    const deep = Array.from({ length: 300 }, (_, at) => ({ name: `${at}/${'d/'.repeat(50)}x`, method: 0 }))
    expect(await refused(zipBytes(deep))).toMatchObject({ detail: expect.stringMatching(/MAX_ARCHIVE_ENTRIES/) })
  })

  it.each([
    ['entries for the directory itself', { name: './', type: '5' }],
    ['headers about all entries', { name: 'pax_global_header', type: 'g' }],
  ])('one with very many %s, which no file comes of', async (_, spec) => {
    const [block] = [tarBytes([spec]).slice(0, 512)]
    const body = Uint8Array.from(
      bomb(Buffer.concat([...Array(MAX_ARCHIVE_ENTRIES + 1).fill(block), new Uint8Array(1024)])),
    )
    expect(await refused(body)).toMatchObject({
      code: 'limit_exceeded',
      detail: expect.stringMatching(/MAX_ARCHIVE_ENTRIES/),
    })
  })

  it.each([
    ['of another size', '10 size=4\n'],
    ['with holes', '22 GNU.sparse.major=1\n'],
    ['with holes, by its real size', '26 GNU.sparse.realsize=99\n'],
  ])('a tar whose extended header has the next file %s than its own header', async (_, content) => {
    const body = tarGzBytes([
      { name: 'x', type: 'x', content },
      { name: 'a', content: 'abc' },
    ])
    expect(await refused(body)).toMatchObject({ code: 'invalid_input' })
  })

  it('a tar whose extended header names a file twice: other programs take the last', async () => {
    const content = '10 path=a\n15 path=../etc\n'
    expect(
      await refused(
        tarGzBytes([
          { name: 'x', type: 'x', content },
          { name: 'b', content: '1' },
        ]),
      ),
    ).toMatchObject({
      detail: expect.stringMatching(/".."/),
    })
  })

  it('one with too many files that are stored by themselves', async () => {
    const content = new Uint8Array(MAX_INLINE_BLOB_BYTES + 1)
    const many = Array.from({ length: MAX_ARCHIVE_LARGE_FILES + 1 }, (_, at) => ({
      name: `f${at}`,
      content: content.slice(),
    }))
    const noise = many.map(({ name }, at) => ({
      name,
      content: content.map((_, index) => Math.imul(index + at, 2_654_435_761) >> 13),
    }))
    expect(await refused(zipBytes(noise.map((spec) => ({ ...spec, method: 0 }))))).toMatchObject({
      detail: expect.stringMatching(/MAX_ARCHIVE_LARGE_FILES/),
    })
  })

  it('a bomb, by what it states before a byte is unpacked, and by what comes out where it states less', async () => {
    const zeros = new Uint8Array(40 * 1024 * 1024)
    expect(await refused(zipBytes([{ name: 'bomb', content: zeros }]))).toMatchObject({
      code: 'limit_exceeded',
      detail: expect.stringMatching(/MAX_ARCHIVE_RATIO/),
    })
    expect(await refused(zipBytes([{ name: 'bomb', content: zeros, size: 10 }]))).toMatchObject({
      detail: expect.stringMatching(/does not unpack/),
    })
    expect(await refused(Uint8Array.from(bomb(tarBytes([{ name: 'bomb', content: zeros }]))))).toMatchObject({
      code: 'limit_exceeded',
      detail: expect.stringMatching(/MAX_ARCHIVE_RATIO/),
    })
    // What is packed by a hundred is stated to be more than all archives may have.
    const stated = zipBytes([{ name: 'a', size: 0xffff_fffe }])
    expect(await refused(stated)).toMatchObject({ code: 'limit_exceeded' })
    const headers = tarBytes(Array.from({ length: 60 }, () => ({ name: 'x', type: 'x', content: '9 path=a\n' })))
    expect(await refused(Uint8Array.from(bomb(headers)))).toMatchObject({ code: 'invalid_input' })
  })

  it('one that is too large, by its stated size', async () => {
    const { json } = openFiles()
    const headers = { 'Content-Length': String(MAX_ARCHIVE_BYTES * 3) }
    expect(await json('PUT', '/archive', { body: 'PK', headers })).toMatchObject({
      status: 413,
      body: { detail: expect.stringMatching(/MAX_ARCHIVE_BYTES/) },
    })
  })

  it('one that does not fit what is there: a file where it has a directory', async () => {
    const opened = openFiles()
    await opened.put('d', 'a file')
    const body = zipBytes([
      { name: 'x.txt', content: '1' },
      { name: 'd/y.txt', content: '2' },
    ])
    expect((await opened.json('PUT', '/archive', { body })).status).toBe(409)
    expect(await pathsOf(opened)).toEqual(['d'])
  })
})
