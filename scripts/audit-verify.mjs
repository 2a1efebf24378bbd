/**
 * Checks an export of the audit log (docs/audit.md):
 *   npm run audit:verify -- FILE [--after SEQ:HASH] [--head SEQ:HASH]         FILE may be packed by gzip, as NAME.gz
 *   npm run audit:verify -- --url http://localhost:8001        with the key in TOOLYARD_API_KEY, if one is needed
 * Exits with 0 and prints the last entry; or with 1, and prints the first line that was changed; or with 2 for wrong
 * arguments.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'

const GENESIS = '0'.repeat(64)
const TAIL = /,"hash":"([0-9a-f]{64})"\}$/

const USAGE = 'usage: npm run audit:verify -- FILE|--url URL [--after SEQ:HASH] [--head SEQ:HASH]'

const { values: options, positionals } = readArguments()

try {
  const { count, last } = await verify(openLines())
  console.log(`${count} entries are as they were written; the last is ${last.seq}:${last.hash}`)
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown)
  process.exitCode = 1
}

function readArguments() {
  try {
    const text = { type: 'string' }
    const read = parseArgs({ allowPositionals: true, options: { after: text, head: text, url: text } })
    if (read.positionals.length + (read.values.url === undefined ? 0 : 1) === 1) return read
    throw new Error('say which file, or --url')
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return process.exit(2)
  }
}

async function verify(lines) {
  const from = options.after === undefined ? null : parsePlace(options.after)
  const expected = options.head === undefined ? null : parsePlace(options.head)
  let last = from ?? { seq: 0, hash: GENESIS }
  let unattested = null
  let foundHead = expected === null || isSame(expected, last)
  let count = 0
  let number = 0
  for await (const line of lines) {
    number += 1
    const broken = (why) => new Error(`line ${number}: ${why}`)
    const entry = parseLine(line)
    if (entry === null) throw broken('is no JSON object')
    if (entry.checkpoint !== undefined) {
      if (number > 1) throw broken('entries before this one were dropped while they were exported; export again')
      // An export from a place on begins there: a dropped start would be a place that nobody named.
      if (from !== null)
        throw broken(`it begins after entry ${entry.checkpoint}, and not with what follows ${from.seq}`)
      unattested = { seq: entry.checkpoint, hash: entry.hash }
      last = unattested
      continue
    }
    if (entry.unreadable !== undefined) {
      const { first, last: end, why } = entry.unreadable
      throw broken(`entries ${first} to ${end} cannot be read: their sealed segment in the store is ${why}`)
    }
    const written = TAIL.exec(line)
    const hash = createHash('sha256')
      .update(written ? `${line.slice(0, written.index)}}` : line)
      .digest('hex')
    if (written?.[1] !== hash) throw broken(`entry ${entry.seq} was changed: its hash is not that of what it says`)
    if (entry.seq !== last.seq + 1)
      throw broken(`entry ${entry.seq} follows entry ${last.seq}: entries are missing or moved`)
    if (entry.prev !== last.hash)
      throw broken(`entry ${entry.seq} does not follow the entry before it: its "prev" is another`)
    if (
      unattested &&
      entry.action === 'audit.checkpoint' &&
      isSame(unattested, { seq: entry.detail.through, hash: entry.detail.hash })
    ) {
      unattested = null
    }
    last = { seq: entry.seq, hash }
    foundHead ||= isSame(expected, last)
    count += 1
  }
  if (unattested) throw new Error(`line 1: no entry says that those up to ${unattested.seq} were dropped`)
  if (!foundHead) throw new Error(`entry ${options.head} is not there: the end is missing, or it is another log`)
  return { count, last }
}

function isSame(one, other) {
  return one.seq === other.seq && one.hash === other.hash
}

function parsePlace(text) {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new Error(`${text} is no SEQ:HASH`)
  return { seq: Number(seq), hash }
}

function parseLine(line) {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function openLines() {
  if (options.url !== undefined) return linesOfServer(options.url.replace(/\/+$/, ''))
  // npm runs scripts in the package's directory; the name was given in the caller's.
  const file = resolve(process.env.INIT_CWD || '.', positionals[0])
  const content = createReadStream(file)
  // Segments are in the store so.
  return linesOf(file.endsWith('.gz') ? pipeline(content, createGunzip(), () => undefined) : content)
}

/**
 * Lines of a stream. Those of node:readline end at U+2028 too: an agent may have that in its name, and JSON leaves it as it
 * is.
 */
async function* linesOf(chunks) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()
    yield* lines.map(withoutReturn)
  }
  rest += decoder.decode()
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line) {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Lines of a server's log up to the entry that is the last at the beginning, in as many answers as that takes. */
async function* linesOfServer(url) {
  const head = await (await ask(`${url}/v1/audit/head`)).json()
  let after = options.after === undefined ? 0 : parsePlace(options.after).seq
  while (after < head.seq) {
    const { body } = await ask(`${url}/v1/audit/export?after=${after}`)
    const before = after
    for await (const line of linesOf(body)) {
      after = parseLine(line)?.seq ?? after
      yield line
    }
    if (after === before)
      throw new Error(`the server says that there is an entry ${head.seq}, and has none after ${after}`)
  }
}

async function ask(url) {
  const key = process.env.TOOLYARD_API_KEY
  const answer = await fetch(url, { headers: key ? { Authorization: `Bearer ${key}` } : {} }).catch((error) => {
    throw new Error(`${url} cannot be reached: ${error.cause?.code ?? error.message}`)
  })
  if (answer.ok && answer.body) return answer
  const { detail } = await answer.json().catch(() => ({}))
  throw new Error(`${url} answers ${answer.status}: ${detail ?? 'no reason'}`)
}
