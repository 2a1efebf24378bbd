import { expect, it } from 'vitest'
import type { Internet } from '../../../src/core/internet.ts'
import { MAX_INTERNET_HOSTS } from '../../../src/core/limits/sessions.ts'
import { isWithin, sessionInternet, UNRESTRICTED } from '../../../src/core/tenant-internet.ts'
import { listsHost } from '../../../src/sandboxd/egress/host-list.ts'

const WILD = ['*.example.org', 'pypi.org']

it.each<[own: Internet | null, usual: Internet, ceiling: Internet, inForce: Internet]>([
  [null, true, true, true],
  [null, false, true, false],
  [null, WILD, true, WILD],
  [true, false, true, true],
  [true, true, false, false],
  [['pypi.org'], true, false, false],
  [false, true, WILD, false],
  // A ceiling that was lowered behind a session's own policy, and behind the default.
  [true, true, WILD, WILD],
  [null, true, WILD, WILD],
  [['a.example.org', 'github.com', 'pypi.org'], true, WILD, ['a.example.org', 'pypi.org']],
  [['*.org', '*.example.org'], true, ['b.a.example.org'], ['b.a.example.org']],
  [['*.a.example.org'], true, WILD, ['*.a.example.org']],
  // Not the name itself, and no name that merely ends alike.
  [['example.org', 'notexample.org'], true, WILD, false],
  [['github.com'], true, ['pypi.org'], false],
])('own %j, default %j, ceiling %j: %j is in force', (own, usual, ceiling, inForce) => {
  const policy = sessionInternet(own, { default: usual, ceiling })
  expect(policy).toEqual(inForce)
  expect(isWithin(policy, ceiling)).toBe(true)
})

it('nothing is taken from a tenant without policies', () => {
  for (const own of [true, false, WILD]) expect(sessionInternet(own, UNRESTRICTED)).toEqual(own)
  expect(sessionInternet(null, UNRESTRICTED)).toBe(true)
})

it('what two lists have in common lets no host pass that either of them keeps out, and is a list that a sandbox can have', () => {
  const many = (below: string) => Array.from({ length: MAX_INTERNET_HOSTS - 1 }, (_, at) => `h${at}.${below}`)
  const [one, other] = [
    [...many('a.example'), '*.b.example'],
    [...many('b.example'), '*.a.example'],
  ]
  const common = sessionInternet(one, { default: true, ceiling: other })
  expect(common).toHaveLength(MAX_INTERNET_HOSTS)
  for (const host of ['h0.a.example', 'h0.b.example', 'x.h0.a.example', 'x.b.example', 'a.example', 'c.example']) {
    const passes = Array.isArray(common) && listsHost(common, host)
    expect([host, passes && !(listsHost(one, host) && listsHost(other, host))]).toEqual([host, false])
  }
})
