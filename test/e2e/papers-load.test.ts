import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jsonAnswer, standIn } from '../support/stand-in.ts'
import { newTenant } from '../support/tenants.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'

let server: Toolyard
let directory: string
const running: ChildProcess[] = []
beforeAll(async () => {
  server = await startToolyard()
})
afterAll(() => server.stop())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-load-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

/** As arXiv publishes its metadata. */
const arxiv = (at: number, more: object = {}) => ({
  id: `0704.${String(at).padStart(4, '0')}`,
  submitter: 'S. Ubmitter',
  authors: 'A. Uthor and B. Other',
  title: `On matter\n  number${at}`,
  comments: null,
  'journal-ref': null,
  doi: null,
  categories: 'hep-ph math.CO',
  license: null,
  abstract: `  We look at matter${at} and find it\nto be good.\n`,
  versions: [
    { version: 'v1', created: 'Mon, 2 Apr 2007 19:18:42 GMT' },
    { version: 'v2', created: 'Tue, 24 Jul 2008 20:10:27 GMT' },
  ],
  update_date: '2008-11-26',
  authors_parsed: [
    ['Uthor', 'A.', ''],
    ['Other', 'B.', 'Jr'],
  ],
  ...more,
})
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${JSON.stringify(arxiv(at))}\n`).join('')

function load(file: string, env: Record<string, string>, ...options: string[]) {
  const settings = { TOOLYARD_BASE_URL: server.url, TOOLYARD_STATE: directory, ...env }
  const child: ChildProcess = spawn(process.execPath, ['scripts/load-papers.mjs', file, ...options], {
    env: { ...process.env, ...settings },
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  return {
    child,
    async ended() {
      const [code] = await once(child, 'close')
      return { code, output }
    },
  }
}
const loaded = (file: string, env: Record<string, string>, ...options: string[]) => load(file, env, ...options).ended()

/** How far a load has come that noted it. */
function progress(): { line: number } | null {
  const folder = join(directory, 'papers-load')
  const [name] = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.json')) : []
  return name ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : null
}

/** Asks the server, and answers with its answer. */
async function passOn(response: ServerResponse, path: string, request: RequestInit, authorization = '') {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
  const answer = await fetch(`${server.url}${path}`, { ...request, headers })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

const paper = async (key: string, id: string) => {
  const answer = await fetch(`${server.url}/v1/papers/${id}`, { headers: { Authorization: `Bearer ${key}` } })
  return (await answer.json()) as Record<string, unknown>
}

describe('npm run papers:load', () => {
  it("loads arXiv's metadata: newest version in the id, year of the first one, packed or not", async () => {
    const { key } = await newTenant(server)
    const file = join(directory, 'a.json.gz')
    await writeFile(file, gzipSync(lines(3)))
    expect(await loaded(file, { TOOLYARD_API_KEY: key })).toMatchObject({
      code: 0,
      output: expect.stringContaining('3 lines: 3 papers added, 0 replaced, 0 lines refused'),
    })
    expect(await paper(key, '0704.0002v2')).toMatchObject({
      file_id: '0704.0002v2',
      title: 'On matter number2',
      publish_year: '2007',
      abstract: 'We look at matter2 and find it to be good.',
    })
  })

  it('goes on where a killed one was, with nothing twice', async () => {
    const { key } = await newTenant(server)
    const file = join(directory, 'a.jsonl')
    await writeFile(file, lines(4_000))
    let passing = 1
    const front = await standIn(({ method, path, headers, body }) => (response) => {
      if (passing-- > 0) void passOn(response, path, { method, body }, headers.authorization)
    })
    const settings = { TOOLYARD_API_KEY: key, TOOLYARD_BASE_URL: front.url }
    const killed = load(file, settings)
    await expect.poll(() => progress()?.line ?? 0).toBeGreaterThan(0)
    killed.child.kill('SIGKILL')
    await killed.ended()
    const at = progress()?.line ?? 0
    expect(at).toBeLessThan(4_000)

    passing = 1_000
    const { code, output } = await loaded(file, settings)
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`going on after line ${at}\n`) })
    const [, sent = '0'] = /; (\d+) papers in /.exec(output) ?? []
    expect(Number(sent)).toBe(4_000 - at)
    const answer = await fetch(`${server.url}/api/task/create?task_id=t&task_name=t`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    const stats = await fetch(`${server.url}/api/tool/execute`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ task_id: 't', tool_name: 'rag_get_stats' }),
    })
    expect(await stats.json()).toMatchObject({ data: { own_papers: 4_000 } })
    expect((await loaded(file, settings)).output).toMatch(/; 0 papers in /)
  })

  it('notices that what was loaded has changed, and takes what was put behind it', async () => {
    const { key } = await newTenant(server)
    const file = join(directory, 'a.jsonl')
    await writeFile(file, lines(3))
    await loaded(file, { TOOLYARD_API_KEY: key })
    await writeFile(file, lines(5))
    expect((await loaded(file, { TOOLYARD_API_KEY: key })).output).toMatch(/5 lines: 5 papers added.*; 2 papers in /)
    await writeFile(file, lines(5).replace('matter1', 'anti-matter1'))
    expect(await loaded(file, { TOOLYARD_API_KEY: key })).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /has changed: its first 5 lines .*\nTo load it from its beginning, remove .*\.json/,
      ),
    })
    await writeFile(file, lines(2))
    expect((await loaded(file, { TOOLYARD_API_KEY: key })).output).toMatch(
      /has 2 lines, and 5 of it were loaded before/,
    )
  })

  it('names lines that are no papers, and loads the others', async () => {
    const { key } = await newTenant(server)
    const own = { id: 'own-1', title: 'Own', text: '# A\n\ntext of it' }
    const bad = ['{"id": ', '[]', JSON.stringify({ id: 'x' }), JSON.stringify(arxiv(1, { title: 7 }))]
    const good = [JSON.stringify(own), '', JSON.stringify(arxiv(2))]
    const file = join(directory, 'a.jsonl')
    await writeFile(file, [...bad, ...good].join('\n'))
    const { code, output } = await loaded(file, { TOOLYARD_API_KEY: key })
    expect(code).toBe(1)
    for (const problem of ['line 1: it is not JSON', 'line 2: it is not a JSON object', 'line 3: title is required']) {
      expect(output).toContain(problem)
    }
    expect(output).toContain('line 4: it has no id or no title')
    expect(output).toContain('2 papers added, 0 replaced, 4 lines refused')
    expect(await paper(key, 'own-1')).toMatchObject({ content: expect.stringContaining('text of it') })
  })

  it('tries again when the server is busy or away, and gives up when it refuses', async () => {
    const file = join(directory, 'a.jsonl')
    await writeFile(file, lines(2))
    let requests = 0
    const busy = await standIn(() => {
      requests++
      if (requests === 1) return (response) => response.destroy()
      if (requests === 2) return jsonAnswer({ detail: 'slow down' }, 429, { 'retry-after': '1' })
      if (requests === 3) return jsonAnswer({ detail: 'oh' }, 503)
      return jsonAnswer({ added: 2, replaced: 0 }, 201)
    })
    const again = await loaded(file, { TOOLYARD_BASE_URL: busy.url })
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('2 papers added') })
    expect(again.output.match(/trying again in/g)).toHaveLength(3)

    const refused = await loaded(file, { TOOLYARD_API_KEY: 'ty_secret_of_mine' })
    expect(refused).toMatchObject({ code: 2, output: expect.stringMatching(/answered 401: this key is not valid/) })
    expect(refused.output).not.toContain('ty_secret_of_mine')
  })

  it('loads public papers with the admin token, from the environment alone', async () => {
    const file = join(directory, 'a.jsonl')
    await writeFile(file, `${JSON.stringify(arxiv(9_001))}\n`)
    expect(await loaded(file, {}, '--public')).toMatchObject({ code: 2, output: expect.stringMatching(/ADMIN_TOKEN/) })
    expect((await loaded(file, { ADMIN_TOKEN: 'wrong' }, '--public')).output).toMatch(/answered 403: only the owner/)
    expect(await loaded(file, { ADMIN_TOKEN: server.adminToken }, '--public')).toMatchObject({ code: 0 })
    expect(await paper((await newTenant(server)).key, '0704.9001v2')).toMatchObject({ title: 'On matter number9001' })
    expect((await loaded(file, {}, '--pubic')).output).toMatch(/usage/)
  })
})
