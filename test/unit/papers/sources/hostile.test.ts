import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import { MAX_TEX_CHARS } from '../../../../src/core/limits/papers.ts'
import { tarEnd, tarHeader, tarPadding } from '../../../../src/core/tar.ts'
import { readSource } from '../../../../src/papers/sources/read-source.ts'
import { bomb } from '../../../support/bomb.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
/** What is refused must be refused soon: in so many times the time of a plain pass over all that may be read of a source. */
const SOON_PASSES = 30

async function failure(
  content: string | Uint8Array,
  name = typeof content === 'string' ? 'a.tex' : 'a.tar.gz',
  below = () => SOON_PASSES * plainPassMs(MAX_TEX_CHARS),
) {
  const file = { name, bytes: typeof content === 'string' ? bytes(content) : content }
  const reading = () => failureOf(readSource(file.bytes, file, new AbortController().signal), name)
  return expectCost(reading, { below })
}

function tar(entries: readonly { name: string; text?: string; target?: string }[], size?: number): Uint8Array {
  const parts = entries.flatMap(({ name, text = '', target }) => {
    const content = bytes(text)
    const entry = {
      name: bytes(name),
      kind: target === undefined ? ('file' as const) : ('link' as const),
      mode: 0o644,
      mtimeMs: 0,
      size: size ?? content.length,
      ...(target !== undefined && { target: bytes(target) }),
    }
    return [tarHeader(entry), content, tarPadding(content.length)]
  })
  return Buffer.concat([...parts, tarEnd()])
}

const packed = (...entries: { name: string; text?: string; target?: string }[]) =>
  new Uint8Array(gzipSync(tar(entries)))
const document = (body: string, preamble = '') => `\\documentclass{a}${preamble}\\begin{document}${body}\\end{document}`

describe('a hostile archive', () => {
  it('that unpacks to far more than it is gets no further than the limit', async () => {
    const archive = bomb(Buffer.concat([tar([{ name: 'a.bin' }], 8 ** 9), Buffer.alloc(200_000_000)]))
    expect(archive.length).toBeLessThan(1_000_000)
    expect(await failure(archive)).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(/MAX_SOURCE_BYTES/),
    })
    const text = bomb(Buffer.alloc(50_000_000, 'a'))
    expect(await failure(text, 'a.gz')).toMatchObject({ message: expect.stringMatching(/MAX_TEX_CHARS/) })
  })

  it.each(['../up.tex', '/etc/passwd.tex', 'a/../../b.tex', '..\\up.tex'])(
    'with the name %s is refused',
    async (name) => {
      expect(await failure(packed({ name, text: document('x') }))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/names that lead out of it/),
      })
    },
  )

  it('with a link in the place of its main file has no main file', async () => {
    expect(await failure(packed({ name: 'ms.tex', target: '/etc/passwd' }))).toMatchObject({
      message: expect.stringMatching(/no main file/),
    })
  })

  it('that reaches for files of the machine gets nothing of them', async () => {
    const text = document('before \\input{/etc/passwd}\\input{../../../../etc/hostname} after')
    const file = { name: 'a.tar.gz', bytes: packed({ name: 'ms.tex', text }) }
    const { chunks } = await readSource(file.bytes, file, new AbortController().signal)
    expect(chunks.map((chunk) => chunk.text)).toEqual(['before after'])
  })

  it('that is cut short, or lies about its sizes, is damaged', async () => {
    const whole = tar([{ name: 'ms.tex', text: document('x'.repeat(5_000)) }])
    for (const broken of [whole.subarray(0, 1_500), tar([{ name: 'ms.tex', text: 'x' }], 10_000_000)]) {
      expect((await failure(new Uint8Array(broken), 'a.tar')).code).toMatch(/invalid_input|limit_exceeded/)
    }
  })

  it('with too many files is refused', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => ({ name: `f${at}.txt` }))
    expect(await failure(packed(...many))).toMatchObject({ message: expect.stringMatching(/MAX_SOURCE_FILES/) })
  })
})

describe('hostile HTML', () => {
  it.each(['<', '<b>', '&amp;', '&'])('of millions of %j is refused before it is parsed', async (piece) => {
    const below = () => 20 * plainPassMs(2_000_000 * piece.length)
    expect(await failure(piece.repeat(2_000_000), 'a.html', below)).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(/MAX_MARKUP_NODES/),
    })
  })
})

describe('hostile LaTeX', () => {
  it('whose files put each other in without end is refused', async () => {
    const circle = packed({ name: 'ms.tex', text: document('\\input{a}') }, { name: 'a.tex', text: '\\input{ms}' })
    expect((await failure(circle)).message).toMatch(/goes round in a circle/)
    const doubling = Array.from({ length: 25 }, (_, at) => ({
      name: `f${at}.tex`,
      text: `\\input{f${at + 1}}\\input{f${at + 1}}`,
    }))
    const tree = packed({ name: 'ms.tex', text: document('\\input{f0}') }, ...doubling)
    expect((await failure(tree)).message).toMatch(/MAX_TEX_INPUTS/)
  })

  it.each([
    ['commands that double each other', doubling(40), '\\a', /MAX_TEX_(?:CHARS|EXPANSIONS)/],
    [
      'an argument that is copied',
      String.raw`\def\b#1{${'#1'.repeat(2_000)}}`,
      String.raw`\b{\b{xxxxxxxxx}}`,
      /MAX_TEX_CHARS/,
    ],
    ['a hundred thousand commands', definitions(100_000), 'x', /MAX_TEX_MACROS/],
    [
      'a long argument in many places',
      `\\def\\a#1{${'#1'.repeat(2_000)}}`,
      `\\a{${'x'.repeat(400_000)}}`,
      /MAX_TEX_CHARS/,
    ],
    ['arguments within arguments', '', '\\footnote{'.repeat(20_000), /within arguments/],
  ])('with %s is refused', async (_, preamble, body, message) => {
    expect(await failure(document(body, preamble))).toMatchObject({ message: expect.stringMatching(message) })
  })

  it.each([
    ['itself', '\\def\\a{\\a}'],
    ['another that comes back', '\\def\\a{x\\b y}\\def\\b{\\a\\a}'],
    ['a condition', '\\def\\a#1{\\ifx#1\\relax\\else\\a{#1#1}\\fi}'],
  ])('with a command that is %s is read, that command as nothing', async (_, preamble) => {
    const file = { name: 'a.tex', bytes: bytes(document('before \\a{} after', preamble)) }
    const { chunks } = await readSource(file.bytes, file, new AbortController().signal)
    expect(chunks[0]?.text).toMatch(/^before [xy ]*after$/)
  })

  it.each([
    ['open braces', '{'.repeat(500_000)],
    ['closed braces', '}'.repeat(500_000)],
    ['dollars', '$ x\n\n'.repeat(200_000)],
    ['brackets', '\\foo[['.repeat(100_000)],
    ['environments', '\\begin{equation}'.repeat(100_000)],
    ['backslashes', '\\'.repeat(500_000)],
    ['sections', '\\section{'.repeat(30)],
    ['verbatims', '\\verb|'.repeat(100_000)],
    ['accents', "\\'".repeat(30)],
    ['quotes', "'`-".repeat(300_000)],
    ['inputs', '\\input{'.repeat(100_000)],
    ['percent signs in a URL', `\\url{${'%'.repeat(500_000)}`],
    ['percent signs between bars', `\\verb|${'%'.repeat(500_000)}|`],
  ])('of unbalanced %s is read or refused soon', async (_, body) => {
    await expectCost(
      async () => {
        const file = { name: 'a.tex', bytes: bytes(document(`word ${body} word`)) }
        await readSource(file.bytes, file, new AbortController().signal).catch((thrown: unknown) => {
          if (!(thrown instanceof FailureError)) throw thrown
        })
      },
      { below: () => 300 * plainPassMs(body.length) },
    )
  })

  it('does not repeat a heading without end in the path of each section below it', async () => {
    const body = `\\section{${'A'.repeat(100_000)}}${'x\\subsection{b}'.repeat(1_000)}y`
    const { chunks } = await readSource(bytes(document(body)), { name: 'a.tex' }, new AbortController().signal)
    expect(chunks).toHaveLength(1_001)
    expect(Math.max(...chunks.map(({ section }) => section.length))).toBeLessThan(1_000)
  })
})

function doubling(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `\\def\\${name(at)}{\\${name(at + 1)}\\${name(at + 1)}}`)
  return `${lines.join('')}\\def\\${name(count)}{x}\\newcommand{\\a}{\\${name(0)}}`
}

const definitions = (count: number) =>
  Array.from({ length: count }, (_, at) => `\\newcommand{\\${name(at)}}{x}`).join('')

/** Commands have letters only. */
const name = (at: number) => `m${[...`${at}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
