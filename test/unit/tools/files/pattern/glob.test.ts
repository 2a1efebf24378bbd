import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../../../../src/tools/files/pattern/glob.ts'
import { WorkMeter } from '../../../../../src/tools/files/pattern/work-meter.ts'

const matches = (glob: string, path: string) => compileGlob(glob, new WorkMeter(1e9))(path)

describe('a glob', () => {
  it.each([
    ['*.py', 'a.py', true],
    ['*.py', 'a/b.py', false],
    ['**/*.py', 'a.py', true],
    ['**/*.py', 'a/b/c.py', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', false],
    ['src/**/x', 'src/x', true],
    ['a**b', 'a/b', false],
    ['{a,b/{c,d}}.ts', 'b/d.ts', true],
    ['{a,b}', 'ab', false],
    ['[!a]x', 'bx', true],
    ['[!a]x', '/x', false],
    ['[a-c]?', 'bé', true],
    ['[]]', ']', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a?', 'a😀', true],
    ['*', 'a\nb', true],
    ['a.b', 'axb', false],
    ['中*', '中文.txt', true],
  ])('%s takes %j: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected)
  })

  it.each([
    ['{a', /has no "}"/],
    ['[a', /has no "\]"/],
    ['a\\', /backslash/],
    ['*'.repeat(501), /MAX_GLOB_CHARS/],
    ['{'.repeat(200), /braces/],
  ])('%s is refused', (glob, reason) => {
    expect(() => matches(glob, 'a')).toThrow(reason)
  })

  it('of which a .gitignore has hundreds remember little of names in all the alphabets of Unicode', () => {
    const before = process.memoryUsage().arrayBuffers
    const globs = Array.from({ length: 200 }, (_, n) => compileGlob(`**/*[a-c]x${n}`, new WorkMeter(1e12)))
    for (let page = 0; page < 4_000; page++) {
      if (page >= 0xd8 && page < 0xe0) continue
      const name = String.fromCodePoint(page * 256 + 1)
      expect(globs.some((matches) => matches(name))).toBe(false)
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024)
  })

  it.each(['**/**/**/**/*a*a*a*a*a*a*a*b', '*'.repeat(1) + '*a'.repeat(200), '{*a,*a}'.repeat(70)])(
    '%s is decided by few steps for each character of a long path',
    (glob) => {
      const meter = new WorkMeter(20_000_000)
      const match = compileGlob(glob, meter)
      for (let n = 0; n < 20; n++) expect(match(`${'a'.repeat(200)}/`.repeat(15) + 'a'.repeat(50) + n)).toBe(false)
      expect(meter.isExhausted).toBe(false)
    },
  )
})
