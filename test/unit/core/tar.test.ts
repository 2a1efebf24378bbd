import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { joined } from '../../../src/core/joined.ts'
import { readTarFiles, tarEnd, tarHeader, tarPadding } from '../../../src/core/tar.ts'

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
  await readTarFiles(inPieces(archive), async ({ name, content }) => {
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

  it('goes on with the next file when one was left unread', async () => {
    writeFileSync(join(directory, 'one'), '1'.repeat(1_000))
    writeFileSync(join(directory, 'two'), '2')
    const archive = execFileSync('tar', ['--format=gnu', '-cf', '-', 'one', 'two'], { cwd: directory })
    const names: string[] = []
    await readTarFiles(inPieces(archive), async ({ name }) => {
      names.push(new TextDecoder().decode(name))
    })
    expect(names).toEqual(['one', 'two'])
  })

  it('streams a content without holding it', async () => {
    writeFileSync(join(directory, 'big'), 'z'.repeat(10_000))
    const archive = execFileSync('tar', ['--format=gnu', '-cf', '-', 'big'], { cwd: directory })
    let total = 0
    await readTarFiles(inPieces(archive), async ({ content }) => {
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
})
