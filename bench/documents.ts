/**
 * Reads every document of a folder by parse_document, over HTTP and by reading processes, and checks it against the folder's
 * expected.json (`{file: {must_include: [text], must_not_include: [text]}}`; files that it does not name are only
 * timed): `npm run bench:documents -- DIR`. A long document is read on by `next_pages` until its end. The last line is
 * JSON: `{files, passed, failed, refused, strings, missing, unwanted, ms}`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { startReader } from '../test/support/reader-host.ts'
import { startSandboxd } from '../test/support/sandboxd.ts'
import { type DirectWorker, startDirectWorker } from './direct-worker.ts'

const Expected = z.record(
  z.string(),
  z.object({ must_include: z.array(z.string()).default([]), must_not_include: z.array(z.string()).default([]) }),
)
const Envelope = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  data: z.object({ content: z.string().optional(), next_pages: z.string().optional() }).nullable(),
})

const [given] = process.argv.slice(2)
if (!given || !statSync(given, { throwIfNoEntry: false })?.isDirectory()) {
  console.error(`${given ? `There is no folder ${given}. ` : ''}Usage: npm run bench:documents -- DIR`)
  process.exit(2)
}
const directory = resolve(given)
const expected = readExpected(join(directory, 'expected.json'))
const files = readdirSync(directory)
  .filter((name) => name !== 'expected.json' && statSync(join(directory, name)).isFile())
  .sort()
const absent = Object.keys(expected).filter((name) => !files.includes(name))

// Formats that LibreOffice converts need a sandbox; the others are read all the same where none can be had.
const sandboxd = await startSandboxd().catch((thrown) => {
  console.error(`No sandboxes here, so what LibreOffice converts is refused: ${thrown}`)
  return null
})
const reader = await startReader()
let worker: DirectWorker | null = null
const total = { files: 0, passed: 0, failed: 0, refused: 0, strings: 0, missing: 0, unwanted: 0, ms: 0 }
try {
  worker = await startDirectWorker({ ...reader.vars, ...sandboxd?.vars })
  const { url } = worker
  await fetch(new URL('/api/task/create?task_id=bench&task_name=bench', url), { method: 'POST' })
  for (const name of files) report(name, await readWhole(url, name))
} finally {
  await worker?.stop()
  await reader.stop()
  await sandboxd?.stop()
}
for (const name of absent) {
  console.log(`FAIL ${name}: named in expected.json, but not in the folder`)
  total.failed++
}
total.ms = Math.round(total.ms)
console.log(
  `\n${total.files} files in ${total.ms} ms: ${total.passed} as expected, ${total.failed} not, ${total.refused} refused; ` +
    `${total.strings - total.missing - total.unwanted} of ${total.strings} checks hold`,
)
console.log(JSON.stringify(total))
process.exitCode = total.failed > 0 ? 1 : 0

interface Read {
  readonly content: string
  readonly error: string | null
  readonly ms: number
  readonly calls: number
}

async function readWhole(url: URL, name: string): Promise<Read> {
  const content = readFileSync(join(directory, name)).toString('base64')
  const path = await call(url, 'file_upload', { files: [{ filename: name, content, is_base64: true }] })
  if (!path.success) return { content: '', error: path.error, ms: 0, calls: 0 }
  const parts: string[] = []
  const start = performance.now()
  let pages: string | undefined
  do {
    const { success, error, data } = await call(url, 'parse_document', {
      file_path: `upload/${name}`,
      ...(pages && { pages }),
    })
    const ms = performance.now() - start
    if (!success) return { content: parts.join('\n'), error: error ?? 'failed', ms, calls: parts.length + 1 }
    parts.push(data?.content ?? '')
    pages = data?.next_pages
  } while (pages)
  return { content: parts.join('\n'), error: null, ms: performance.now() - start, calls: parts.length }
}

async function call(url: URL, tool_name: string, params: object) {
  const response = await fetch(new URL('/api/tool/execute', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ task_id: 'bench', tool_name, params }),
  })
  const text = await response.text()
  const parsed = Envelope.safeParse(safeJson(text))
  return parsed.success
    ? parsed.data
    : { success: false, error: `HTTP ${response.status}: ${text.slice(0, 200)}`, data: null }
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function report(name: string, { content, error, ms, calls }: Read) {
  const wanted = expected[name]
  const missing = (wanted?.must_include ?? []).filter((text) => !content.includes(text))
  const unwanted = (wanted?.must_not_include ?? []).filter((text) => content.includes(text))
  total.files++
  total.ms += ms
  total.strings += (wanted?.must_include.length ?? 0) + (wanted?.must_not_include.length ?? 0)
  total.missing += missing.length
  total.unwanted += unwanted.length
  if (error !== null) total.refused++
  const failed = missing.length > 0 || unwanted.length > 0
  if (failed) total.failed++
  else if (wanted) total.passed++
  const word = failed ? 'FAIL' : error !== null ? 'said' : wanted ? 'ok  ' : 'read'
  const size = `${content.length} chars${calls > 1 ? ` in ${calls} calls` : ''}`
  console.log(`${word} ${name}  ${Math.round(ms)} ms  ${error ?? size}`)
  for (const text of missing) console.log(`       missing:  ${JSON.stringify(text)}`)
  for (const text of unwanted) console.log(`       unwanted: ${JSON.stringify(text)}`)
}

function readExpected(path: string): z.output<typeof Expected> {
  if (!statSync(path, { throwIfNoEntry: false })) {
    console.error(`There is no ${path}: documents are read and timed, and nothing is checked`)
    return {}
  }
  return Expected.parse(JSON.parse(readFileSync(path, 'utf8')))
}
