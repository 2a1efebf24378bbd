import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import { MAX_GIT_REFS_BYTES } from '../../../../src/core/limits/sandbox.ts'
import type { Http, HttpRequest } from '../../../../src/ports/http.ts'
import { pktLine } from '../../../../src/tools/git/pkt-line.ts'
import { UploadPack } from '../../../../src/tools/git/upload-pack.ts'
import { costOf, expectCost } from '../../../support/processor-time.ts'

const ID = '1'.repeat(40)
const NEVER = new AbortController().signal
const CAPABLE = 'side-band-64k ofs-delta symref=HEAD:refs/heads/main'
const advertising = (lines: readonly string[]) =>
  `${pktLine('# service=git-upload-pack\n')}0000${lines.map(pktLine).join('')}0000`
const REFS = advertising([`${ID} HEAD\0${CAPABLE}\n`, `${ID} refs/heads/main\n`])

/** A server that answers so, in turn. */
function server(...answers: readonly (string | Uint8Array | (() => Uint8Array))[]) {
  const requests: HttpRequest[] = []
  const seen = { bytes: 0, cancelled: 0 }
  const open: Http['open'] = async (request) => {
    const answer = answers[requests.length] ?? ''
    requests.push(request)
    const type = request.method === 'POST' ? 'result' : 'advertisement'
    return {
      status: 200,
      headers: new Headers({ 'Content-Type': `application/x-git-upload-pack-${type}` }),
      url: request.url,
      size: null,
      body: new ReadableStream<Uint8Array>({
        pull(controller) {
          const isEndless = typeof answer === 'function'
          const piece = isEndless ? answer() : typeof answer === 'string' ? new TextEncoder().encode(answer) : answer
          seen.bytes += piece.length
          if (piece.length > 0) controller.enqueue(piece)
          if (!isEndless) controller.close()
        },
        cancel() {
          seen.cancelled += 1
        },
      }),
    }
  }
  const http: Http = { open, fetch: () => Promise.reject(new Error('not used')) }
  const source = new UploadPack(http, 'https://git.example/x.git/', { username: 'u', password: 'p' })
  return { source, requests, seen }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => null,
    (failed: unknown) => failed,
  )
  if (!(thrown instanceof FailureError)) throw new Error(`no failure: ${thrown}`)
  expect(thrown.failure.code).toMatch(/^(?:upstream|limit_exceeded)$/)
  return thrown.failure.message
}

async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  let all = ''
  for await (const piece of stream) all += Buffer.from(piece).toString('latin1')
  return all
}

const bundleOf = async (pack: string | Uint8Array | (() => Uint8Array), refs = REFS) => {
  const { source, seen, requests } = server(refs, pack)
  const advertised = await source.advertised(NEVER)
  return { seen, requests, content: text(await source.bundle(advertised, NEVER)) }
}

const band = (number: number, content: string) => pktLine(`${String.fromCharCode(number)}${content}`)

describe('what a repository has', () => {
  it('is asked for once with what opens it, and read as branches and tags', async () => {
    const lines = [
      `${ID} HEAD\0${CAPABLE}\n`,
      `${ID} refs/heads/main\n`,
      `${ID} refs/pull/1/head\n`,
      `${ID} refs/tags/v1\n`,
      `${ID} refs/tags/v1^{}\n`,
    ]
    const { source, requests } = server(advertising(lines))
    const { refs, head } = await source.advertised(NEVER)
    expect([[...refs.keys()], head]).toEqual([['HEAD', 'refs/heads/main', 'refs/tags/v1'], 'main'])
    expect(requests).toMatchObject([
      {
        url: 'https://git.example/x.git/info/refs?service=git-upload-pack',
        headers: { Authorization: `Basic ${btoa('u:p')}` },
      },
    ])
  })

  it('is nothing where there are no commits', async () => {
    const { source } = server(advertising([`${'0'.repeat(40)} capabilities^{}\0${CAPABLE}\n`]))
    expect((await source.advertised(NEVER)).refs.size).toBe(0)
  })

  it.each([
    ['names that would be lines or paths of their own', `${ID} refs/heads/a b\n`, `${ID} refs/heads/../../x\nevil`],
    ['ids that are none', 'zz refs/heads/a\n', `${'1'.repeat(39)} refs/heads/b\n`],
  ])('is without %s', async (_, ...lines) => {
    const { source } = server(advertising([`${ID} HEAD\0${CAPABLE}\n`, ...lines]))
    expect([...(await source.advertised(NEVER)).refs.keys()]).toEqual(['HEAD'])
  })

  it.each([
    ['something else than git', '<html>', /not in the form of git/],
    ['an error', advertising(['ERR no such repository']), /the server says "no such repository"/],
    ['a line that never ends', `ffff${'x'.repeat(70_000)}`, /not in the form of git|too long/],
    ['half a line', '0040abc', /ends early/],
    ['no end', REFS.slice(0, -4), /ends early/],
  ])('is not known when the server answers with %s', async (_, answer, why) => {
    expect(await failureOf(server(answer).source.advertised(NEVER))).toMatch(why)
  })

  it('is read so far as memory allows, and the rest is let go of', async () => {
    const many = new TextEncoder().encode(pktLine(`${ID} refs/tags/v1\n`).repeat(10_000))
    const { source, seen } = server(() => many)
    expect(await failureOf(source.advertised(NEVER))).toMatch(/MAX_GIT_REFS_BYTES/)
    expect(seen.cancelled).toBe(1)
    expect(seen.bytes).toBeLessThan(MAX_GIT_REFS_BYTES + 3 * many.length)
  })
})

describe('a bundle of it', () => {
  it('is the pack behind the refs, without what the server says beside it', async () => {
    const { content, requests } = await bundleOf(
      `${pktLine('NAK\n')}${band(2, 'Counting')}${band(1, 'PACK')}${band(2, '50 %')}${band(1, 'more')}0000`,
    )
    expect(await content).toBe(`# v2 git bundle\n${ID} HEAD\n${ID} refs/heads/main\n\nPACKmore`)
    expect(requests[1]).toMatchObject({
      method: 'POST',
      url: 'https://git.example/x.git/git-upload-pack',
      body: `${pktLine(`want ${ID} side-band-64k ofs-delta object-format=sha1 agent=toolyard\n`)}0000${pktLine('done\n')}`,
    })
  })

  it.each([
    ['stops in the middle', `${pktLine('NAK\n')}${band(1, 'PACK')}`, /ends early/],
    ['says that it cannot', `${pktLine('NAK\n')}${band(3, 'disk full')}0000`, /the server says "disk full"/],
    ['refuses', pktLine('ERR not now'), /the server says "not now"/],
    ['sends something else', 'PACKPACKPACK', /not in the form of git/],
    ['sends frames of nothing', `${pktLine('NAK\n')}00030003`, /not in the form of git/],
  ])('fails when the server %s', async (_, answer, why) => {
    const { content } = await bundleOf(answer)
    expect(await failureOf(content)).toMatch(why)
  })

  it('is not waited for without end, and the rest is let go of', async () => {
    const { source, seen } = server(REFS, () => new TextEncoder().encode(pktLine('ACK x continue\n').repeat(1_000)))
    const bundle = await source.bundle(await source.advertised(NEVER), NEVER)
    const reader = bundle.getReader()
    await reader.read()
    const next = reader.read().catch(() => undefined)
    await reader.cancel()
    await next
    expect(seen.bytes).toBeLessThan(100_000_000)
  })

  it('of frames that hold nothing takes some times as long as one of as many bytes', async () => {
    const plain = async () =>
      (await bundleOf(`${pktLine('NAK\n')}${band(1, 'x'.repeat(60_000)).repeat(80)}0000`)).content
    await expectCost(
      async () => {
        const hostile = await bundleOf(`${pktLine('NAK\n')}${band(1, '').repeat(950_000)}0000`)
        expect(await hostile.content).toMatch(/main\n\n$/)
      },
      { below: async () => 30 * ((await costOf(plain)) + 50) },
    )
  })

  it('is not asked of a server that cannot frame it', async () => {
    const { source } = server(advertising([`${ID} HEAD\0ofs-delta\n`]))
    expect(await failureOf(source.bundle(await source.advertised(NEVER), NEVER))).toMatch(/too old a git/)
  })
})

describe('git itself', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolyard-bundle-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it.each(['sha1', 'sha256'] as const)('takes a bundle of ids by %s', async (format) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: directory })
    git('init', '-q', '-b', 'main', `--object-format=${format}`)
    git('commit', '-q', '--allow-empty', '-m', 'x')
    const id = git('rev-parse', 'HEAD').toString().trim()
    const pack = execFileSync('git', ['pack-objects', '--stdout', '--revs', '-q'], { cwd: directory, input: 'HEAD\n' })
    const capabilities = `${CAPABLE} object-format=${format}`
    const frame = Buffer.concat([Buffer.from((pack.length + 5).toString(16).padStart(4, '0')), Buffer.of(1), pack])
    const { source } = server(
      advertising([`${id} HEAD\0${capabilities}\n`, `${id} refs/heads/main\n`]),
      new Uint8Array(Buffer.concat([Buffer.from(pktLine('NAK\n')), frame, Buffer.from('0000')])),
    )
    const bundle = await source.bundle(await source.advertised(NEVER), NEVER)
    writeFileSync(join(directory, 'x.bundle'), Buffer.from(await text(bundle), 'latin1'))
    git('clone', '-q', 'x.bundle', 'copy')
    expect(
      execFileSync('git', ['rev-parse', 'HEAD'], { cwd: join(directory, 'copy') })
        .toString()
        .trim(),
    ).toBe(id)
  })
})
