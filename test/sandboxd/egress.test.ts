import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { destinations } from '../../src/sandboxd/egress/destinations.ts'
import { type EgressProxy, egressProxy } from '../../src/sandboxd/egress/egress-proxy.ts'
import { decodeHosts, listsHost } from '../../src/sandboxd/egress/host-list.ts'
import { MAX_EGRESS_CONNECTIONS, MAX_HEADER_BYTES, MAX_HOSTS } from '../../src/sandboxd/limits.ts'
import { makeState, removeState } from './support/daemon.ts'

const HOSTS = ['host.sandbox.internal', 'listed.example', '*.wild.example']

/** Addresses by name, as a nameserver has them, which may change. */
const ADDRESSES = new Map<string, string[]>()
const resolved: string[] = []

const seen: IncomingMessage[] = []
/** Answers that the site owes. */
const silent = new Set<ServerResponse>()
const site = createHttpServer((request, response) => {
  seen.push(request)
  if (request.url === '/echo') {
    const length = request.headers['content-length']
    return void request.pipe(response.writeHead(200, length === undefined ? {} : { 'content-length': length }))
  }
  if (request.url === '/switched') {
    return void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  }
  if (request.url?.startsWith('/silent')) {
    silent.add(response)
    return void response.once('close', () => silent.delete(response))
  }
  if (request.url === '/odd') return void response.socket?.end('HTTP/1.1 42 Odd\r\n\r\n')
  response.end(`site ${request.method} ${request.url} ${request.headers.host}`)
})
/** A server of another kind: it sends back what it gets, and closes when its client has. */
const echo = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => socket.destroy())
  socket.pipe(socket)
})

const state = makeState()
const path = join(state, 'proxy')
let proxy: EgressProxy
let web: number
let other: number
const clients = new Set<Socket>()

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function aProxy(at: string): Promise<EgressProxy> {
  const made = egressProxy({
    hosts: HOSTS,
    destinations: destinations(
      [
        { kind: 'host-port', port: web },
        { kind: 'host-port', port: other },
        { kind: 'address', cidr: '10.20.0.0/16', port: 8080 },
      ],
      ['198.41.0.4', '10.20.0.1'],
    ),
    async resolve(host) {
      resolved.push(host)
      return ADDRESSES.get(host) ?? Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
    },
  })
  made.server.listen(at)
  await once(made.server, 'listening')
  return made
}

beforeAll(async () => {
  web = await listening(site)
  other = await listening(echo)
  proxy = await aProxy(path)
})
beforeEach(() => {
  seen.length = 0
  resolved.length = 0
  ADDRESSES.clear()
})
afterAll(() => {
  for (const client of clients) client.destroy()
  proxy.close()
  site.closeAllConnections()
  site.close()
  echo.close()
  rmSync(path, { force: true })
  removeState(state)
})

function client(at = path): Socket {
  const socket = connect({ path: at, allowHalfOpen: true })
  clients.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clients.delete(socket))
  return socket
}

/** The end of a connection, also by an error. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
/** The first bytes of a connection; none where it ends without any. */
const firstBytes = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes)))
    socket.once('close', () => resolve(''))
  })

/** All that the proxy answers to a text, until it closes the connection. */
async function answerTo(text: string, at = path): Promise<string> {
  const socket = client(at)
  socket.write(text)
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
  })
  socket.once('end', () => socket.end())
  await closed(socket)
  return answer
}

/** A tunnel to a host, as soon as the proxy has made it. */
async function tunnelTo(host: string, at = path): Promise<{ socket: Socket; head: string }> {
  const socket = client(at)
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return { socket, head: await firstBytes(socket) }
}

const get = (url: string, headers = '') =>
  `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${headers}Connection: close\r\n\r\n`
const ownSite = () => `http://host.sandbox.internal:${web}`

describe('a request through the proxy', () => {
  it('reaches a listed host, with its body and without what concerns the proxy alone', async () => {
    expect(
      await answerTo(get(`${ownSite()}/a?b`, 'Proxy-Authorization: x\r\nX-Own: 1\r\nConnection: X-Own\r\n')),
    ).toContain(`site GET /a?b host.sandbox.internal:${web}`)
    expect(seen[0]?.headers).not.toHaveProperty('proxy-authorization')
    expect(seen[0]?.headers).not.toHaveProperty('x-own')
    const text = 'x'.repeat(200_000)
    const sized = `POST ${ownSite()}/echo HTTP/1.1\r\nHost: host.sandbox.internal:${web}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    expect((await answerTo(sized)).endsWith(`\r\n\r\n${text}`)).toBe(true)
    const chunked = `POST ${ownSite()}/echo HTTP/1.1\r\nHost: host.sandbox.internal:${web}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`
    expect(await answerTo(chunked)).toContain('hello')
    expect(await answerTo(`GET http://HOST.sandbox.Internal:${web} HTTP/1.0\r\n\r\n`)).toContain('site GET /')
  })

  it('is refused for another host, in words that name the listed ones', async () => {
    const answer = await answerTo(get('http://example.org/'))
    expect(answer.split('\r\n', 1)[0]).toBe(
      `HTTP/1.1 403 example.org is not allowed: this session may reach only ${HOSTS.join(', ')}`,
    )
    expect(answer.split('\r\n\r\n')[1]).toContain(HOSTS.join(', '))
    for (const url of [
      'http://wild.example/',
      'http://awild.example/',
      'http://listed.example.org/',
      'http://8.8.8.8/',
    ])
      expect(await answerTo(get(url)), url).toContain('HTTP/1.1 403 ')
    expect((await tunnelTo('example.org:443')).head).toContain('HTTP/1.1 403 example.org is not allowed')
    expect(resolved).toEqual([])
  })

  it('is refused when its Host names another host than its address', async () => {
    for (const host of [`example.org:${web}`, 'listed.example', 'host.sandbox.internal', 'a@b', '']) {
      const answer = await answerTo(`GET ${ownSite()}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(answer, host).toMatch(/^HTTP\/1\.1 400 /)
    }
    expect(seen).toEqual([])
  })

  it.each([
    'GET / HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'GET https://listed.example/ HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'GET http://listed.example@example.org/ HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'GET http://example.org\\@listed.example/ HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'GET http://[::1]/ HTTP/1.1\r\nHost: [::1]\r\n\r\n',
    'GET http:///a HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'GET http://listed.example:99999/ HTTP/1.1\r\nHost: listed.example:99999\r\n\r\n',
    'GET http://listed.example/ HTTP/1.1\r\nHost: listed.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'GET  HTTP/9\r\n\r\n',
    'CONNECT listed.example HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'CONNECT http://listed.example:443 HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    'CONNECT listed.example:443@example.org:443 HTTP/1.1\r\nHost: listed.example\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
  ])('is refused for a target that is none: %j', async (text) => {
    expect(await answerTo(text)).toMatch(/^HTTP\/1\.1 400 /)
    expect(resolved).toEqual([])
  })

  it('is refused with headers beyond the limit, and with an answer that is no HTTP', async () => {
    expect(await answerTo(get(`${ownSite()}/`, `X: ${'x'.repeat(MAX_HEADER_BYTES)}\r\n`))).toMatch(/^HTTP\/1\.1 431 /)
    expect(await answerTo(get(`${ownSite()}/odd`))).toMatch(/^HTTP\/1\.1 502 /)
    expect(await answerTo(get(`${ownSite()}/switched`))).toMatch(/^HTTP\/1\.1 502 /)
    expect(await answerTo(get(`${ownSite()}/after`))).toContain('site GET /after')
  })

  it('may be sent behind others, and ends with their client', async () => {
    const kept = (path: string) => get(`${ownSite()}${path}`).replace('Connection: close', 'Connection: keep-alive')
    expect(await answerTo(kept('/first') + get(`${ownSite()}/second`))).toMatch(/site GET \/first.*site GET \/second/s)

    const socket = client()
    socket.write([1, 2, 3].map((number) => kept(`/silent?${number}`)).join(''))
    await expect.poll(() => silent.size).toBe(3)
    socket.destroy()
    await expect.poll(() => silent.size).toBe(0)
  })
})

describe('an address of a listed host', () => {
  it.each([
    ['10.0.0.1', 443],
    ['127.0.0.1', 80],
    ['0.0.0.0', 80],
    ['169.254.169.254', 80],
    ['192.168.1.1', 443],
    ['100.64.0.1', 443],
    ['240.0.0.1', 443],
    ['198.41.0.4', 443],
    ['10.20.0.1', 8080],
    ['10.20.0.2', 443],
  ])('is not reached when it is %s, on port %d', async (address, port) => {
    ADDRESSES.set('a.b.wild.example', [address])
    expect((await tunnelTo(`a.b.wild.example:${port}`)).head).toContain(
      `HTTP/1.1 403 a.b.wild.example has no public address that may be reached on port ${port}`,
    )
    if (port === 80) expect(await answerTo(get('http://a.b.wild.example/'))).toContain('HTTP/1.1 403 ')
  })

  it("is not the host's loopback by any name but one, also on a port that is open there", async () => {
    ADDRESSES.set('listed.example', ['127.0.0.1'])
    expect((await tunnelTo(`listed.example:${web}`)).head).toContain('HTTP/1.1 403 ')
    expect((await tunnelTo('host.sandbox.internal:80')).head).toMatch(/^HTTP\/1\.1 [45]0/)
    expect(seen).toEqual([])
  })

  it('is only looked for on a port that some host may have open', async () => {
    for (const port of [22, 25, 8081]) {
      expect((await tunnelTo(`listed.example:${port}`)).head).toContain('only the ports 80 and 443')
    }
    expect(resolved).toEqual([])
    expect((await tunnelTo('listed.example:443')).head).toContain(
      'HTTP/1.1 502 listed.example could not be resolved (ENOTFOUND)',
    )
    expect(resolved).toEqual(['listed.example'])
  })

  it('may be an excepted one, on the excepted port alone', () => {
    const opened = destinations(
      [
        { kind: 'address', cidr: '10.20.0.0/16', port: 8080 },
        { kind: 'address', cidr: '10.30.0.1/32', port: null },
        { kind: 'address', cidr: '0.0.0.0/0', port: 9 },
      ],
      ['10.30.0.1', '10.20.0.1'],
    )
    expect(
      [
        ['10.20.0.2', 8080],
        ['10.30.0.1', 443],
        ['8.8.8.8', 443],
        ['8.8.8.8', 9],
      ].map(([address, port]) => opened.mayReach(String(address), Number(port))),
    ).toEqual([true, true, true, true])
    expect(
      [
        ['10.20.0.2', 443],
        ['10.20.0.1', 8080],
        ['10.30.0.1', 8080],
        ['127.0.0.1', 9],
        ['8.8.8.8', 8080],
      ].map(([address, port]) => opened.mayReach(String(address), Number(port))),
    ).toEqual([false, false, false, false, false])
  })
})

describe('a tunnel', () => {
  it('passes bytes both ways, also after one side has ended, and a slow reader loses none', async () => {
    const { socket, head } = await tunnelTo(`host.sandbox.internal:${other}`)
    expect(head).toBe('HTTP/1.1 200 Connection established\r\n\r\n')
    const sent = Buffer.alloc(5_000_000, 'x')
    let got = 0
    socket.on('data', (bytes: Buffer) => {
      got += bytes.length
    })
    socket.end(sent)
    await once(socket, 'end')
    expect(got).toBe(sent.length)
  })

  it('is refused beyond the limit in words, and has room when others end, however they do', async () => {
    const own = join(state, 'own')
    const fresh = await aProxy(own)
    const tunnel = () => tunnelTo(`host.sandbox.internal:${other}`, own)
    const look = () => answerTo(get(`${ownSite()}/`), own)
    const open = await Promise.all(Array.from({ length: MAX_EGRESS_CONNECTIONS }, tunnel))
    expect(open.every(({ head }) => head.includes(' 200 '))).toBe(true)
    expect((await tunnel()).head).toContain(`HTTP/1.1 503 ${MAX_EGRESS_CONNECTIONS} connections`)
    expect(await look()).toContain('HTTP/1.1 503 ')
    for (const [at, { socket }] of open.entries()) {
      if (at % 3 === 0) socket.end()
      else if (at % 3 === 1) socket.destroy()
      // Goes while bytes come that it does not read.
      else socket.pause().write(Buffer.alloc(1_000_000), () => socket.destroy())
    }
    await expect.poll(look).toContain('site GET /')
    await expect.poll(() => new Promise((resolve) => echo.getConnections((_, count) => resolve(count)))).toBe(0)
    fresh.close()
  })

  it('ends with the proxy', async () => {
    const own = join(state, 'ending')
    const fresh = await aProxy(own)
    const { socket } = await tunnelTo(`host.sandbox.internal:${other}`, own)
    socket.resume().once('end', () => socket.end())
    fresh.close()
    await closed(socket)
    await expect.poll(() => new Promise((resolve) => echo.getConnections((_, count) => resolve(count)))).toBe(0)
  })
})

describe('a list of hosts', () => {
  it('has names, and names below a name, and nothing else', () => {
    expect(decodeHosts(['PyPI.org', '*.Example.com', 'xn--bcher-kva.example'])).toEqual([
      'pypi.org',
      '*.example.com',
      'xn--bcher-kva.example',
    ])
    const wrong = [
      '',
      '*',
      '*.',
      'localhost',
      '1.2.3.4',
      '10.0.0.0/8',
      '0x7f.1',
      '::1',
      'a_b.example',
      'a..b',
      '.a.b',
      'a.b.',
      '*.*.a.b',
      'a.*.b',
      '-a.b',
      'a-.b',
      'a.b:80',
      'http://a.b',
      `${'a'.repeat(64)}.b`,
      `${'a.'.repeat(127)}b`,
      'bücher.example',
      5,
      null,
    ]
    for (const value of wrong) expect([value, decodeHosts([value])]).toEqual([value, null])
    expect(decodeHosts([])).toBeNull()
    expect(decodeHosts(Array.from({ length: MAX_HOSTS + 1 }, () => 'a.b'))).toBeNull()
  })

  it('lists what is below a name at any depth, and not the name itself', () => {
    expect(['a.b.c', 'x.a.b.c', 'b.c', 'ab.c', 'a.b.c.d'].map((host) => listsHost(['*.b.c', 'q.r'], host))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
