import { describe, expect, it } from 'vitest'
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../../../src/core/limits/workspace.ts'
import {
  absolutePath,
  ancestors,
  baseName,
  isWithin,
  joinPath,
  parentPath,
  pathFromBytes,
  pathToBytes,
  ROOT,
  workspacePath,
} from '../../../src/core/workspace-path.ts'

const refused = (message: string) =>
  expect.objectContaining({
    failure: expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(message) }),
  })
const refusal = (given: string) => {
  try {
    return `is ${JSON.stringify(workspacePath(given))}`
  } catch (thrown) {
    return thrown
  }
}
const name = (bytes: number) => 'n'.repeat(bytes)
/** A path of so many bytes, of short names. */
const path = (bytes: number) => `${'n/'.repeat(bytes)}`.slice(0, bytes - 2).padEnd(bytes, 'n')

describe('a path that a caller sends', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ['./a//b/./c/', 'a/b/c'],
    ['a/../b', 'b'],
    ['a/b/../../c', 'c'],
    ['/a', 'a'],
    ['//a', 'a'],
    ['', ROOT],
    ['.', ROOT],
    ['/', ROOT],
    ['a/..', ROOT],
    ['/home/user/workspace', ROOT],
    ['/home/user/workspace/a', 'a'],
    ['/home/user/workspaces/a', 'home/user/workspaces/a'],
    ['/home/user/a', 'home/user/a'],
    ['home/user/workspace/a', 'home/user/workspace/a'],
    ['..a/...', '..a/...'],
    ['a\\..\\b', 'a\\..\\b'],
    ['%2e%2e/a', '%2e%2e/a'],
    ['. /..a', '. /..a'],
  ])('%j lies at %j', (given, inside) => {
    expect(workspacePath(given)).toBe(inside)
  })

  it.each([
    ['leaves the task directory', '..'],
    ['leaves the task directory', '../a'],
    ['leaves the task directory', '/..'],
    ['leaves the task directory', 'a/../../b'],
    ['leaves the task directory', 'a/../../a'],
    ['leaves the task directory', '/home/user/workspace/../workspace'],
    ['leaves the task directory', '/home/user/workspace/..'],
    ['leaves the task directory', '/home/user/workspace/../.bashrc'],
    ['leaves the task directory', './..//../etc'],
    ['has a NUL character', 'a\0b'],
    ['has a NUL character', '../\0'],
    ['has half a character', 'a\ud800'],
    ['has half a character', '\udc00/a'],
    [`is longer than ${MAX_NAME_BYTES} bytes`, name(MAX_NAME_BYTES + 1)],
    [`is longer than ${MAX_NAME_BYTES} bytes`, 'é'.repeat(MAX_NAME_BYTES / 2 + 1)],
    [`is longer than ${MAX_NAME_BYTES} bytes`, `a/${name(MAX_NAME_BYTES + 1)}/b`],
    [`is longer than ${MAX_PATH_BYTES} bytes`, path(MAX_PATH_BYTES + 1)],
  ])('a path that %s is refused', (message, given) => {
    expect(refusal(given)).toEqual(refused(message))
  })

  it('may have names and a length up to the limits, and no more of what it shows in a refusal', () => {
    expect(workspacePath(name(MAX_NAME_BYTES))).toHaveLength(MAX_NAME_BYTES)
    expect(workspacePath(path(MAX_PATH_BYTES))).toHaveLength(MAX_PATH_BYTES)
    expect(String(refusal(`../${'a/'.repeat(5_000)}`)).length).toBeLessThan(300)
    expect(String(refusal('../short/name'))).toContain('"../short/name"')
  })

  it('below another one does not lead out of the root either', () => {
    const base = workspacePath('a/b')
    expect(joinPath(base, 'c')).toBe('a/b/c')
    expect(joinPath(base, '../c')).toBe('a/c')
    expect(joinPath(ROOT, 'c')).toBe('c')
    expect(() => joinPath(base, '../../../c')).toThrow(/leaves the task directory/)
  })
})

describe('a path of a workspace', () => {
  it('has a last name, a directory it lies in, and those on the way to it', () => {
    const deep = workspacePath('a/b/c')
    expect([baseName(deep), parentPath(deep), ancestors(deep)]).toEqual(['c', 'a/b', ['a', 'a/b']])
    const top = workspacePath('a')
    expect([baseName(top), parentPath(top), ancestors(top)]).toEqual(['a', ROOT, []])
    expect([baseName(ROOT), parentPath(ROOT), ancestors(ROOT)]).toEqual(['', ROOT, []])
  })

  it('lies within itself, what is above it, and the root; not within what only begins alike', () => {
    const within = (inner: string, outer: string) => isWithin(workspacePath(inner), workspacePath(outer))
    expect([within('a/b', 'a'), within('a', 'a'), within('a', ''), within('', '')]).toEqual([true, true, true, true])
    expect([within('ab', 'a'), within('a', 'a/b'), within('', 'a')]).toEqual([false, false, false])
  })

  it('is shown as programs in a sandbox see it', () => {
    expect(absolutePath(workspacePath('a b/ü'))).toBe('/home/user/workspace/a b/ü')
    expect(absolutePath(ROOT)).toBe('/home/user/workspace')
  })
})

describe('a name of any bytes', () => {
  it.each([
    [[0x61]],
    [[0x80]],
    [[0xff, 0xfe]],
    [[0x61, 0xc3, 0x28, 0x62]],
    [[0xc3]],
    [[0xe2, 0x82]],
    [[0xf0, 0x9f, 0x98, 0x80, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xef, 0x9e, 0x80]],
    [[0xef, 0x9f, 0xbf, 0x80]],
    [[0xef, 0xbb, 0xbf, 0x61]],
    [[0xef, 0xbf, 0xbd]],
  ])('%j goes there and back', (bytes) => {
    const path = pathFromBytes(Uint8Array.from(bytes))
    expect([...pathToBytes(path)]).toEqual(bytes)
    expect(path.isWellFormed()).toBe(true)
  })

  it('has its text read as far as it is text', () => {
    const bytes = [...new TextEncoder().encode('ä中😀'), 0x80, ...new TextEncoder().encode('ä中😀')]
    expect(pathFromBytes(Uint8Array.from(bytes))).toBe('ä中😀\uf780ä中😀')
  })

  it('that is text stays as it is, and what is not is seen to be other than any text', () => {
    expect(pathFromBytes(new TextEncoder().encode('ä 中 😀'))).toBe('ä 中 😀')
    expect(pathFromBytes(Uint8Array.of(0x80))).not.toBe(pathFromBytes(new TextEncoder().encode('\uf780')))
  })
})
