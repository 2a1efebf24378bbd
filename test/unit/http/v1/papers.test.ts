import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../src/auth/principal.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import type { RequestScope, Services } from '../../../../src/http/dialect.ts'
import { decodePapers } from '../../../../src/http/dialects/v1/papers/papers-codec.ts'
import { v1 } from '../../../../src/http/dialects/v1/routes.ts'
import { marketModeration } from '../../../../src/market/moderation.ts'
import { paperLibrary } from '../../../../src/papers/library.ts'
import { NodeDatabase } from '../../../support/database-node.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { NO_KEYS } from '../../../support/no-keys.ts'
import { NO_LINKS } from '../../../support/no-links.ts'
import { V1_ANSWERS } from '../../../support/openapi/answers.ts'
import { readAsset } from '../../../support/openapi/read-asset.ts'
import { costOf, expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { READER_HERE } from '../../../support/reader-here.ts'

/** The dialect over a library in memory. */
function open() {
  const clock = fakeClock()
  const db = new NodeDatabase(readFileSync('migrations/0002_papers.sql', 'utf8'))
  const library = (reader: string | null) =>
    paperLibrary({ db, reader: reader === null ? null : tenantId(reader), clock, semantics: null })
  const { app } = v1({
    ...NO_LINKS,
    ...NO_KEYS,
    reader: READER_HERE,
    publicPapers: library(null),
    adminToken: null,
    marketModeration: marketModeration(new NodeDatabase()),
    readAsset,
  })

  function scope(scopes: readonly Scope[]): RequestScope {
    // No more of the services is asked for here.
    const services = { papers: library('acme'), reader: READER_HERE } as unknown as Services
    return { requestId: 'r', caller: { principal: { tenant: tenantId('acme'), scopes, keyId: 'k' }, services } }
  }

  return async (method: string, path: string, body?: unknown, scopes: readonly Scope[] = ['execute']) => {
    const init = {
      method,
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    }
    const response = await app.fetch(new Request(`http://localhost/v1/papers${path}`, init), scope(scopes))
    await V1_ANSWERS.check(method, `/v1/papers${path}`, response)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

const form = (fields: Readonly<Record<string, string>>, file?: readonly [string, string]) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  if (file) data.append('file', new Blob([file[1]]), file[0])
  return data
}

describe('POST /v1/papers', () => {
  it('takes one paper or many, in the forms that people have', async () => {
    const call = open()
    const one = { file_id: 'hep-th/9901001v1', title: ' T ', authors: 'A. B, C. D and E. F', year: 1999 }
    expect(await call('POST', '', { ...one, categories: 'a.b c.d', aliases: 'x y', unknown: 1 })).toEqual({
      status: 201,
      body: { added: 1, replaced: 0, papers: [{ file_id: 'hep-th/9901001v1', title: 'T', chunk_count: 0 }] },
    })
    const chunks = ['plain', { section: 'S', text: 'with a heading' }]
    const many = [{ id: 'a', title: 'A', text: '# H\n\ntext' }, { id: 'b', title: 'B', chunks }, one]
    expect(await call('POST', '', { papers: many })).toMatchObject({
      status: 201,
      body: { added: 2, replaced: 1, papers: [{ chunk_count: 1 }, { chunk_count: 2 }, { chunk_count: 0 }] },
    })
    expect(await call('GET', '/hep-th/9901001v1')).toMatchObject({ body: { title: 'T', publish_year: '1999' } })
    expect(await call('GET', '/x')).toMatchObject({ status: 404 })
  })

  it.each([
    ['A. B, C. D, and E. F', ['A. B', 'C. D', 'E. F']],
    ['A. B;C. D  and  E. F', ['A. B', 'C. D', 'E. F']],
    ['Anders And, Andy Sand', ['Anders And', 'Andy Sand']],
    [
      ['A. B', 'C, Jr.'],
      ['A. B', 'C, Jr.'],
    ],
  ])('takes the authors %j apart', async (authors, names) => {
    expect(await decodePapers({ id: 'a', title: 'T', authors }, async () => [])).toMatchObject([{ authors: names }])
  })

  it('takes a megabyte of blanks between two authors in no time', async () => {
    await expectCost(() => open()('POST', '', { id: 'a', title: 'T', authors: `A${' '.repeat(1_000_000)}B` }), {
      below: () => 30 * plainPassMs(1_000_000),
    })
  })

  it('takes none when one cannot be taken, and names each of those with its reason', async () => {
    const call = open()
    const { status, body } = await call('POST', '', {
      papers: [
        { id: 'good', title: 'Good' },
        { title: 'No id' },
        { id: 'x', abstract: 'no title' },
        { id: 'y', title: 'Y', year: 'MMXX' },
        { id: 'z', title: 'Z', text: 'a', chunks: ['b'] },
        'what',
      ],
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'invalid_input',
      request_id: 'r',
      retryable: false,
      detail: expect.stringMatching(/^5 of the papers cannot be taken, so none was; paper 1: .*id/),
      errors: [
        { index: 1, detail: 'missing required parameter: id' },
        { index: 2, file_id: 'x', detail: 'title is required' },
        { index: 3, file_id: 'y', detail: 'year: must have four digits, e.g. "2023"' },
        { index: 4, file_id: 'z', detail: 'give "text" or "chunks", not both' },
        { index: 5, detail: expect.any(String) },
      ],
    })
    expect((await call('GET', '/good')).status).toBe(404)
  })

  it('takes a file, whose words are asked for what the form does not say', async () => {
    const call = open()
    const file = ['p.md', '# Said by the file\n\nBody.'] as const
    expect(await call('POST', '', form({ id: 'f' }, file))).toMatchObject({
      status: 201,
      body: { papers: [{ file_id: 'f', title: 'Said by the file', chunk_count: 1 }] },
    })
    await call('POST', '', form({ id: 'g', title: 'Said by the form', year: '2020' }, file))
    expect(await call('GET', '/g')).toMatchObject({ body: { title: 'Said by the form', publish_year: '2020' } })
    expect(await call('POST', '', form({ id: 'h' }, ['p.txt', 'Body.']))).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/title is required/) },
    })
  })

  it('reads a form of very many fields once', async () => {
    const many = form({ id: 'many', title: 'T' }, ['p.md', 'Body.'])
    for (let at = 0; at < 30_000; at++) many.append(`field${at}`, '')
    const usual = () => new Request('http://x/', { method: 'POST', body: many }).arrayBuffer()
    await expectCost(async () => expect(await open()('POST', '', many)).toMatchObject({ status: 201 }), {
      below: async () => 8 * (await costOf(usual)),
    })
  })

  it.each([
    ['a form without a file', form({ id: 'x' }), 400, /has no file/],
    ['a file without an id', form({}, ['p.md', '# T\n\nx']), 400, /missing required parameter: id/],
    ['a file of another kind', form({ id: 'x' }, ['p.exe', 'x']), 400, /kind that is not read/],
    ['what is no list', { papers: {} }, 400, /must be a list/],
    ['too many at once', { papers: Array.from({ length: 1_001 }, () => ({})) }, 429, /MAX_PAPERS_PER_PUT/],
    ['an id with control characters', { id: 'a\u0000b', title: 'T' }, 400, /control characters/],
    ['an id that is too long', { id: 'a'.repeat(500), title: 'T' }, 400, /MAX_PAPER_ID_CHARS/],
    ['an author without end', { id: 'a', title: 'T', authors: ['x'.repeat(3_000_000)] }, 429, /MAX_PAPER_WORD_CHARS/],
    ['an abstract that is too long', { id: 'a', title: 'T', abstract: 'x'.repeat(60_000) }, 400, /MAX_ABSTRACT_CHARS/],
  ])('refuses %s', async (_, body, status, detail) => {
    expect(await open()('POST', '', body)).toMatchObject({
      status,
      body: { detail: expect.stringMatching(detail) },
    })
  })

  it('refuses who may only read, and a corpus that there is not', async () => {
    const call = open()
    const paper = { id: 'a', title: 'A' }
    expect(await call('POST', '', paper, ['read'])).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await call('DELETE', '/a', undefined, ['read'])).toMatchObject({ status: 403 })
    expect(await call('POST', '?corpus=all', paper)).toMatchObject({ status: 400 })
    expect(await call('POST', '?corpus=public', paper, ['admin'])).toMatchObject({ status: 403 })
  })
})

describe('GET /v1/papers', () => {
  it('lists the own papers, a page at a time', async () => {
    const call = open()
    const ids = ['a', 'b/1', 'c', 'd']
    await call('POST', '', { papers: ids.map((id) => ({ id, title: `T ${id}`, year: 2020, text: 'x' })) })
    const first = await call('GET', '?limit=3', undefined, ['read'])
    expect(first).toEqual({
      status: 200,
      body: {
        data: ids.slice(0, 3).map((id) => ({
          ...{ file_id: id, title: `T ${id}`, publish_year: '2020' },
          ...{ chunk_count: 1, text_available: true },
        })),
        next_cursor: 'c',
      },
    })
    expect(await call('GET', '?limit=3&cursor=c')).toMatchObject({
      body: { data: [{ file_id: 'd' }], next_cursor: null },
    })
    expect(await open()('GET', '')).toEqual({ status: 200, body: { data: [], next_cursor: null } })
    expect(await call('GET', '?limit=many')).toMatchObject({ status: 400 })
    expect(await call('GET', '?corpus=public')).toMatchObject({ status: 403 })
  })
})
