import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bomb } from '../support/bomb.ts'
import { dnsAnswer, type StandIn, startStandIn } from '../support/stand-in.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'

/** What a tool can be made to ask, through the whole server in workerd: names by a resolver of the test's own. */

const NAMES = {
  'private.example.com': ['10.0.0.5'],
  'loopback.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '169.254.169.254'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
}

let resolver: StandIn
let inner: StandIn
let site: StandIn
let server: Toolyard

beforeAll(async () => {
  resolver = await startStandIn((request) => dnsAnswer(NAMES, request))
  inner = await startStandIn(() => ({ body: 'inner secret' }))
  site = await startStandIn(({ path }) => {
    if (path === '/bomb') return { headers: { 'content-encoding': 'gzip' }, body: bomb(Buffer.alloc(100_000_000)) }
    if (path === '/loop') return { status: 302, headers: { location: '/loop' } }
    if (path.startsWith('/to?')) return { status: 302, headers: { location: decodeURIComponent(path.slice(4)) } }
    return { body: 'outer' }
  })
  server = await startToolyard({ vars: { DNS_RESOLVER_URL: resolver.url, DANGEROUSLY_ALLOW_HOSTS: site.host } })
  await fetch(`${server.url}/api/task/create?task_id=t&task_name=t`, { method: 'POST' })
})
afterAll(async () => {
  await server?.stop()
  await Promise.all([resolver, inner, site].map((standIn) => standIn?.stop()))
})

async function download(download_url: string): Promise<{ success: boolean; error: string | null }> {
  const response = await fetch(`${server.url}/api/tool/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      task_id: 't',
      tool_name: 'download_file_from_url',
      params: { download_url, save_path: 'upload/x' },
    }),
  })
  return (await response.json()) as { success: boolean; error: string | null }
}

describe('a tool that is sent to addresses', () => {
  it('reaches those that it may', async () => {
    expect(await download(`${site.url}/`)).toMatchObject({ success: true })
  })

  it.each([
    ['a loopback address', () => inner.url],
    ['a loopback address in decimal', () => inner.url.replace('127.0.0.1', '2130706433')],
    ['a loopback address in IPv6', () => inner.url.replace('127.0.0.1', '[::ffff:7f00:1]')],
    ['localhost', () => inner.url.replace('127.0.0.1', 'localhost')],
    ['itself', () => server.url],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a redirect to a loopback address', () => `${site.url}/to?${encodeURIComponent(inner.url)}`],
    ['a redirect to another scheme', () => `${site.url}/to?${encodeURIComponent('file:///etc/passwd')}`],
    ['a redirect to a private name', () => `${site.url}/to?${encodeURIComponent('http://loopback.example.com/')}`],
    ...Object.entries(NAMES).map(([name, addresses]): [string, () => string] => [
      `a name that leads to ${addresses}`,
      () => `http://${name}/`,
    ]),
  ])('is kept from %s', async (_, url) => {
    const { success, error } = await download(url())
    expect({ success, error }).toEqual({ success: false, error: expect.stringMatching(/refused|cannot be fetched/) })
    expect(inner.requests).toHaveLength(0)
  })

  it('is kept from names that nobody can resolve', async () => {
    expect(await download('http://nowhere.example.com/')).toMatchObject({ success: false })
  })

  it('does not unpack what is too large, nor follow redirects for ever', async () => {
    expect((await download(`${site.url}/bomb`)).error).toMatch(/MAX_UNSIZED_DOWNLOAD_BYTES/)
    expect((await download(`${site.url}/loop`)).error).toMatch(/MAX_REDIRECTS/)
  })
})

describe('names, when the resolver is away', () => {
  it('are not asked', async () => {
    const alone = await startToolyard({ vars: { DNS_RESOLVER_URL: 'http://127.0.0.1:1/dns-query' } })
    try {
      await fetch(`${alone.url}/api/task/create?task_id=t&task_name=t`, { method: 'POST' })
      const response = await fetch(`${alone.url}/api/tool/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          task_id: 't',
          tool_name: 'download_file_from_url',
          params: { download_url: 'https://example.com/', save_path: 'x' },
        }),
      })
      expect(await response.json()).toMatchObject({
        success: false,
        error:
          'cannot find out where example.com leads: the DNS resolver gives no answer; the call itself is right: try again later, or do without it',
      })
    } finally {
      await alone.stop()
    }
  })
})
