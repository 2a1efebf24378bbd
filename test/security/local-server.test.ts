import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/auth/key.ts'
import { endServers, type StartedServer, startedState, startServer } from '../support/npm-start.ts'
import { commandLine, isAlive, socketsOf } from '../support/processes.ts'

const CONTENT = 'what nobody else may read\n'.repeat(10_000)
const SECRET = 'my_task'
const NONE_LEAKED = expect.not.stringMatching(/my_task|nobody else|\n\s+at |\/src\/|node_modules/)

let state: string
let server: StartedServer
beforeAll(async () => {
  state = await startedState()
  server = await startServer('npm', { TOOLYARD_STATE: state })
  await fetch(`${server.url}/api/task/create?task_id=${SECRET}&task_name=T`, { method: 'POST' })
  expect(await server.tool('file_write', { file_path: 'large.txt', content: CONTENT })).not.toBeNull()
})
afterAll(async () => {
  await endServers()
  await rm(state, { recursive: true, force: true })
})

/** Sends these lines as they are, and reads until the server closes. @param at with its port */
async function exchange(lines: readonly string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return await text(socket)
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])
const get = (...headers: readonly string[]) => exchange(['GET /api/task/list HTTP/1.1', ...headers])

describe('without a key, a server of `npm start`', () => {
  it.each(['localhost:PORT', 'localhost', '127.0.0.1:PORT', '[::1]:PORT', 'LOCALHOST:1', 'app.localhost:PORT'])(
    'answers who calls it %s',
    async (host) => {
      const answer = await get(`Host: ${host.replace('PORT', `${server.port}`)}`)
      expect(statusOf(answer)).toBe(200)
      expect(answer).toContain(SECRET)
    },
  )

  it.each([
    ['another name', ['Host: evil.example']],
    ['another name with our port', ['Host: evil.example:8001']],
    ['a name that begins like ours', ['Host: localhost.evil.example']],
    ['a name that ends in a dot', ['Host: localhost.']],
    ['a user', ['Host: localhost@evil.example']],
    ['a path', ['Host: localhost/x@evil.example']],
    ['two names', ['Host: localhost, evil.example']],
    ['another address', ['Host: 0.0.0.0']],
    ['another IPv6 address', ['Host: [::2]']],
    ['an IPv4 address inside of IPv6', ['Host: [::ffff:127.0.0.1]']],
    ['a name that is none', ['Host: [:::']],
    ['nothing', ['Host: ']],
    ['no header at all', []],
    ['one Host and then another', ['Host: localhost', 'Host: evil.example']],
    ['another Host and then ours', ['Host: evil.example', 'Host: localhost']],
    ['a forwarded Host', ['Host: evil.example', 'X-Forwarded-Host: localhost', 'Forwarded: host=localhost']],
    ['a URL of a development server', ['Host: evil.example', 'MF-Original-URL: http://localhost:8001/api/task/list']],
    ['that beside our own name', ['Host: localhost', 'MF-Original-URL: http://localhost:8001/api/task/list']],
    ['a URL that is none', ['Host: localhost', 'MF-Original-URL: nonsense']],
    ['a protocol that is none', ['Host: evil.example', 'X-Forwarded-Proto: nonsense']],
    ['a secret of a development server', ['Host: localhost', 'MF-Proxy-Shared-Secret: x']],
    ['a description of the connection', ['Host: localhost', 'MF-CF-Blob: nonsense']],
    ['a route of a development server', ['Host: localhost', 'MF-Route-Override: toolyard']],
  ])('tells nothing to who calls it by %s', async (_what, headers) => {
    const answer = await get(...headers)
    expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
    expect(answer).toEqual(NONE_LEAKED)
  })

  it.each([
    ['GET http://localhost/api/task/list HTTP/1.1', 'evil.example'],
    ['GET http://127.0.0.1:8001/api/task/list HTTP/1.1', 'evil.example'],
    ['GET //localhost/api/task/list HTTP/1.1', 'evil.example'],
    ['GET \\\\localhost/api/task/list HTTP/1.1', 'evil.example'],
    ['GET @localhost/api/task/list HTTP/1.1', 'evil.example'],
    ['GET /api/task/list HTTP/1.0', 'evil.example'],
    ['CONNECT localhost:80 HTTP/1.1', 'localhost'],
    ['CONNECT miniflare-unsafe-internal-capnp-connect:80 HTTP/1.1', 'localhost'],
  ])('tells nothing by the request line %s', async (line, host) => {
    const answer = await exchange([line, `Host: ${host}`])
    expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
    expect(answer).toEqual(NONE_LEAKED)
  })

  it('says in a model-readable way why it refuses, in the shape of who is asked, and a page of this machine is served', async () => {
    expect(await get('Host: evil.example')).toMatch(/403 Forbidden[\s\S]*{"detail":"without a key only this machine/)
    expect(await get('Host: localhost', 'MF-Original-URL: nonsense')).toMatch(
      /403 Forbidden[\s\S]*application\/problem\+json[\s\S]*the header \\"mf-original-url\\" is not for this server/,
    )
    expect(statusOf(await get('Host: localhost', 'Origin: http://localhost:3000'))).toBe(200)
    expect(statusOf(await get('Host: localhost', 'Origin: http://evil.example'))).toBe(403)
  })
})

it('refuses what a development server would believe with a key, too', async () => {
  const answer = await get('Host: localhost', `X-API-Key: ${newKey().text}`, 'MF-Original-URL: http://localhost/')
  expect(statusOf(answer)).toBe(403)
})

describe('pages of a development server', () => {
  const hash = createHash('sha256').update(CONTENT).digest('hex')

  it('are not there: no blob is given by its hash, nothing can be looked into', async () => {
    const bucket = join(state, 'worker/v3/r2')
    const sizes = readdirSync(bucket, { recursive: true }).map((name) => statSync(join(bucket, String(name))).size)
    expect(sizes).toContain(CONTENT.length)
    const names = [hash, `t/dev/blobs/${hash}`]
    const paths = [
      ...names.flatMap((name) =>
        ['/cdn-cgi/local/r2/public/', '/cdn-cgi/local/r2/public/toolyard-blobs/'].map((at) => at + name),
      ),
      ...names.map((name) => `/cdn-cgi/local/r2/s3/toolyard-blobs/${name}`),
      ...['/cdn-cgi/explorer', '/cdn-cgi/explorer/api/r2/buckets', '/cdn-cgi/local/scheduled', '/cdn-cgi/local/email'],
      ...[
        '/cdn-cgi/local/platform-proxy',
        '/cdn-cgi/mf/scheduled',
        '/cdn-cgi/trace',
        '/__cf_local/',
        '/__scheduled',
        '/core/error',
        '/neighbours.bin',
        '/neighbours',
      ],
    ]
    for (const path of paths) {
      for (const headers of [
        ['Host: localhost'],
        ['Host: evil.example'],
        ['Host: localhost', `MF-Original-URL: http://localhost${path}`],
      ]) {
        const answer = await exchange([`GET ${path} HTTP/1.1`, ...headers])
        expect({ path, status: statusOf(answer) }).toEqual({ path, status: expect.toBeOneOf([403, 404]) })
        expect(answer).toEqual(NONE_LEAKED)
        expect(answer).not.toContain('Access-Control-Allow-Origin')
      }
    }
  })

  it('are on no other port of the worker either', () => {
    expect(server.listening()).toEqual([`127.0.0.1:${server.port}`])
  })
})

it('the sockets that the server keeps for its processes come into no sandbox and no process that reads', async () => {
  await server.tool('file_write', { file_path: 'page.html', content: '<h1>Hello</h1>' })
  await server.tool('parse_document', { file_path: 'page.html' })
  await server.tool('execute_shell', { command: 'sleep 600 &' })
  for (const text of ['src/sandboxd/main.ts', 'src/readerd/main.ts']) {
    const [parent = Number.NaN, ...children] = server.familyOf(text)
    const kept = [3, 4].map((fd) => readlinkSync(`/proc/${parent}/fd/${fd}`))
    expect(socketsOf(parent)).toEqual(expect.arrayContaining(kept))
    const below = children.filter(isAlive).flatMap(socketsOf)
    expect(children.length).toBeGreaterThan(0)
    expect(below.filter((socket) => kept.includes(socket))).toEqual([])
  }
})

describe('another user of the machine', () => {
  /** The sandbox host of that server, asked with these headers. */
  async function askHost(path: string, headers: Record<string, string>, method = 'GET') {
    const [address] = server.listening('src/sandboxd/main.ts')
    const answer = await fetch(`http://${address}${path}`, { method, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const sandboxId = () => readdirSync(join(state, 'sandboxes/s'))[0] ?? ''

  beforeAll(async () => {
    await server.tool('execute_shell', { command: 'echo private > /tmp/private.txt' })
    const serve = 'cd /tmp && (setsid python3 -m http.server 8300 --bind 127.0.0.1 > /dev/null 2>&1 &)'
    const upThen = 'until (exec 3<>/dev/tcp/127.0.0.1/8300) 2> /dev/null; do sleep 0.1; done'
    await server.tool('execute_shell', { command: `${serve}; ${upThen}` })
  })

  it.each(['', 'local', 'e2b_0000000000000000000000000000000000000000'])(
    'may not list, read or end sandboxes by the key "%s"',
    async (key) => {
      const id = sandboxId()
      for (const [method, path] of [
        ['GET', '/v2/sandboxes'],
        ['GET', `/sandboxes/${id}`],
        ['POST', `/sandboxes/${id}/connect`],
        ['DELETE', `/sandboxes/${id}`],
        ['POST', '/v2/sandboxes'],
      ] as const) {
        const { status, text: answer } = await askHost(path, key === '' ? {} : { 'X-API-Key': key }, method)
        expect({ method, path, status }).toEqual({ method, path, status: 401 })
        expect(answer).not.toContain('Token"')
      }
      expect(await server.tool('execute_shell', { command: 'cat /tmp/private.txt' })).toMatchObject({
        stdout: 'private\n',
      })
    },
  )

  it.each([
    ['files', '49983', '/files?path=/tmp/private.txt'],
    ['processes', '49983', '/process.Process/List'],
    ['metrics', '49983', '/metrics'],
    ['variables', '49983', '/envs'],
    ['contexts', '49999', '/contexts'],
    ['its own services', '8300', '/private.txt'],
  ])('may not read %s of a sandbox whose id is known', async (_what, port, path) => {
    const target = { 'E2b-Sandbox-Id': sandboxId(), 'E2b-Sandbox-Port': port }
    for (const token of ['', 'x', sandboxId()]) {
      const tokens = token === '' ? {} : { 'X-Access-Token': token, 'E2B-Traffic-Access-Token': token }
      const answer = await askHost(path, { ...target, ...tokens })
      expect(answer).toEqual({ status: 401, text: expect.not.stringContaining('private\n') })
    }
  })

  it('finds the key in no command line, and in no file that others may read', () => {
    const key = readFileSync(join(state, 'sandboxd-key'), 'utf8').trim()
    expect(statSync(join(state, 'sandboxd-key')).mode & 0o777).toBe(0o600)
    expect(server.family().map(commandLine).join('\n')).not.toContain(key)
  })
})
