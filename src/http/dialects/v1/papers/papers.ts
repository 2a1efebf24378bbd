import type { Context, Hono } from 'hono'
import { sameSecret } from '../../../../auth/constant-time.ts'
import type { Scope } from '../../../../auth/principal.ts'
import { fail } from '../../../../core/failure.ts'
import type { Paper, PaperStore, Papers } from '../../../../ports/papers.ts'
import type { Reader } from '../../../../ports/reader.ts'
import { bearerToken } from '../../../authenticate.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { type Form, readForm } from '../../../form.ts'
import { parseJson, readBodyText } from '../../../json.ts'
import type { Guard } from '../../../operations/operation.ts'
import { PageOf } from '../../../operations/page.ts'
import { guardedRoute } from '../../../operations/route.ts'
import {
  CorpusQuery,
  decodeMetadata,
  decodePapers,
  encodePapers,
  encodePut,
  fromFile,
  PapersQuery,
} from './papers-codec.ts'
import { ListedPaperAnswer, PAPER_BODIES, PaperAnswer, PutPapers } from './papers-schemas.ts'

export interface PapersParts {
  /** The public papers, which all tenants see; null when another service has them. */
  readonly publicPapers: (Papers & PaperStore) | null
  /** Reader of the public papers' files. */
  readonly reader: Reader
  /** Token that allows changes to the public papers. Null: nobody may change them. */
  readonly adminToken: string | null
}

const PAPER = { paper: 'Id of the paper, such as 1706.03762v7.' }
// Older arXiv ids have a slash: hep-th/9901001v1.
const PAPER_PATH = '/v1/papers/:paper{.+}'

/** The caller's own papers by its key; the public ones by the admin token in the place of a key. */
export function addPapers(app: Hono<AppEnv>, parts: PapersParts): void {
  const guard = (scope: Scope): Guard<PaperStore & Papers> => ({
    credentials: ['key', 'owner'],
    scope,
    allow: (c) => storeFor(c, parts, scope),
  })

  guardedRoute(
    app,
    'post',
    '/v1/papers',
    guard('execute'),
    {
      id: 'putPapers',
      tag: 'papers',
      summary: 'Put papers, or a file of one',
      description: 'All of a request or none; papers of the same ids are replaced.',
      query: CorpusQuery,
      body: PAPER_BODIES,
      answers: { 201: { description: 'The papers are there.', content: PutPapers } },
      problems: [409],
      example: { body: { id: 'notes-1', title: 'Notes', text: 'What was measured.' }, status: 201 },
    },
    async (c, { allowed: store }) => {
      const papers = await readPapers(c.req.raw, isPublic(c) ? parts.reader : servicesFor(c, 'execute').reader)
      return c.json(encodePut(papers, await store.put(papers)), 201)
    },
  )

  guardedRoute(
    app,
    'get',
    '/v1/papers',
    guard('read'),
    {
      id: 'listPapers',
      tag: 'papers',
      summary: 'List papers in the order of their ids',
      query: PapersQuery,
      answers: { 200: { description: 'A page of papers.', content: PageOf(ListedPaperAnswer) } },
      problems: [409],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { allowed: store, query: { limit, cursor } }) => {
      const found = await store.list({ limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
      return c.json(encodePapers(found, limit))
    },
  )

  guardedRoute(
    app,
    'get',
    PAPER_PATH,
    guard('read'),
    {
      id: 'getPaper',
      tag: 'papers',
      summary: 'Get a paper with its text',
      params: PAPER,
      query: CorpusQuery,
      answers: { 200: { description: 'The paper.', content: PaperAnswer } },
      problems: [404, 409],
      example: { params: { paper: 'example-paper' }, status: 200 },
    },
    async (c, { allowed: store }) => c.json(await store.paper(c.req.param('paper'), c.req.raw.signal)),
  )

  guardedRoute(
    app,
    'delete',
    PAPER_PATH,
    guard('execute'),
    {
      id: 'deletePaper',
      tag: 'papers',
      summary: 'Delete a paper',
      params: PAPER,
      query: CorpusQuery,
      answers: { 204: { description: 'It is gone.' } },
      problems: [404, 409],
      example: { params: { paper: 'old-paper' }, status: 204 },
    },
    async (c, { allowed: store }) => {
      const id = c.req.param('paper')
      if (!(await store.remove(id))) fail('not_found', `Paper not found: ${id.slice(0, 200)}; of yours, that is`)
      return c.body(null, 204)
    },
  )
}

/** Store of the papers that the request is about, if the caller may use it so. */
async function storeFor(c: Context<AppEnv>, { publicPapers, adminToken }: PapersParts, scope: Scope) {
  if (!isPublic(c)) return servicesFor(c, scope).papers ?? elsewhere()
  const sent = bearerToken(c.req.raw.headers)
  if (adminToken === null || sent === null || !(await sameSecret(sent, adminToken))) {
    fail('forbidden', 'only the owner of the server may do that with the public papers; send its admin token as Bearer')
  }
  return publicPapers ?? elsewhere()
}

function isPublic(c: Context<AppEnv>): boolean {
  const corpus = c.req.query('corpus') ?? 'own'
  if (corpus !== 'own' && corpus !== 'public') fail('invalid_input', 'corpus must be "own" (as without it) or "public"')
  return corpus === 'public'
}

const elsewhere = (): never =>
  fail('conflict', 'the papers of this server are those of another service (RAG_SERVICE_URL); put them in there')

async function readPapers(request: Request, reader: Reader): Promise<Paper[]> {
  const type = request.headers.get('Content-Type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return [await readUpload(request, reader)]
  const parsed = parseJson(await readBodyText(request))
  if (!parsed.ok) fail('invalid_input', `the body is not JSON: ${parsed.message} (character ${parsed.at})`)
  return decodePapers(parsed.value, (texts) => {
    const bytes = new TextEncoder().encode(JSON.stringify(texts))
    return reader.read({ kind: 'paper_texts', options: {}, bytes }, request.signal)
  })
}

async function readUpload(request: Request, reader: Reader): Promise<Paper> {
  const form =
    (await readForm(request)) ??
    fail('invalid_input', 'the body is not a form; send it as multipart/form-data, e.g. by curl -F')
  const { file, fields } = form
  if (!file) fail('invalid_input', 'the form has no file; send one as "file", e.g. -F file=@paper.pdf')
  const metadata = decodeMetadata(wordsOf(fields))
  const reading = { kind: 'paper', options: { name: file.name }, bytes: file.bytes } as const
  return fromFile(metadata, await reader.read(reading, request.signal))
}

/** Fields of a form; a field that comes several times is a list. */
function wordsOf(fields: Form['fields']): Record<string, unknown> {
  const words = new Map<string, string[]>()
  for (const [name, value] of fields) {
    if (name === 'file') continue
    const before = words.get(name)
    if (before) before.push(value)
    else words.set(name, [value])
  }
  return Object.fromEntries([...words].map(([name, values]) => [name, values.length > 1 ? values : values[0]]))
}
