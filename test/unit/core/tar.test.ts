import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { joined } from '../../../src/core/joined.ts'
import { readTar, tarEnd, tarHeader, tarPadding } from '../../../src/core/tar.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolyard-tar-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** In pieces of an odd size, as a network would bring it. */
const inPieces = (whole: Uint8Array, size = 37) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < whole.length; at += size) controller.enqueue(whole.subarray(at, at + size))
      controller.close()
    },
  })

async function filesOf(archive: Uint8Array) {
  const found = new Map<string, string>()
  await readTar(inPieces(archive), async ({ name, content }) => {
    found.set(Buffer.from(name).toString('latin1'), new TextDecoder().decode(await content.bytes()))
  })
  return found
}

describe('writing an archive', () => {
  it('makes one that GNU tar unpacks: modes, times, links, long names and names that are not UTF-8', () => {
    const longName = `${'d'.repeat(90)}/${'f'.repeat(120)}`
    const odd = Uint8Array.of(0x6f, 0xff, 0xfe, 0x64)
    const file = (name: Uint8Array, content: string, mode = 0o644) => [
      tarHeader({ name, kind: 'file', mode, mtimeMs: 1_600_000_000_000, size: bytes(content).length }),
      bytes(content),
      tarPadding(bytes(content).length),
    ]
    const archive = joined([
      tarHeader({ name: bytes('d'.repeat(90)), kind: 'directory', mode: 0o755, mtimeMs: 0, size: 0 }),
      ...file(bytes(longName), 'long'),
      ...file(odd, 'odd'),
      ...file(bytes('run.sh'), '#!/bin/sh\n', 0o755),
      ...file(bytes('empty'), ''),
      tarHeader({
        name: bytes('link'),
        kind: 'link',
        mode: 0o777,
        mtimeMs: 0,
        size: 0,
        target: bytes('t'.repeat(150)),
      }),
      tarEnd(),
    ])
    writeFileSync(join(directory, 'a.tar'), archive)
    execFileSync('tar', ['-xpf', 'a.tar'], { cwd: directory })

    expect(readFileSync(join(directory, longName), 'utf8')).toBe('long')
    expect(readdirSync(directory, { encoding: 'buffer' }).some((name) => name.equals(Buffer.from(odd)))).toBe(true)
    expect(statSync(join(directory, 'run.sh')).mode & 0o777).toBe(0o755)
    expect(statSync(join(directory, 'run.sh')).mtimeMs).toBe(1_600_000_000_000)
    expect(statSync(join(directory, 'empty')).size).toBe(0)
    expect(readlinkSync(join(directory, 'link'))).toBe('t'.repeat(150))
  })
})

describe('reading an archive', () => {
  it('gives the files of one that GNU tar made, long names included', async () => {
    writeFileSync(join(directory, 'a.txt'), 'alpha')
    writeFileSync(join(directory, 'x'.repeat(200)), 'long')
    writeFileSync(join(directory, 'big'), 'b'.repeat(100_000))
    const archive = execFileSync('tar', ['--format=gnu', '-cf', '-', './a.txt', `./${'x'.repeat(200)}`, './big'], {
      cwd: directory,
    })
    const found = await filesOf(archive)
    expect([...found.keys()]).toEqual(['./a.txt', `./${'x'.repeat(200)}`, './big'])
    expect(found.get('./a.txt')).toBe('alpha')
    expect(found.get('./big')).toHaveLength(100_000)
  })

  it.each(['ustar', 'posix', 'gnu'])(
    'gives the names of one in the format %s, which has long ones in its own place',
    async (format) => {
      const long = `${'d'.repeat(80)}/${'f'.repeat(90)}`
      mkdirSync(join(directory, 'd'.repeat(80)))
      writeFileSync(join(directory, long), 'long')
      writeFileSync(join(directory, 'short'), 'short')
      const archive = execFileSync('tar', [`--format=${format}`, '-cf', '-', long, 'short'], { cwd: directory })
      expect([...(await filesOf(archive))]).toEqual([
        [long, 'long'],
        ['short', 'short'],
      ])
    },
  )

  it('goes on with the next file when one was left unread', async () => {
    writeFileSync(join(directory, 'one'), '1'.repeat(1_000))
    writeFileSync(join(directory, 'two'), '2')
    const archive = execFileSync('tar', ['--format=gnu', '-cf', '-', 'one', 'two'], { cwd: directory })
    const names: string[] = []
    await readTar(inPieces(archive), async ({ name }) => {
      names.push(new TextDecoder().decode(name))
    })
    expect(names).toEqual(['one', 'two'])
  })

  it('streams a content without holding it', async () => {
    writeFileSync(join(directory, 'big'), 'z'.repeat(10_000))
    const archive = execFileSync('tar', ['--format=gnu', '-cf', '-', 'big'], { cwd: directory })
    let total = 0
    await readTar(inPieces(archive), async ({ content }) => {
      for await (const chunk of content.stream()) total += chunk.length
    })
    expect(total).toBe(10_000)
  })

  it.each([
    ['ends in the middle of a file', (whole: Uint8Array) => whole.subarray(0, 700)],
    ['has a header whose sum is wrong', (whole: Uint8Array) => joined([Uint8Array.of(65), whole.subarray(1)])],
    ['is no archive at all', () => bytes('x'.repeat(2_000))],
  ])('refuses one that %s', async (_what, breakIt) => {
    const whole = joined([
      tarHeader({ name: bytes('f'), kind: 'file', mode: 0o644, mtimeMs: 0, size: 600 }),
      new Uint8Array(600),
      tarPadding(600),
      tarEnd(),
    ])
    await expect(filesOf(breakIt(whole))).rejects.toThrow(/^tar: /)
  })

  const entry = (name: string, content = '') => [
    tarHeader({ name: bytes(name), kind: 'file', mode: 0o644, mtimeMs: 0, size: content.length }),
    bytes(content),
    tarPadding(content.length),
  ]
  const nothing = async () => undefined

  /** The pieces, and for ever the last one again. */
  function endless(...pieces: Uint8Array[]) {
    const seen = { bytes: 0, cancelled: false }
    let at = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces[Math.min(at++, pieces.length - 1)] ?? new Uint8Array()
        seen.bytes += piece.length
        controller.enqueue(piece)
      },
      cancel() {
        seen.cancelled = true
      },
    })
    return { stream, seen }
  }

  it('lets go of what follows the end of the archive', async () => {
    const { stream, seen } = endless(joined([...entry('a', 'x'), tarEnd()]), new Uint8Array(1_000_000))
    await readTar(stream, nothing)
    expect(seen.cancelled).toBe(true)
    expect(seen.bytes).toBeLessThan(10_000_000)
  })

  it.each([
    ['a file without end', [tarHeader({ name: bytes('a'), kind: 'file', mode: 0, mtimeMs: 0, size: 8 ** 10 })]],
    ['entries without end', []],
  ])('reads no more of %s than it is told to, and lets go of the rest', async (_, first) => {
    const { stream, seen } = endless(...first, joined(Array(100).fill(joined(entry('b')))))
    await expect(readTar(stream, nothing, 1_000_000)).rejects.toThrow(/longer than it may be/)
    expect(seen.cancelled).toBe(true)
    expect(seen.bytes).toBeLessThan(2_000_000)
  })

  const longNames = (type: string, record: Uint8Array) => {
    const header = tarHeader({ name: bytes('././@LongLink'), kind: 'file', mode: 0, mtimeMs: 0, size: record.length })
    header[156] = type.charCodeAt(0)
    header.fill(0x20, 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.set(bytes(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
    return joined([header, record, tarPadding(record.length)])
  }

  it.each(['L', 'K', 'x'])('refuses names (%s) upon names before one entry', async (type) => {
    const record = type === 'x' ? bytes('10 a=bcde\n') : bytes('name')
    const { stream, seen } = endless(longNames(type, record))
    await expect(readTar(stream, nothing)).rejects.toThrow('too many names')
    expect(seen.bytes).toBeLessThan(20_000)
  })

  it.each(['L', 'K', 'x'])('refuses a name (%s) that is longer than any may be', async (type) => {
    const whole = longNames(type, new Uint8Array(64 * 1024))
    await expect(readTar(inPieces(whole), nothing)).rejects.toThrow('a name is too long')
    const longest = [longNames('L', bytes('n'.repeat(16 * 1024))), ...entry('a'), tarEnd()]
    expect([...(await filesOf(joined(longest))).keys()]).toEqual(['n'.repeat(16 * 1024)])
  })

  it.each([
    ['many short lines behind one long number', `${'3ab'.repeat(5_000)} `],
    ['a number that is too long', `${'1'.repeat(15_000)} `],
    ['a line longer than the record', '999 a=b\n'],
    ['a line without a length', ' a=b\n'],
    ['a line that says it is nothing', '0 a=b\n'],
  ])('refuses an extended header with %s, in the time that reading it takes', async (_, record) => {
    const reading = async () => {
      for (let at = 0; at < 50; at++) {
        const good = [longNames('x', bytes(`16000 a=${'b'.repeat(15_991)}\n`)), ...entry('a'), tarEnd()]
        await readTar(inPieces(joined(good), 1_000), nothing)
      }
    }
    const refusing = async () => {
      for (let at = 0; at < 50; at++) {
        const broken = readTar(inPieces(longNames('x', bytes(record)), 1_000), nothing)
        await expect(broken).rejects.toThrow('a header is broken')
      }
    }
    await expectCost(refusing, { below: async () => 3 * (await costOf(reading)) + 100 })
  })
})
