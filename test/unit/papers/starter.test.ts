import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { cut } from '../../../src/papers/sources/cut.ts'
import { sectionsOf } from '../../../src/papers/sources/markdown.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { paper } from '../../support/papers.ts'

interface StarterPaper {
  readonly id: string
  readonly title: string
  readonly abstract: string
  readonly authors: readonly string[]
  readonly year: string
  readonly license: string
  readonly source?: string
  readonly text?: string
}

const PAPERS: readonly StarterPaper[] = readFileSync('corpus/starter.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const WITH_TEXT = PAPERS.filter(({ text }) => text !== undefined)
/** Licences of texts that may be passed on beside the project's own, and the words that a text says it by. */
const OPEN = {
  'CC-BY-4.0': 'creativecommons.org/licenses/by/4.0',
  MIT: 'Licence: MIT',
  'public domain': 'public domain',
}
const { signal } = new AbortController()

async function library() {
  const parts = { db: new NodeDatabase(readFileSync('migrations/0002_papers.sql', 'utf8')), clock: fakeClock() }
  const papers = PAPERS.map(({ id, title, abstract, text }) =>
    paper(id, title, abstract, { chunks: text === undefined ? [] : cut(sectionsOf(text)) }),
  )
  await paperLibrary({ ...parts, semantics: null, reader: null }).put(papers)
  return paperLibrary({ ...parts, semantics: null, reader: tenantId('acme') })
}

describe('the starter corpus', () => {
  it('has whole texts of a few papers, small enough to come along', () => {
    expect(WITH_TEXT.length).toBeGreaterThanOrEqual(3)
    expect(Buffer.byteLength(JSON.stringify(WITH_TEXT))).toBeLessThan(300_000)
    for (const { text = '' } of WITH_TEXT) expect(text.length).toBeGreaterThan(5_000)
  })

  it.each(['large language models survey', 'survey of large language models', 'review of language models'])(
    'answers "%s" by its subject, whatever a paper surveys',
    async (query) => {
      const { results } = (await (await library()).searchAbstracts({ query, k: 50, m: 5 }, signal)) as unknown as {
        readonly results: readonly { readonly title: string; readonly abstract: string }[]
      }
      expect(results[0]?.title).toMatch(/Language Model/i)
      for (const { abstract } of results.slice(0, 3)) expect(abstract).toMatch(/language model/i)
    },
  )

  it.each(WITH_TEXT)(
    'names licence, authors, source and year of $title, in its text too',
    ({ text = '', ...paper }) => {
      expect(Object.keys(OPEN)).toContain(paper.license)
      const [about = ''] = sectionsOf(text).map((section) => section.text)
      expect(about).toContain(OPEN[paper.license as keyof typeof OPEN])
      expect(about).toContain(paper.authors[0])
      expect(about).toContain(`"${paper.title}"`)
      expect(about).toContain('Changed here:')
      expect(paper).toMatchObject({
        year: expect.stringMatching(/^\d{4}$/),
        source: expect.stringContaining('package'),
      })
      const [row = ''] = readFileSync('corpus/README.md', 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`| \`${paper.id}\` |`))
      expect(row).toContain(paper.license.replaceAll('-', ' '))
      expect(row).toContain(paper.year)
      for (const [file] of row.matchAll(/licences\/[\w.]+/g)) expect(existsSync(`corpus/${file}`)).toBe(true)
    },
  )

  it('says of abstracts that they are free to use', () => {
    const others = PAPERS.filter(({ text }) => text === undefined)
    expect(others.filter(({ license }) => license !== 'CC0-1.0')).toEqual([])
  })

  it.each(['tool use', 'how do language models use tools?', '工具使用', '大模型调用工具'])(
    'finds the papers on tool use first by "%s"',
    async (query) => {
      const { results } = await (await library()).searchAbstracts({ query, k: 10, m: 2 }, signal)
      const found = (results as { file_id: string }[]).map(({ file_id }) => file_id)
      expect(found.sort()).toEqual(['2302.04761v1', '2305.15334'])
    },
  )

  it.each([
    ['database survives power failure', 'how is a hot journal rolled back?', 'sqlite-atomic-commit', /hot/i],
    ['property-based testing', 'test-case reduction', '10.21105/joss.01891', /reduc/i],
    ['storing blobs in a database or in files', 'write performance', 'sqlite-faster-than-filesystem', /write/i],
  ])('finds a paper by "%s", and in it "%s"', async (subject, question, fileId, content) => {
    const papers = await library()
    const found = await papers.searchAbstracts({ query: subject, k: 10, m: 3 }, signal)
    expect(found.results).toMatchObject([{ file_id: fileId, text_available: true }, {}, {}])
    const { results } = await papers.searchDetails({ query: question, fileId, k: 10, m: 3 }, signal)
    expect(results).toMatchObject([{ content: expect.stringMatching(content) }, {}, {}])
  })
})
