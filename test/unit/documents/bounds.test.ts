import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formatOf } from '../../../src/documents/formats.ts'
import { table } from '../../../src/documents/markdown.ts'
import { markdownOf } from '../../../src/documents/markup.ts'
import { readMarkup } from '../../../src/documents/markup-tree.ts'
import { refuseDeepOrMany } from '../../../src/documents/page/size.ts'
import { docx, paragraph, xlsx } from '../../support/documents.ts'
import { failureOf } from '../../support/failure-of.ts'

async function firstPart(extension: string, bytes: Uint8Array): Promise<string> {
  const open = await formatOf(extension)?.()
  const document = (await open?.(bytes, `a${extension}`)) ?? expect.fail('no reader')
  const text = await document.read(1, false)
  await document.close?.()
  return text
}

/** A page that draws this, packed. */
function drawing(content: string): Uint8Array {
  const stream = deflateSync(content)
  const head =
    '%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n' +
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj\n' +
    `5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n4 0 obj << /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`
  return new Uint8Array(
    Buffer.concat([Buffer.from(head), stream, Buffer.from('\nendstream endobj\ntrailer << /Root 1 0 R >>')]),
  )
}

describe('a PDF', () => {
  it('that saves a million states within each other has its page named as not read', async () => {
    expect(await firstPart('.pdf', drawing('q '.repeat(1_000_000)))).toMatch(
      /page 1 was not read: .*MAX_PDF_SAVED_STATES/,
    )
  })
  it('that draws without end has its page named as not read', async () => {
    expect(await firstPart('.pdf', drawing('0 0 m '.repeat(4_000_000)))).toMatch(/not read: .*MAX_PDF_PAGE_OPERATORS/)
  })
  it('of as many states and operators as drawings have is read', async () => {
    const text = 'BT /F 12 Tf 1 0 0 1 72 700 Tm (Hello there) Tj ET'
    expect(
      await firstPart('.pdf', drawing(`${'q '.repeat(200)}${text}${' Q'.repeat(200)}${' 0 0 m'.repeat(50_000)}`)),
    ).toBe('Hello there')
  })
})

describe('a table', () => {
  it('with one wide row among very many short ones has the short ones as they are', async () => {
    const csv = new TextEncoder().encode(`${'a,b\n'.repeat(400_000)}${','.repeat(2_000)}z`)
    const text = await firstPart('.csv', csv)
    expect(text).toContain('\n| a | b |\n')
    expect(text.length).toBeLessThan(200_000)
  })
  it('whose rows are few is filled', () => {
    expect(table([['a'], ['b', 'c']])).toBe('| a |  |\n| --- | --- |\n| b | c |')
  })
  it('of a sheet has one empty row for any number of them, whatever number a row claims', async () => {
    const row = (at: number) => `<row r="${at}"><c><v>${at % 10}</v></c></row>`
    const text = await firstPart('.xlsx', xlsx({ A: `${row(1)}${row(2)}${row(7)}${row(999_999_999_999)}${row(8)}` }))
    expect(text).toBe('## A\n\n| 1 |\n| --- |\n| 2 |\n|  |\n| 7 |\n|  |\n| 9 |\n| 8 |')
  })
})

describe('markup', () => {
  it('that is nested without end keeps its text, in order', async () => {
    const text = markdownOf(
      await readMarkup(`<p>before</p>${'<b><i>'.repeat(50_000)}deep</i></b> after${'</x>'.repeat(50_000)}`),
    )
    expect(text.replace(/\*/g, '')).toMatch(/^before\s+deep after$/)
  })
  it('that closes what was left open deep inside goes on beside it', async () => {
    const text = markdownOf(await readMarkup(`<div>${'<em>'.repeat(1_000)}x${'</em>'.repeat(1_000)}</div><p>next</p>`))
    expect(text).toMatch(/x[*]*\n\nnext$/)
  })
  it('of a page hides no depth in the attributes of its elements', async () => {
    const failure = await failureOf(refuseDeepOrMany('<b a="</b>">'.repeat(2_000), 'https://a.example/'), 'deep')
    expect(failure).toMatchObject({ code: 'limit_exceeded', message: expect.stringMatching(/MAX_PAGE_DEPTH/) })
  })
  it('of a page is not too deep for elements that end each other, or that stand in a comment', async () => {
    await refuseDeepOrMany(`<ul>${'<li>x'.repeat(2_000)}</ul><!--${'<b>'.repeat(2_000)}-->`, 'https://a.example/')
  })
})

describe('a Word document', () => {
  it.each(['-1000000000', '1.5', 'NaN', '1e99'])('with an item of level %s is read', async (level) => {
    const numbers = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`
    expect(await firstPart('.docx', docx(paragraph('item', numbers)))).toMatch(/item$/)
  })
  it('with roots within the degrees of roots reads each once', async () => {
    const roots = `${'<m:rad><m:deg>'.repeat(50)}<m:r><m:t>x</m:t></m:r>${'</m:deg><m:e/></m:rad>'.repeat(50)}`
    expect(await firstPart('.docx', docx(`<w:p><m:oMath>${roots}</m:oMath></w:p>`))).toMatch(/^\$\\sqrt\[/)
  })
})
