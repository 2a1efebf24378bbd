import { expect, it } from 'vitest'
import { internetHosts, isSameInternet, namedHosts } from '../../../src/core/internet.ts'
import { decodeHosts } from '../../../src/sandboxd/egress/host-list.ts'

it('hosts are kept as nameservers know them, each once, in an order that does not depend on how they are given', () => {
  const hosts = internetHosts(['PyPI.org', 'bücher.example.', '*.Example.com', 'pypi.org', 'a-1.example.com'])
  expect(hosts).toEqual(['*.example.com', 'a-1.example.com', 'pypi.org', 'xn--bcher-kva.example'])
  expect(isSameInternet(hosts, internetHosts([...hosts].reverse()))).toBe(true)
  expect([isSameInternet(hosts, true), isSameInternet(false, true), isSameInternet(hosts, ['pypi.org'])]).toEqual([
    false,
    false,
    false,
  ])
  // The sandbox host of one's own takes each list that the server takes.
  expect(decodeHosts(hosts)).toEqual(hosts)
})

it.each([
  '*', '*.', '*.com', '*.*.example.org', 'a.*.org', '.example.org', 'example..org', 'localhost', '127.0.0.1', '10.0.0.0/8', '0x7f.1',
  '2130706433', '[::1]', '::1', 'http://example.org', 'example.org:443', 'example.org/a', 'user@example.org', 'a b.example', 'a_b.example',
  '-a.example', 'a\n.example', 'a%2eexample', 'example.1', `${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}example`, '。',
])('%j is no host, and the refusal says what is one', (text) => {
  expect(() => internetHosts(['pypi.org', text])).toThrow(
    `internet: ${JSON.stringify(text)} is no host name; give names such as "example.org"`,
  )
}) // biome-ignore format: a list reads best as one

it('words name a dozen hosts, and say how many more there are', () => {
  const hosts = Array.from({ length: 14 }, (_, at) => `h${at}.example`)
  expect(namedHosts(hosts.slice(0, 2))).toBe('h0.example, h1.example')
  expect(namedHosts(hosts)).toMatch(/^h0\.example, .*h11\.example, and 2 more$/)
})
