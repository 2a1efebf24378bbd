import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { printRedacted } from '../../../scripts/start/redacted.ts'
import { newKey } from '../../../src/auth/key.ts'

/** What a terminal shows of these pieces of output. */
async function shown(...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const from = Readable.from(
    pieces.map((piece) => Buffer.from(piece)),
    { objectMode: false },
  )
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const ended = new Promise((resolve) => from.once('end', resolve))
  printRedacted(from, to)
  await ended
  return await text(Readable.from(lines))
}

describe('what the worker prints', () => {
  const key = newKey().text

  it.each([
    ['a key', `Error: no such thing ${key}`],
    ['a key in a path', `GET http://localhost:8001/k/${key}/api/task/list failed`],
    ['a key in an encoded path', `GET /%6B/${key}/api and //k//${key}//x`],
    ['a key in JSON', JSON.stringify({ url: `http://localhost/k/${key}`, headers: { 'x-api-key': key } })],
    ['a key of a model', 'fetch failed: sk-ant-api03-0123456789abcdefghij'],
    ['a password in an address', 'could not clone https://me:a-password-of-mine@git.example/x.git'],
    ['a crash', `*** Received signal #11: Segmentation fault\nstack: 55d0 /k/${key}/api/tool/execute\n`],
  ])('shows no %s', async (_what, input) => {
    const printed = await shown(input)
    expect(printed).toContain('***')
    for (const secret of [key, key.split('_')[2] ?? '', 'sk-ant', 'a-password-of-mine']) {
      expect(printed).not.toContain(secret)
    }
  })

  it('shows no key of a path that has another form', async () => {
    expect(await shown('http://localhost/k/my-own-word/api?x=1')).toBe('http://localhost/k/***/api?x=1\n')
  })

  it('shows no key that comes in pieces, at any place', async () => {
    const line = `a ${key} b`
    for (let at = 1; at < line.length; at++) expect(await shown(line.slice(0, at), line.slice(at))).toBe('a *** b\n')
  })

  it('is shown otherwise, line by line, whatever pieces it came in', async () => {
    const input = 'first\n\n  third with ünïcode and 漢字\nlast'
    const bytes = new TextEncoder().encode(input)
    expect(await shown(...Array.from(bytes, (_, at) => bytes.slice(at, at + 1)))).toBe(`${input}\n`)
  })

  it('has no line of a name that a tool asked for and that there is not, and keeps other errors with their stacks', async () => {
    const lookUp =
      'workerd/jsg/util.c++:410: error: e = rust/worker/ffi.rs:110: failed: failed to lookup address information: ' +
      'Name or service not known\nstack: workerd@26b6840 workerd@3739630; sentryErrorContext = jsgInternalError; wdErrId = v1'
    const other = 'workerd/io/worker.c++:9: error: e = failed: out of memory\nstack: workerd@1'
    expect(await shown(`a\n${lookUp}\n${other}\n${lookUp}\n${lookUp}\nb\n`)).toBe(`a\n${other}\nb\n`)
    expect(await shown('stack: of something else\n')).toBe('stack: of something else\n')
  })

  it('has no line of an alarm that came due while the worker was started again', async () => {
    const overdue =
      'workerd/io/actor-sqlite.c++:1031: warning: NOSENTRY SQLite alarm overdue, running despite AlarmManager mismatch; ' +
      'scheduledTime = 1795363304.015s; localAlarmTime = 1795363313.072s'
    expect(await shown(`a\n${overdue}\nworkerd/io/actor-sqlite.c++:9: warning: other\n`)).toBe(
      'a\nworkerd/io/actor-sqlite.c++:9: warning: other\n',
    )
  })

  it('is cut where a line has no end, and no key hides at the cut', async () => {
    const end = `${'x'.repeat(7_990)} ${key}`
    expect(await shown(end, 'y'.repeat(100_000))).toMatch(/^x{7990} \*{3}y* … \(a line of \d+ characters\)\n$/)
    const endless = Array.from({ length: 1_000 }, () => 'z'.repeat(10_000))
    expect((await shown(...endless, '\nnext\n')).length).toBeLessThan(9_000)
    expect(await shown(...endless, '\nnext\n')).toMatch(/ … \(a line of 10000000 characters\)\nnext\n$/)
  })
})
