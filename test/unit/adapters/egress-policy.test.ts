import { describe, expect, it } from 'vitest'
import { whyNotPublic } from '../../../src/adapters/egress/address.ts'
import { checkUrl, type EgressPolicy } from '../../../src/adapters/egress/policy.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { MAX_URL_CHARS } from '../../../src/core/limits/web.ts'
import { ATTACK_URLS } from '../../support/attack-urls.ts'

const STRICT: EgressPolicy = { extraPorts: [], dangerouslyAllowHosts: [] }

/** How the URL is refused; null when it is not. */
function refusal(url: string, policy: EgressPolicy = STRICT): string | null {
  try {
    checkUrl(url, policy)
    return null
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure.code
    throw thrown
  }
}

describe('the egress policy', () => {
  it('has a corpus', () => {
    expect(new Set(ATTACK_URLS).size).toBe(ATTACK_URLS.length)
    expect(ATTACK_URLS.length).toBeGreaterThan(80)
  })

  it.each(ATTACK_URLS)('refuses %j', (url) => {
    expect(['forbidden', 'invalid_input']).toContain(refusal(url))
  })

  it.each([
    'http://example.com/',
    'https://example.com:443/a?b=c\\d#e',
    'http://example.com:443/',
    ' https://example.com/ ',
    'https://EXAMPLE.com./',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://例え.jp/ページ',
    'http://8.8.8.8/',
    'http://172.15.255.255/',
    'http://172.32.0.1/',
    'http://100.63.255.255/',
    'http://100.128.0.1/',
    'http://169.253.1.1/',
    'http://[2606:4700:4700::1111]/',
    'http://[2a00:1450:4001:81b::200e]/',
    'https://local.example.com/',
    'https://localhost.example.com/',
  ])('lets %j pass', (url) => {
    expect(refusal(url)).toBeNull()
  })

  it.each([
    'http://example .com/',
    'http://example.com/a b',
    'http://example.com/a\tb',
    'http://example.com/?a\tb',
    'http://example.com/#a\nb',
    'http://example.com\\@a',
    'http://example.com/\u007f',
  ])('refuses %j, which parsers read differently', (url) => {
    expect(() => checkUrl(url, STRICT)).toThrow(/white space, control characters or a backslash/)
  })

  it('takes a URL of MAX_URL_CHARS, and none that is longer', () => {
    const url = (chars: number) => 'https://example.com/'.padEnd(chars, 'a')
    expect(refusal(url(MAX_URL_CHARS))).toBeNull()
    expect(() => checkUrl(url(MAX_URL_CHARS + 1), STRICT)).toThrow(/MAX_URL_CHARS/)
  })

  it('lets further ports pass when they are set', () => {
    expect(refusal('http://example.com:8080/', { ...STRICT, extraPorts: [8080] })).toBeNull()
    expect(refusal('http://127.0.0.1:8080/', { ...STRICT, extraPorts: [8080] })).toBe('forbidden')
  })

  it('lets the hosts pass that are dangerously allowed, on that port alone, and nothing beside them', () => {
    const policy = { ...STRICT, dangerouslyAllowHosts: ['127.0.0.1:8080', 'localhost:80', '[::1]:81'] }
    const allowed = ['http://127.0.0.1:8080/x', 'http://2130706433:8080/', 'http://localhost/', 'http://[::1]:81/']
    expect(allowed.map((url) => refusal(url, policy))).toEqual([null, null, null, null])
    const others = [
      'http://127.0.0.1:8081/',
      'http://127.0.0.2:8080/',
      'http://127.0.0.1/',
      'http://x.localhost/',
      'http://u:p@127.0.0.1:8080/',
      'ftp://127.0.0.1:8080/',
    ]
    expect(others.filter((url) => refusal(url, policy) === null)).toEqual([])
  })

  it('says what is wrong and what to do, without the credentials', () => {
    expect(() => checkUrl('http://169.254.169.254/', STRICT)).toThrow(
      "169.254.169.254 is link-local, where clouds keep their metadata, and refused; only addresses of the public internet can be fetched, unless the server's owner allows it (DANGEROUSLY_ALLOW_HOSTS)",
    )
    // Its port alone would be no help.
    expect(() => checkUrl('http://projects-service:8000/x', STRICT)).toThrow(
      /projects-service names a machine inside of a network.*DANGEROUSLY_ALLOW_HOSTS/,
    )
    expect(() => checkUrl('http://example.com:8000/', STRICT)).toThrow(/port 8000 is refused.*EGRESS_PORTS/)
    expect(() => checkUrl('https://me:secret@example.com/', STRICT)).toThrow(/^(?!.*secret).*without them/)
  })
})

describe('addresses that DNS may answer with', () => {
  it.each([
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '1:2:3',
    '::1::',
    '2606:4700::g',
    'fe80::1%eth0',
    ':::',
  ])('takes %j for no address', (address) => {
    expect(whyNotPublic(address)).toBe('not an IP address')
  })

  it.each(['::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::'])(
    'refuses %s, though the IPv4 address in it is public',
    (address) => {
      expect(whyNotPublic(address)).not.toBeNull()
    },
  )

  it.each(['1.1.1.1', '223.255.255.255', '2001:200::1', '2001:4860:4860::8888', '2620:fe::fe'])(
    'takes %s for public',
    (address) => {
      expect(whyNotPublic(address)).toBeNull()
    },
  )
})
