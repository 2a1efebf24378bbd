import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestHarness, type TestHarness } from 'wrangler'
import { readerHttp } from '../../../src/adapters/reader-http.ts'
import { LEAST_READING_BYTES, READING_ROOM_BYTES } from '../../../src/core/limits/memory.ts'
import type { Reading, ReadingKind } from '../../../src/ports/reader.ts'
import { docx, paragraph, pdf } from '../../support/documents.ts'
import { failureOf } from '../../support/failure-of.ts'
import { LATEX_PAPER } from '../../support/paper-files.ts'

/** The Worker that production binds as READER, in workerd. */
let harness: TestHarness
let url: string
beforeAll(async () => {
  harness = createTestHarness({ workers: [{ configPath: './wrangler.reader.toml' }] })
  url = (await harness.listen()).url.href
})
afterAll(() => harness.close())

const encoder = new TextEncoder()

function read<Kind extends ReadingKind>(reading: Reading<Kind>, owner = 'acme') {
  const reader = readerHttp({ send: (request) => fetch(request), url, token: null, owner })
  return reader.read(reading, new AbortController().signal)
}

it('reads documents, pages, papers and descriptions of APIs as the reading processes do', async () => {
  const pages = { name: 'a.pdf', extension: '.pdf' }
  const hello = pdf([[{ x: 72, y: 700, text: 'Hello' }]])
  expect((await read({ kind: 'document', options: pages, bytes: hello })).content).toBe('<!-- page 1 -->\n\nHello')

  const word = { name: 'a.docx', extension: '.docx' }
  expect((await read({ kind: 'document', options: word, bytes: docx(paragraph('One')) })).content).toBe('One')

  const page = {
    url: 'https://site.example/',
    type: 'text/html',
    contentType: 'text/html',
    name: 'index',
    keepImages: false,
    linksApart: true,
  }
  const html = encoder.encode('<title>T</title><p>Text with <a href="/there">a link</a>.</p>')
  expect(await read({ kind: 'page', options: page, bytes: html })).toMatchObject({
    title: 'T',
    markdown: 'Text with a link.',
    links: [{ text: 'a link', url: 'https://site.example/there' }],
  })

  const source = encoder.encode(LATEX_PAPER['ms.tex'])
  const paper = await read({ kind: 'paper', options: { name: 'a.tex' }, bytes: source })
  expect(paper.chunks.length).toBeGreaterThan(0)

  const pets = { openapi: '3.0.0', servers: [{ url: 'https://pets.example' }], paths: { '/pets': { get: {} } } }
  const api = { format: 'openapi', env: 'pets' } as const
  const { tools } = await read({ kind: 'api', options: api, bytes: encoder.encode(JSON.stringify(pets)) })
  expect(tools).toHaveLength(1)
})

it('reads large documents of several tenants that come at once, which do not fit into its memory together', async () => {
  const row = `${'a word and '.repeat(800)}\n`
  const bytes = encoder.encode(row.repeat(Math.ceil(LEAST_READING_BYTES / row.length) * 2))
  const options = { name: 'a.txt', extension: '.txt', maxChars: 1_000 }
  const owners = Array.from({ length: 3 }, (_, at) => `tenant-${at}`)
  const texts = await Promise.all(owners.map((owner) => read({ kind: 'document', options, bytes }, owner)))
  expect(new Set(texts.map(({ content }) => content.slice(0, 10)))).toEqual(new Set(['a word and']))
  expect(bytes.length * owners.length).toBeGreaterThan(READING_ROOM_BYTES)
})

it('says what is wrong with a file', async () => {
  const options = { name: 'a.docx', extension: '.docx' }
  const failure = await failureOf(read({ kind: 'document', options, bytes: encoder.encode('no zip') }), 'a.docx')
  expect(failure.code).toBe('invalid_input')
})
