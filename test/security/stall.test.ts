import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TOOK_TOO_LONG } from '../../src/reader/wire.ts'
import { expectCost } from '../support/processor-time.ts'
import { runningToolyard } from '../support/running-toolyard.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { newOwner } from '../support/tenants.ts'
import type { Format, HostileFile } from './stall/hostile-file.ts'
import { hostileFiles } from './stall/hostile-files.ts'

// Reading hundreds of files takes a while, on a machine that may have other things to do.
vi.setConfig({ testTimeout: 600_000 })

/** `STALL=all` reads every file of the table; without it some of each format are read, those of older findings among them. */
const MOST_OF_A_FORMAT = process.env.STALL === 'all' ? Number.POSITIVE_INFINITY : 2
const FOUND_BEFORE =
  /ten million saved states|a row far below|values in the first and the last|wide row after|left open|three thousand spaces/
const QUIET_PROBES = 40
const BREATH_MS = 5
/** Time in which files may be read again, in milliseconds: ten times what that takes on a busy machine. */
const AGAIN_MS = 30_000
/** How much longer than in a quiet moment another tenant may wait, by the median. */
const MOST_TIMES = 5

const files = hostileFiles()
const formats = [...new Set(files.map(({ format }) => format))].sort()
const chosen = (format: Format) =>
  files
    .filter((file) => file.format === format)
    .sort((one, other) => Number(FOUND_BEFORE.test(other.name)) - Number(FOUND_BEFORE.test(one.name)))
    .slice(0, MOST_OF_A_FORMAT)

let site: StandIn
/** What the site shows at its page, or as its robots.txt. */
let shown: { readonly path: string; readonly type: string; readonly body: Uint8Array }
const server = runningToolyard(async () => {
  site = await startStandIn(({ path }) =>
    path === shown.path ? { headers: { 'content-type': shown.type }, body: shown.body } : { status: 404 },
  )
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: site.host } }
})
const keys = { attacker: '', other: '' }
beforeAll(async () => {
  for (const who of ['attacker', 'other'] as const) {
    keys[who] = (await newOwner(server())).key
    await ask('POST', '/api/task/create?task_id=t&task_name=t', undefined, { key: keys[who] })
  }
  await call('file_write', { file_path: 'a.txt', content: 'x' }, keys.other)
})
afterAll(() => site.stop())

interface Sender {
  readonly key?: string
  readonly type?: string
}

/** A request of the tenant that sends hostile files. @returns its status and what came of it */
async function ask(method: string, path: string, body?: BodyInit, sender: Sender = {}): Promise<string> {
  const { key = keys.attacker, type = 'application/json' } = sender
  const headers = { Authorization: `Bearer ${key}`, ...(!(body instanceof FormData) && { 'Content-Type': type }) }
  const answer = await fetch(`${server().url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return `${answer.status} ${await answer.text()}`
}
const call = (tool_name: string, params: object, key = keys.attacker) =>
  ask('POST', '/api/tool/execute', JSON.stringify({ task_id: 't', tool_name, params }), { key })

function asForm(name: string, bytes: Uint8Array): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
  form.append('id', 'p')
  form.append('title', 'P')
  return form
}

const crawl = (path: string, type: string, body: Uint8Array) => {
  shown = { path, type, body }
  return call('page_read', { url: `${site.url}/page` })
}

/** How a file of each format is brought to its reader. @returns the reading, to be begun when all else is done */
async function readingOf({ format }: HostileFile, bytes: Uint8Array): Promise<() => Promise<string>> {
  switch (format) {
    case 'page':
      return () => crawl('/page', 'text/html', bytes)
    case 'xml':
      return () => crawl('/page', 'application/xhtml+xml', bytes)
    case 'robots':
      return () => crawl('/robots.txt', 'text/plain', bytes)
    case 'gz':
    case 'tar':
    case 'tex':
      return () => ask('POST', '/v1/papers', asForm(`a.${format}`, bytes))
    case 'openapi':
      return () => ask('POST', '/v1/apis', JSON.stringify({ env: 'A', openapi: new TextDecoder().decode(bytes) }))
    case 'yaml':
      return () => ask('POST', '/v1/tools/import', bytes as Uint8Array<ArrayBuffer>, { type: 'application/yaml' })
    case 'json':
      return () => ask('POST', '/api/tool/execute', bytes as Uint8Array<ArrayBuffer>)
    default: {
      const file = { filename: `a.${format}`, content: Buffer.from(bytes).toString('base64'), is_base64: true }
      expect(await call('file_upload', { files: [file] })).toContain('"success":true')
      return () => call('parse_document', { file_path: `upload/a.${format}` })
    }
  }
}

/** How long another tenant waits for a file, in milliseconds. */
async function probe(): Promise<number> {
  const begun = performance.now()
  expect(await call('file_read', { file_path: 'a.txt' }, keys.other)).toContain('"content":"x"')
  return performance.now() - begun
}

/** Calls one after another with a breath between them: without it they take a core of the machine that reads the file. */
async function probesUntil(isOver: (count: number) => boolean): Promise<number[]> {
  const waited: number[] = []
  while (!isOver(waited.length)) {
    waited.push(await probe())
    await setTimeout(BREATH_MS)
  }
  return waited
}

async function probesDuring(work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  const waited = await probesUntil(() => isOver)
  await working
  return waited
}

/** Rows of a table as JSON, at least that long. */
function plainJson(bytes: number): string {
  const row = { id: 1, name: 'a name', price: 2.5, tags: ['one', 'two'] }
  const rows = Array.from({ length: Math.ceil(bytes / JSON.stringify(row).length) }, () => row)
  return JSON.stringify({ task_id: 't', tool_name: 'no_such_tool', params: { rows } })
}

/** The larger one in the middle. */
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Has a file read while another tenant asks for its own. @returns how long that one waited each time */
async function probesBeside(file: HostileFile, bytes: Uint8Array): Promise<number[]> {
  const begin = await readingOf(file, bytes)
  let answer = ''
  const waited = await probesDuring(async () => {
    answer = await begin()
  })
  const [status = ''] = answer.split(' ')
  // The limit on one reading is by the clock, so a busy machine may reach it: its reader refuses then, in words of its own.
  const isOutOfTime = status === '504' && answer.includes(TOOK_TOO_LONG)
  if (process.env.STALL === 'all') {
    const most = Math.round(Math.max(0, ...waited))
    process.stderr.write(`${file.format} ${file.name}: ${status}, ${waited.length} probes, longest ${most} ms\n`)
  }
  // A refusal is an answer; an error of the server is none.
  if (!isOutOfTime) expect(`${file.name}: ${status}`).toMatch(/: (?:200|201|4\d\d)$/)
  return waited
}

/**
 * Has files read one after the other, and again until there are as many probes as in a quiet moment: a reading of some
 * milliseconds has one or two, whose median is chance. Readings that stall the server have few in a long time, which will do.
 */
async function enoughProbesBeside(readFiles: readonly HostileFile[]): Promise<number[]> {
  const waited: number[] = []
  const begun = performance.now()
  do {
    for (const file of readFiles) waited.push(...(await probesBeside(file, file.bytes())))
  } while (waited.length < QUIET_PROBES && performance.now() - begun < AGAIN_MS)
  return waited
}

describe('while hostile files are read for one tenant', () => {
  const apart = formats.filter((format) => format !== 'json')
  it.each(apart)(`another one waits no longer than ${MOST_TIMES} times as in a quiet moment: %s`, async (format) => {
    const quiet = async () => median(await probesUntil((count) => count >= QUIET_PROBES))
    await expectCost(() => enoughProbesBeside(chosen(format)), {
      fresh: quiet,
      below: async (before) => MOST_TIMES * Math.max(before, await quiet()),
      measure: async (work) => median(await work()),
    })
  })

  // A body of JSON is read where requests are answered, so any large one is waited for: a hostile one must not cost more.
  it('another one never waits longer than while plain bodies of the same sizes are read: json', async () => {
    const besideEach = async (probes: (file: HostileFile) => Promise<number[]>) => {
      const waited: number[] = []
      for (const file of chosen('json')) waited.push(...(await probes(file)))
      return Math.max(...waited)
    }
    const besidePlain = (file: HostileFile) =>
      probesDuring(() => ask('POST', '/api/tool/execute', plainJson(file.bytes().length)))
    await expectCost(() => besideEach((file) => probesBeside(file, file.bytes())), {
      below: () => besideEach(besidePlain),
      measure: (work) => work(),
    })
  })
})
