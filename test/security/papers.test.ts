import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processorMsBelow } from '../../bench/processor.ts'
import { bomb } from '../support/bomb.ts'
import { zip } from '../support/documents.ts'
import { tarGz } from '../support/paper-files.ts'
import { expectCost, plainPassMs } from '../support/processor-time.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'

let server: Toolyard
beforeAll(async () => {
  server = await startToolyard()
})
afterAll(() => server.stop())

/** Hostile files come as small ones; what they do to a server is limited by us, not by luck: passes over a million characters. */
const SOON_PASSES = 300

async function put(name: string, content: string | Uint8Array) {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  form.append('id', 'hostile')
  form.append('title', 'Hostile')
  const putting = async () => {
    const answer = await fetch(`${server.url}/v1/papers`, { method: 'POST', body: form })
    const body = (await answer.json()) as { code: string; detail: string }
    return { status: answer.status, ...body }
  }
  const answer = await expectCost(putting, {
    below: () => SOON_PASSES * plainPassMs(1_000_000),
    measure: async (work) => {
      const start = await processorMsBelow()
      await work()
      return (await processorMsBelow()) - start
    },
  })
  expect(await fetch(`${server.url}/health`)).toMatchObject({ status: 200 })
  return answer
}

describe('a hostile file at POST /v1/papers', () => {
  const tex = (preamble: string, body: string) => `\\documentclass{a}${preamble}\\begin{document}${body}\\end{document}`
  const definitions = Array.from({ length: 20_000 }, (_, at) => {
    const name = [...`${at}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    return `\\newcommand{\\m${name}}{x}`
  })
  const doubling = Array.from({ length: 20 }, (_, at) => {
    const [name, next] = [at, at + 1].map((number) => String.fromCharCode(97 + number))
    return `\\def\\m${name}{\\m${next}\\m${next}}`
  })

  it.each([
    ['a bomb of gzip', 'a.gz', bomb(Buffer.alloc(200_000_000)), /MAX_TEX_CHARS|MAX_SOURCE_BYTES/],
    ['names out of the archive', 'a.tar.gz', tarGz({ 'x/y.tex': 'x' }, 's,x/y.tex,../y.tex,'), /lead out of it/],
    ['a circle of inputs', 'a.tar.gz', tarGz({ 'ms.tex': tex('', '\\input{ms}') }), /circle/],
    ['too many commands', 'a.tex', tex(definitions.join(''), 'x'), /MAX_TEX_MACROS/],
    ['commands that double each other', 'a.tex', tex(doubling.join(''), '\\ma'), /MAX_TEX_(?:EXPANSIONS|CHARS)/],
    ['arguments without end', 'a.tex', tex('', '\\footnote{'.repeat(50_000)), /within arguments/],
    ['another kind of file', 'a.docx', zip({ 'x.xml': '<x/>' }), /kind that is not read/],
    ['no PDF', 'a.pdf', 'x'.repeat(1_000), /not a PDF/],
  ])('with %s is refused, and the server goes on', async (_, name, content, detail) => {
    const answer = await put(name, content)
    expect(answer).toMatchObject({ detail: expect.stringMatching(detail) })
    expect([400, 429]).toContain(answer.status)
    expect((await fetch(`${server.url}/v1/papers/hostile`)).status).toBe(404)
  })

  it('that is too large is refused as soon as that is known', async () => {
    const answer = await put('a.txt', 'x'.repeat(30_000_000))
    expect(answer).toMatchObject({ status: 413, detail: expect.stringMatching(/MAX_BODY_BYTES/) })
  })
})
