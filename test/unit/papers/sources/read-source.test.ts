import { describe, expect, it } from 'vitest'
import { CHUNK_CHARS, CHUNK_OVERLAP_CHARS } from '../../../../src/core/limits/papers.ts'
import { cutTexts, readSource } from '../../../../src/papers/sources/read-source.ts'
import { pdf } from '../../../support/documents.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { HTML_PAPER, LATEX_PAPER, tarGz } from '../../../support/paper-files.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (name: string, content: string | Uint8Array) =>
  readSource(typeof content === 'string' ? bytes(content) : content, { name }, new AbortController().signal)
/** Chunks of one text that comes by itself. */
const cutText = async (text: string) => (await cutTexts(bytes(JSON.stringify([text]))))[0] ?? []

const failure = (name: string, content: string | Uint8Array) => failureOf(read(name, content), name)

const tex = (body: string, preamble = '') =>
  `\\documentclass{article}${preamble}\\title{T}\\begin{document}\n${body}\n\\end{document}`
const sectionsOf = async (name: string, content: string | Uint8Array) =>
  (await read(name, content)).chunks.map(({ section, text }) => [section, text])
/** The text of a body in LaTeX. */
const plain = async (body: string, preamble = '') => (await sectionsOf('a.tex', tex(body, preamble)))[0]?.[1]

describe('a paper in LaTeX', () => {
  it('is read through its main file and what that puts in, with title, authors and abstract', async () => {
    const { title, authors, abstract, chunks } = await read('2101.00001.tar.gz', tarGz(LATEX_PAPER))
    expect({ title, authors, abstract }).toEqual({
      title: 'Zebrafish Navigation',
      authors: ['Ada Lovelace', 'Kurt Gödel'],
      abstract: 'Zebrafish find 50% of all corals by their lateral line.',
    })
    expect(chunks).toEqual([
      {
        section: '1 Introduction',
        text: 'Earlier work [lovelace1843, goedel1931] shows things (Not all.). A second line joined.\n\n- One\n- Two: two',
      },
      {
        section: '2 Model > 2.1 Lateral Line Organs',
        text: 'We compute\n$\\mathrm{Attention}(Q,K) = \\frac{QK^T}{\\sqrt{d_k}}$\nwhere neuromasts feel the current.',
      },
      { section: 'A Proofs', text: 'Theorem (Main). It holds that $d_k > 0$.' },
    ])
  })

  it('may be one file, packed or not, whatever its name', async () => {
    const body = tex('Hello.')
    const packed = new Uint8Array(
      await new Response(new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
    )
    for (const [name, content] of [
      ['a.tex', bytes(body)],
      ['a.gz', packed],
      ['2101.00001', packed],
    ] as const) {
      expect(await sectionsOf(name, content)).toEqual([['', 'Hello.']])
    }
  })

  it.each([
    ['caf\\\'e na\\"{\\i}ve \\v{C}ech \\o \\ss{} \\aa', 'café naïve Čech ø ß å'],
    ["a~b -- c --- d ``e'' \\& \\% \\$ \\_ \\# \\{\\}", 'a b – c — d “e” & % $ _ # {}'],
    ['5\\% % a comment\nof it', '5% of it'],
    ['a % gone\n% all of this line\nb', 'a b'],
    ['\\verb|x%y| and \\url{https://a.b/c%d}', 'x%y and https://a.b/c%d'],
    ['\\emph{a \\textbf{b}} {\\it c} \\unknown[x]{d}', 'a b c d'],
    ['See~\\cite{a,b}, \\citet[p.~2]{c}, \\ref{fig:x}, \\eqref{y}.', 'See [a, b], [c], [fig:x], [y].'],
    ['$x$ and \\(y\\) and $$z$$', '$x$ and $y$ and $z$'],
    ['costs $ 5\n\nnext', 'costs 5\n\nnext'],
    ['\\begin{tabular}{l|c} A & B \\\\ \\hline 1 & 2 \\\\ \\end{tabular}', 'A | B\n1 | 2'],
    ['\\begin{comment}gone\\end{comment}\\iffalse gone \\fi here', 'here'],
    ['\\begin{verbatim}\nif %a { \\b }\n\\end{verbatim}', 'if %a { \\b }'],
    ['\\includegraphics[width=1cm]{x.png}\\caption{A \\emph{cat}.}\\label{l}', 'A cat.'],
  ])('reads %j as text', async (body, text) => {
    expect(await plain(body)).toBe(text)
  })

  it.each([
    ['\\newcommand{\\a}{x}', '\\a\\a{} \\a', 'xx x'],
    ['\\newcommand\\f[2][1]{#1/#2}', '\\f{2} \\f[3]{4}', '1/2 3/4'],
    ['\\def\\g#1#2{#2#1}', '\\g{a}{b}', 'ba'],
    ['\\newcommand{\\b}{\\textbf}', '\\b{c}', 'c'],
    ['\\DeclareMathOperator{\\softmax}{softmax}', '$\\softmax x$', '$\\operatorname{softmax} x$'],
    ['\\newcommand{\\R}{\\mathbb{R}}\\newcommand{\\x}{\\beta}', '$\\R^n \\x y$', '$\\mathbb{R}^n \\beta y$'],
    ['\\renewcommand{\\section}{broken}\\renewcommand{\\%}{no}', '5\\%', '5%'],
    ['\\def\\odd#1.{x}', '\\odd a.', 'a.'],
    ['\\newtheorem{thm}{Satz}', '\\begin{thm}Ja.\\end{thm}', 'Satz. Ja.'],
  ])('with %s reads %s as %s', async (preamble, body, text) => {
    expect(await plain(body, preamble)).toBe(text)
  })

  it('numbers sections as TeX would, and leaves starred ones without a number', async () => {
    const body =
      '\\section{A}a\\subsection{B}b\\subsection*{C}c\\section{D}d\\subsection{E}e\\paragraph{F}f\\appendix\\section{G}g'
    expect(await sectionsOf('a.tex', tex(body))).toEqual([
      ['1 A', 'a'],
      ['1 A > 1.1 B', 'b'],
      ['1 A > C', 'c'],
      ['2 D', 'd'],
      ['2 D > 2.1 E', 'e'],
      ['2 D > 2.1 E > F', 'f'],
      ['A G', 'g'],
    ])
  })
})

describe('a paper as PDF, HTML, Markdown or text', () => {
  it('in HTML has sections by its headings and formulas as TeX, without its references', async () => {
    const { title, abstract, chunks } = await read('ar5iv.html', HTML_PAPER)
    expect({ title, abstract }).toEqual({
      title: 'Octopus Memory',
      abstract: expect.stringMatching(/^An octopus remembers .* moved away\.$/),
    })
    expect(chunks).toEqual([
      { section: '1 Mazes', text: 'The maze has $n=12$ arms made of plexiglass.' },
      { section: '1 Mazes > 1.1 Arms', text: 'Each suction cup tastes the wall.' },
    ])
  })

  it('in PDF has sections where larger letters are, and no marks of pages', async () => {
    const line = (text: string, y: number, size = 10) => ({ text, x: 72, y, size })
    const pages = [
      [
        line('Pangolin Sleep', 740, 24),
        line('Introduction', 700, 14),
        line('Scales of keratin cover the animal.', 680),
      ],
      [line('They curl up when they are touched.', 740)],
    ]
    const { title, chunks } = await read('p.pdf', pdf(pages))
    expect(title).toBe('Pangolin Sleep')
    expect(chunks.map(({ section }) => section)).toEqual(['Introduction'])
    expect(chunks[0]?.text).toMatch(/^Scales of keratin[\s\S]*touched\.$/)
    expect(chunks[0]?.text).not.toContain('<!--')
  })

  it('in plain text is one section', async () => {
    expect(await read('a.txt', 'Just text.\n\nMore.')).toEqual({
      title: '',
      abstract: '',
      authors: [],
      chunks: [{ section: '', text: 'Just text.\n\nMore.' }],
    })
  })

  it('of another kind, empty or damaged is refused, and the answer says what is taken', async () => {
    expect((await failure('a.exe', 'x')).message).toMatch(/"a\.exe" is of a kind that is not read; send \.pdf/)
    expect((await failure('a.txt', ' \n')).message).toMatch(/no text to search/)
    expect((await failure('a.pdf', 'no pdf')).message).toMatch(/damaged or not a PDF/)
    expect((await failure('a.gz', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]))).message).toMatch(/archive is damaged/)
  })
})

describe('cutting', () => {
  const sentence = (at: number) => `Sentence number ${at} says something about the matter at hand. `
  const long = Array.from({ length: 200 }, (_, at) => sentence(at)).join('')

  it('makes chunks of a bounded size that end with a sentence and repeat the last one or two', async () => {
    const chunks = await cutText(`# One\n\n${long}`)
    expect(chunks.length).toBeGreaterThan(5)
    for (const { text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(CHUNK_CHARS)
      expect(text).toMatch(/^Sentence number .*hand\.$/s)
    }
    for (const [at, { text }] of chunks.slice(1).entries()) {
      const before = chunks[at]?.text ?? ''
      const shared = text.slice(0, text.indexOf('hand.') + 5)
      expect(before.endsWith(text.slice(0, CHUNK_OVERLAP_CHARS)) || before.includes(shared)).toBe(true)
    }
    expect(chunks.at(-1)?.text.endsWith(sentence(199).trim())).toBe(true)
  })

  it('loses no word and cuts none, in Chinese neither', async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `word${at}`)
    const found = new Set((await cutText(words.join(' '))).flatMap(({ text }) => text.split(/\s+/)))
    expect([...found].filter((word) => !/^word\d+$/.test(word) || !words.includes(word))).toEqual([])
    expect(found.size).toBe(words.length)

    const chinese = Array.from({ length: 400 }, (_, at) => `第${at}句话说明了注意力机制的作用。`).join('')
    const cut = await cutText(chinese)
    expect(cut.length).toBeGreaterThan(2)
    for (const { text } of cut) expect(text).toMatch(/^第\d+句.*。$/s)
    const unbroken = '注'.repeat(5_000)
    expect(Math.max(...(await cutText(unbroken)).map(({ text }) => text.length))).toBeLessThanOrEqual(CHUNK_CHARS)
  })

  it('parts what has no break at all, but never a character of two halves', async () => {
    for (const { text } of await cutText('😀'.repeat(3_000))) {
      expect(text.isWellFormed()).toBe(true)
      expect(text.length).toBeLessThanOrEqual(CHUNK_CHARS)
    }
  })

  it('lets no chunk reach over a heading', async () => {
    expect(await cutText('# A\n\nx\n\n## B\n\ny\n\n```\n# no heading\n```')).toEqual([
      { section: 'A', text: 'x' },
      { section: 'A > B', text: 'y\n\n```\n# no heading\n```' },
    ])
  })
})
