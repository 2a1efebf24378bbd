/**
 * Puts the papers of a file into a running server, by its `POST /v1/papers`:
 *
 *   npm run papers:load -- FILE [--public]
 *
 * FILE has one paper per line, as JSON: arXiv's metadata as it is published ("arxiv-metadata-oai-snapshot.json"), or what
 * POST /v1/papers takes. `.gz` is unpacked on the way. Run again after an interruption it goes on where it was; when the
 * lines that were loaded have changed since, it says so and begins anew. Lines that are no papers are named and passed
 * over, and the exit code is 1 then.
 *
 * TOOLYARD_BASE_URL (the local server at PORT), TOOLYARD_API_KEY (none for a local server), ADMIN_TOKEN (for --public),
 * TOOLYARD_STATE (.toolyard; where it remembers how far it came).
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { toPaper } from './arxiv-paper.mjs'
import { serverUrl } from './server-url.mjs'

const BATCH_PAPERS = 500
/** Size of one request, in characters; a body may have 28 MiB and a put 8 million characters. */
const BATCH_CHARS = 4_000_000
/** Longest line: longer than any of metadata, but one with a whole text may need this much. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const TRIES = 8
const MAX_NAMED_LINES = 20

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const url = serverUrl().replace(/\/+$/, '')
const { file, isPublic } = readArguments(process.argv.slice(2))
const token = isPublic ? process.env.ADMIN_TOKEN : process.env.TOOLYARD_API_KEY
if (isPublic && !token) stop('--public needs the admin token in ADMIN_TOKEN; "npm start" says where it is')

const total = sizeOf(file)
const place = join(
  resolve(process.env.TOOLYARD_STATE || join(home, '.toolyard')),
  'papers-load',
  `${createHash('sha256')
    .update(JSON.stringify([url, file, isPublic, token ?? '']))
    .digest('hex')
    .slice(0, 32)}.json`,
)

const progress = { line: 0, added: 0, replaced: 0, bad: 0, sum: '' }
const hash = createHash('sha256')
const known = recall()
const started = Date.now()
let batch = []
let batchChars = 0
let sent = 0
let shownAt = 0

for await (const { line, number, readBytes } of linesOf(file)) {
  hash.update(line).update('\n')
  progress.line = number
  if (known && number <= known.line) {
    if (number === known.line) goOn()
    continue
  }
  const text = line.trim()
  if (text !== '') take(text, number)
  if (batch.length >= BATCH_PAPERS || batchChars >= BATCH_CHARS) await send(readBytes)
}
if (known && progress.line < known.line) {
  stop(`${file} has ${progress.line} lines, and ${known.line} of it were loaded before; was it cut?\n${anew()}`)
}
await send(total)
report()
process.exitCode = progress.bad > 0 ? 1 : 0

function readArguments(given) {
  const [name, ...more] = given.filter((word) => word !== '--public')
  if (name === undefined || more.length > 0 || name.startsWith('-')) {
    stop('usage: npm run papers:load -- FILE [--public]')
  }
  return { file: resolve(process.env.INIT_CWD || '.', name), isPublic: given.includes('--public') }
}

function sizeOf(path) {
  try {
    return statSync(path).size
  } catch {
    return stop(`there is no file ${path}`)
  }
}

/** Reads an earlier run's progress with this file; the hash of its lines says whether they are still the same. */
function recall() {
  try {
    return JSON.parse(readFileSync(place, 'utf8'))
  } catch {
    return null
  }
}

function goOn() {
  if (hash.copy().digest('hex') !== known.sum) {
    stop(`${file} has changed: its first ${known.line} lines are not those that were loaded before.\n${anew()}`)
  }
  Object.assign(progress, known)
  say(`going on after line ${known.line}`)
}

function anew() {
  return `To load it from its beginning, remove ${place}`
}

/** Writes the progress in one step, so that there is always a whole one. */
function remember() {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  writeFileSync(`${place}.new`, JSON.stringify({ ...progress, sum: hash.copy().digest('hex') }), { mode: 0o600 })
  renameSync(`${place}.new`, place)
}

function take(text, number) {
  try {
    const paper = toPaper(JSON.parse(text))
    batch.push({ paper, number })
    batchChars += text.length
  } catch (error) {
    refuse(number, error instanceof SyntaxError ? 'it is not JSON' : error.message)
  }
}

function refuse(number, why) {
  progress.bad++
  if (progress.bad <= MAX_NAMED_LINES) say(`line ${number}: ${why}`)
  if (progress.bad === MAX_NAMED_LINES) say('further lines that are no papers are only counted')
}

/** Sends the gathered papers; refused ones are named and the others are sent again. */
async function send(readBytes) {
  while (batch.length > 0) {
    const answer = await post({ papers: batch.map(({ paper }) => paper) })
    if (answer.errors === undefined) {
      progress.added += answer.added
      progress.replaced += answer.replaced
      sent += batch.length
      break
    }
    const refused = new Map(answer.errors.map(({ index, detail }) => [index, detail]))
    for (const [index, detail] of refused) refuse(batch[index]?.number, detail)
    batch = batch.filter((_, index) => !refused.has(index))
  }
  batch = []
  batchChars = 0
  remember()
  show(readBytes)
}

/**
 * Posts papers. Passing errors are tried again, after a longer pause each time. @returns the answer; with `errors` when
 * papers were refused
 */
async function post(body) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
  for (let tried = 1; ; tried++) {
    const { status, answer, after } = await fetch(`${url}/v1/papers${isPublic ? '?corpus=public' : ''}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    }).then(
      async (response) => ({
        status: response.status,
        answer: await response.json().catch(() => ({})),
        after: Number(response.headers.get('retry-after')),
      }),
      (error) => ({ status: 0, answer: { detail: error.cause?.code ?? error.message }, after: 0 }),
    )
    if (status === 201) return answer
    if (status === 400 && Array.isArray(answer.errors) && answer.errors.length > 0) return answer
    const why = `${url} ${status === 0 ? 'cannot be reached' : `answered ${status}`}: ${answer.detail ?? 'no reason'}`
    const mayPass = status === 0 || status >= 500 || (status === 429 && answer.retryable !== false)
    if (!mayPass) stop(why)
    if (tried === TRIES) stop(`${why}\nGave up after ${TRIES} tries. Run this again to go on.`)
    const wait = after > 0 ? after * 1000 : Math.min(30_000, 250 * 2 ** tried)
    say(`${why}; trying again in ${wait / 1000} s`)
    await new Promise((passed) => setTimeout(passed, wait))
  }
}

/** A line at a time; memory does not grow with the file. */
async function* linesOf(path) {
  const raw = createReadStream(path, { highWaterMark: 256 * 1024 })
  raw.on('error', (error) => stop(`${path} cannot be read: ${error.code}`))
  const source = path.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  source.on('error', () => stop(`${path} is not a whole gzip file`))
  let parts = []
  let held = 0
  let number = 0
  const finish = () => {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    held = 0
    return { line, number: ++number, readBytes: raw.bytesRead }
  }
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      from = end + 1
      yield finish()
    }
    parts.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > MAX_LINE_BYTES)
      stop(`line ${number + 1} is longer than ${MAX_LINE_BYTES} bytes; is this one JSON per line?`)
  }
  if (held > 0) yield finish()
}

function show(readBytes) {
  const now = Date.now()
  const isTerminal = process.stdout.isTTY
  if (now - shownAt < (isTerminal ? 100 : 2_000)) return
  shownAt = now
  const share = total === 0 ? 1 : Math.min(1, readBytes / total)
  const rate = Math.round((sent * 1000) / Math.max(1, now - started))
  const statusLine = `${String(Math.floor(share * 100)).padStart(3)} %  ${progress.line} lines  ${rate} papers/s`
  if (!isTerminal) return console.log(statusLine)
  const width = 30
  const full = Math.round(share * width)
  process.stdout.write(`\r[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${statusLine} `)
}

function say(text) {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  console.error(text)
}

function report() {
  const seconds = (Date.now() - started) / 1000
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024)
  console.log(
    `${progress.line} lines: ${progress.added} papers added, ${progress.replaced} replaced, ${progress.bad} lines refused; ` +
      `${sent} papers in ${seconds.toFixed(1)} s, ${memory} MB of memory`,
  )
}

function stop(message) {
  if (process.stdout.isTTY) process.stdout.write('\n')
  console.error(message)
  process.exit(2)
}
