import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerHttp } from '../../../src/adapters/reader-http.ts'
import { TOOK_TOO_LONG, TOOK_TOO_MUCH } from '../../../src/reader/wire.ts'
import type { ReadingLimits } from '../../../src/readerd/pool.ts'
import { failureOf } from '../../support/failure-of.ts'
import { descendantsOf } from '../../support/processes.ts'
import { type ReaderHost, startReader } from '../../support/reader-host.ts'

const NEVER = new AbortController().signal
const encoder = new TextEncoder()
/** How many times a first reading's time the limit is in the test of that. */
const LONGEST_TIMES = 3

/** A reader of its own, and how one owner asks it. */
function running(limits: () => Promise<Partial<ReadingLimits>> | Partial<ReadingLimits>) {
  let host: ReaderHost | undefined
  beforeAll(async () => {
    host = await startReader(await limits())
  })
  afterAll(async () => {
    await host?.stop()
  })
  const vars = () => {
    if (!host) throw new Error('asked before it runs')
    return host.vars
  }
  const read = (name: string, bytes: Uint8Array, owner = 'acme', signal = NEVER) => {
    const { READER_URL: url, READER_TOKEN: token } = vars()
    const reader = readerHttp({ send: (request) => fetch(request), url, token, owner })
    const extension = name.slice(name.lastIndexOf('.'))
    return reader.read({ kind: 'document', options: { name, extension }, bytes }, signal)
  }
  return { vars, read }
}

/** A table of `megabytes`: an ordinary one, whose reading takes some tenths of a second for each. */
const table = (megabytes: number) => encoder.encode(`${'value'.repeat(10)},2,3\n`.repeat(megabytes * 19_000))

describe('a reading process', () => {
  const { read, vars } = running(() => ({}))

  it('reads a document, and the next one, in the same process', async () => {
    expect((await read('a.csv', encoder.encode('a,b\n1,2\n'))).content).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |')
    const before = descendantsOf(process.pid)
    expect((await read('a.md', encoder.encode('# One'))).content).toBe('# One')
    expect(descendantsOf(process.pid)).toEqual(before)
  })

  it('says what is wrong with a file, in the words of its parser', async () => {
    const failure = await failureOf(read('a.docx', encoder.encode('no zip')), 'a.docx')
    expect(failure).toEqual({
      code: 'invalid_input',
      message: 'it is damaged or not such a file; check how it was made or uploaded',
    })
  })

  it('reads for nobody who does not show the token', async () => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: vars().READER_TOKEN }]) {
      const answer = await fetch(vars().READER_URL, { method: 'POST', headers, body: '{}\n' })
      expect([answer.status, await answer.text()]).toEqual([401, ''])
    }
  })

  it('ends with its server', async () => {
    const host = await startReader()
    const { READER_URL: url, READER_TOKEN: token } = host.vars
    const reader = readerHttp({ send: (request) => fetch(request), url, token, owner: 'acme' })
    const before = new Set(descendantsOf(process.pid))
    const options = { name: 'a.md', extension: '.md' }
    await reader.read({ kind: 'document', options, bytes: encoder.encode('text') }, NEVER)
    const own = descendantsOf(process.pid).filter((pid) => !before.has(pid))
    expect(own.length).toBeGreaterThan(0)
    await host.stop()
    expect(descendantsOf(process.pid).filter((pid) => own.includes(pid))).toEqual([])
  })
})

/** How long a reading of next to nothing takes in a process that is yet to be started, in milliseconds. */
async function firstReadingMs(): Promise<number> {
  const host = await startReader()
  const { READER_URL: url, READER_TOKEN: token } = host.vars
  const reader = readerHttp({ send: (request) => fetch(request), url, token, owner: 'acme' })
  const begun = performance.now()
  await reader.read(
    { kind: 'document', options: { name: 'a.md', extension: '.md' }, bytes: encoder.encode('text') },
    NEVER,
  )
  const tookMs = performance.now() - begun
  await host.stop()
  return tookMs
}

describe('a reading that takes too long', () => {
  // Enough for a start and a short reading, however busy the machine is.
  const { read } = running(async () => ({ readMs: Math.ceil(LONGEST_TIMES * (await firstReadingMs())) }))
  /** Reads again where a new process did not start within the limit. */
  const readSoon = () =>
    expect.poll(() => read('a.md', encoder.encode('short')).then(({ content }) => content, String), {
      timeout: 60_000,
    })

  it('is ended, and the next one is read', async () => {
    const before = new Set(descendantsOf(process.pid))
    await readSoon().toBe('short')
    const [own = expect.fail(), ...others] = descendantsOf(process.pid).filter((pid) => !before.has(pid))
    expect(others).toEqual([])
    // A process that is stopped reads for ever on every machine.
    process.kill(own, 'SIGSTOP')
    expect(await failureOf(read('long.csv', table(1)), 'long.csv')).toEqual({ code: 'timeout', message: TOOK_TOO_LONG })
    expect(descendantsOf(process.pid)).not.toContain(own)
    await readSoon().toBe('short')
  })
})

describe('a reading that takes too much memory', () => {
  const { read } = running(() => ({ memoryMib: 96 }))

  it('is ended, and the next one is read', async () => {
    const failure = await failureOf(read('large.csv', table(18)), 'large.csv')
    expect(failure).toEqual({ code: 'limit_exceeded', message: TOOK_TOO_MUCH })
    expect((await read('a.md', encoder.encode('after'))).content).toBe('after')
  })
})

describe('readings of several owners', () => {
  const { read } = running(() => ({}))

  it('do not wait for those of one who has many long ones', async () => {
    const ended: string[] = []
    const long = Array.from({ length: 8 }, async (_, at) => {
      await read(`long${at}.csv`, table(6), 'busy').catch(() => null)
      ended.push('busy')
    })
    await read('a.md', encoder.encode('quick'), 'other')
    ended.push('other')
    await Promise.all(long)
    expect(ended.indexOf('other')).toBeLessThanOrEqual(1)
  })

  it('that nobody waits for any more give their place back', async () => {
    const gone = new AbortController()
    const left = Array.from({ length: 4 }, () =>
      read('long.csv', table(18), 'gone', gone.signal).catch(() => 'gave up'),
    )
    gone.abort()
    expect(await Promise.all(left)).toEqual(['gave up', 'gave up', 'gave up', 'gave up'])
    expect((await read('a.md', encoder.encode('quick'), 'gone')).content).toBe('quick')
  })
})
