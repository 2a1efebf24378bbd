import { describe, expect, it } from 'vitest'
import { mayRead } from '../../../../src/tools/web/robots.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

describe('robots.txt', () => {
  it.each([
    ['', '/', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['user-agent: other\ndisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Toolyard\nDisallow: /x', '/a', true],
    ['User-agent: Toolyard\nDisallow: /x', '/x/y', false],
    ['User-agent: a\nUser-agent: toolyard\nDisallow: /x # why', '/x', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a/b', '/a/b/c', false],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: *\nDisallow: /*/private/*', '/a/private/b', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: *?q=', '/s?q=1', false],
    ['\uFEFFUser-agent: *\r\nDisallow: /a\r\n', '/a', false],
    ['<html>no such page</html>', '/', true],
  ])('%j and %s: may read is %s', (robots, path, may) => {
    expect(mayRead(robots, path)).toBe(may)
  })

  it('takes no longer for a pattern of many stars', async () => {
    await expectCost(() => mayRead(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}b`, `/${'a'.repeat(8_000)}`), {
      below: () => 30 * plainPassMs(18_000),
    })
  })
})
