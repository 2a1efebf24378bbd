import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { pdf } from '../../support/documents.ts'
import { HTML_PAPER, LATEX_PAPER, tarGz } from '../../support/paper-files.ts'
import {
  jsonAnswer,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'
import { startToolyard, type Toolyard } from '../../support/toolyard.ts'
import { COMMANDS, type CommandName } from './published-commands.ts'
import { aToolServer, verifies } from './support.ts'

const server = aToolServer()

/** A server whose papers are those of the first one; and one whose paper service is odd. */
let behind: Toolyard
let odd: StandIn
let beforeOdd: Toolyard
let asOdd: (request: StandInRequest) => StandInAnswer = () => ({ status: 500 })

beforeAll(async () => {
  const { url, adminToken } = server.toolyard()
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` }
  const body = JSON.stringify({ papers: PUBLIC_PAPERS })
  const answer = await fetch(`${url}/v1/papers?corpus=public`, { method: 'POST', headers, body })
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 201 })
  behind = await startToolyard({ vars: { RAG_SERVICE_URL: url } })
  odd = await startStandIn((request) => asOdd(request))
  beforeOdd = await startToolyard({ vars: { RAG_SERVICE_URL: `${odd.url}/k/secret-of-the-operator/` } })
})
afterAll(async () => {
  await Promise.all([behind?.stop(), beforeOdd?.stop(), odd?.stop()])
})

const PUBLIC_PAPERS = [
  {
    id: '1706.03762v7',
    aliases: ['2017.03762v7'],
    title: 'Attention Is All You Need',
    abstract:
      'We propose a new simple network architecture, the Transformer, based solely on attention mechanisms, dispensing with recurrence and convolutions entirely.',
    authors: 'Ashish Vaswani, Noam Shazeer and Niki Parmar',
    year: 2017,
    categories: 'cs.CL cs.LG',
    chunks: [
      { section: '3 Model > 3.1 Scaled Dot-Product Attention', text: 'We call our particular attention scaled.' },
      { section: '3 Model > 3.2 Multi-Head Attention', text: 'Multi-head attention lets the model attend jointly.' },
    ],
  },
  { id: '2302.13971v1', title: 'LLaMA', abstract: 'A large language model, open and efficient.', year: '2023' },
  { id: '2005.14165v4', title: 'GPT-3', abstract: 'A large language model is a few-shot learner.', year: '2020' },
]

const shell = promisify(execFile)
async function printed(name: CommandName, url = server.url()): Promise<Record<string, unknown>> {
  const { stdout } = await shell('bash', ['-c', COMMANDS[name].replaceAll('http://localhost:8001', url)])
  return JSON.parse(stdout)
}

async function post(body: object | FormData, key?: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const isForm = body instanceof FormData
  const response = await fetch(`${server.url()}/v1/papers`, {
    method: 'POST',
    headers: { ...(!isForm && { 'Content-Type': 'application/json' }), ...(key && { Authorization: `Bearer ${key}` }) },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

function form(name: string, content: string | Uint8Array, fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  data.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  return data
}

verifies('toolserver:rag:search', async () => {
  const task = await server.task()
  const found = await task.done('rag_search_abstracts', { query: 'attention transformer', k: '20', m: 1 })
  expect(found).toMatchObject({
    query: 'attention transformer',
    k: 20,
    m: 1,
    results: [
      {
        file_id: '1706.03762v7',
        title: 'Attention Is All You Need',
        abstract: expect.stringContaining('Transformer'),
        publish_year: '2017',
        score: expect.any(Number),
        rerank_score: expect.any(Number),
      },
    ],
  })
  expect(await task.done('rag_search_abstracts', { query: 'language' })).toMatchObject({ k: 10, m: 5, total: 2 })
  const more = await task.done('rag_search_abstracts', { query: 'language', k: 1, m: 2 })
  expect(more).toMatchObject({ k: 2, m: 2, results: [{}, {}] })
})

verifies('toolserver:rag:filtered', async () => {
  const task = await server.task()
  const search = async (year?: unknown) => {
    const params = { query: 'large language model', publish_year_filter: year }
    const { results } = await task.done('rag_search_abstracts_filtered', params)
    return (results as { file_id: string }[]).map(({ file_id }) => file_id).sort()
  }
  expect(await search('2023')).toEqual(['2302.13971v1'])
  expect(await search(2020)).toEqual(['2005.14165v4'])
  expect(await search('')).toEqual(['2005.14165v4', '2302.13971v1'])
  expect(await search('1999')).toEqual([])
  expect(await task.failure('rag_search_abstracts_filtered', { query: 'x', publish_year_filter: 'last year' })).toBe(
    'publish_year_filter: must be a year of four digits, e.g. "2023"',
  )
})

verifies('toolserver:rag:details', async () => {
  const task = await server.task()
  const found = await task.done('rag_search_details', { query: 'multi-head', file_id: ' 1706.03762v7 ' })
  expect(found).toMatchObject({
    query: 'multi-head',
    file_id: '1706.03762v7',
    k: 10,
    m: 3,
    results: [{ doc_id: 'chunk_002', content: expect.stringContaining('attend jointly'), score: expect.any(Number) }],
  })
})

verifies('toolserver:rag:content', async () => {
  const task = await server.task()
  const file_id = '1706.03762v7'
  expect(await task.done('rag_get_paper_content', { file_id })).toMatchObject({
    file_id,
    title: 'Attention Is All You Need',
    publish_year: '2017',
    content: expect.stringMatching(/We call our particular[\s\S]*attend jointly/),
  })
  expect(await task.done('rag_get_paper_chunks', { file_id })).toMatchObject({
    file_id,
    chunk_count: 2,
    chunks: [{ doc_id: 'chunk_001', index: 1, char_count: expect.any(Number) }, { doc_id: 'chunk_002' }],
  })
  const some = await task.done('rag_get_specific_content', { file_id, doc_ids: ['chunk_002', 'chunk_900'] })
  expect(some).toMatchObject({ file_id, contents: [{ doc_id: 'chunk_002' }], missing: ['chunk_900'] })
  for (const doc_ids of [undefined, null, []]) {
    expect(await task.done('rag_get_specific_content', { file_id, doc_ids })).toMatchObject({ contents: [{}, {}] })
  }
  expect(await task.done('rag_get_specific_content', { file_id, doc_ids: 'chunk_001' })).toMatchObject({
    contents: [{ doc_id: 'chunk_001' }],
  })
})

verifies('toolserver:rag:text', async () => {
  const task = await server.task()
  const { results } = await task.done('rag_search_abstracts', { query: 'attention language model', k: 3 })
  const available = new Map(
    (results as { file_id: string; text_available: boolean }[]).map((found) => [found.file_id, found.text_available]),
  )
  expect(available.get('1706.03762v7')).toBe(true)
  expect(available.get('2302.13971v1')).toBe(false)
  const file_id = '2302.13971v1'
  for (const tool of ['rag_get_paper_content', 'rag_get_paper_chunks', 'rag_get_specific_content']) {
    expect(await task.done(tool, { file_id })).toMatchObject({
      text_available: false,
      notes: [expect.stringContaining('https://arxiv.org/pdf/2302.13971v1')],
    })
  }
})

verifies('toolserver:rag:service', async () => {
  const tenant = await newTenant(server.toolyard())
  const task = await server.as(tenant.key).task()
  expect(await task.done('rag_health_check')).toMatchObject({ status: 'healthy' })
  expect(await task.done('rag_get_stats')).toMatchObject({ papers: 3, years: { 2017: 1, 2020: 1, 2023: 1 } })
  expect(await task.done('rag_service_info')).toMatchObject({ name: expect.any(String), version: expect.any(String) })
  await task.done('rag_search_abstracts', { query: 'attention' })
  await task.done('rag_search_abstracts', { query: 'attention' })
  expect(await task.done('rag_cache_stats')).toEqual({ size: 1, hits: 1, misses: 1 })
  expect(await task.done('rag_cache_clear')).toEqual({ cleared: 1 })
  expect(await task.done('rag_cache_stats')).toMatchObject({ size: 0 })
})

verifies('toolserver:rag:errors', async () => {
  const task = await server.task()
  const file_id = '9999.99999'
  expect(await task.failure('rag_search_abstracts', { query: '' })).toBe('query is required')
  expect(await task.failure('rag_search_abstracts_filtered', {})).toMatch(/query/)
  expect(await task.failure('rag_search_details', { query: 'x', file_id: '' })).toBe('file_id is required')
  expect(await task.failure('rag_get_paper_content', { file_id: ' ' })).toBe('file_id is required')
  for (const tool of ['rag_get_paper_content', 'rag_get_paper_chunks', 'rag_get_specific_content']) {
    expect(await task.failure(tool, { file_id })).toMatch(/^Paper not found: 9999\.99999/)
  }
  expect(await task.failure('rag_search_details', { query: 'x', file_id })).toMatch(/^Paper not found: 9999\.99999/)
})

verifies('toolserver:rag:loaded', async () => {
  const { key } = await newTenant(server.toolyard())
  const task = await server.as(key).task()
  const page = [
    { text: 'Pangolin Sleep', size: 24, x: 72, y: 700 },
    { text: 'Abstract', size: 14, x: 72, y: 660 },
    {
      text: 'Pangolins curl up and sleep in burrows that they dig with long claws, far from all roads,',
      x: 72,
      y: 640,
    },
    { text: 'and this paper counts how many hours of a day they do so in the dry season of the year.', x: 72, y: 625 },
    { text: 'Introduction', size: 14, x: 72, y: 590 },
    { text: 'Scales of keratin cover the whole animal.', x: 72, y: 570 },
  ]
  const loads: [object | FormData, string, string, string, string][] = [
    [
      {
        id: 'json-1',
        title: 'Whale Songs',
        abstract: 'Whales sing.',
        text: '# 1 Pitch\n\nHumpbacks change their pitch.',
      },
      'whales sing',
      'Whale Songs',
      'humpbacks',
      'change their pitch',
    ],
    [form('p.pdf', pdf([page]), { id: 'pdf-1' }), 'pangolin burrows', 'Pangolin Sleep', 'keratin', 'Scales of keratin'],
    [
      form('1234.5678.tar.gz', tarGz(LATEX_PAPER), { file_id: 'tex-1', year: '2021' }),
      'zebrafish corals',
      'Zebrafish Navigation',
      'neuromasts',
      String.raw`$\mathrm{Attention}(Q,K) = \frac{QK^T}{\sqrt{d_k}}$`,
    ],
    [form('x.html', HTML_PAPER, { id: 'html-1' }), 'octopus den', 'Octopus Memory', 'suction cup', 'tastes the wall'],
    [
      form('notes.md', '# Ibex Paths\n\nGoats of the rocks.\n\n## Salt\n\nThey lick saltpetre from dams.', {
        id: 'md-1',
      }),
      'ibex',
      'Ibex Paths',
      'saltpetre',
      'lick saltpetre',
    ],
  ]
  for (const [body, query, title, detail, content] of loads) {
    const { status, body: answer } = await post(body, key)
    expect({ status, answer }).toMatchObject({ status: 201, answer: { added: 1, replaced: 0, papers: [{ title }] } })
    const [{ file_id } = { file_id: '' }] = answer.papers as { file_id: string }[]
    const found = await task.done('rag_search_abstracts', { query })
    expect((found.results as unknown[])[0]).toMatchObject({ file_id, title })
    const inside = await task.done('rag_search_details', { query: detail, file_id })
    const [best = { doc_id: '' }] = inside.results as { doc_id: string }[]
    expect(best).toMatchObject({ content: expect.stringContaining(content) })
    const read = await task.done('rag_get_specific_content', { file_id, doc_ids: [best.doc_id] })
    expect(read).toMatchObject({ contents: [{ content: expect.stringContaining(content) }], missing: [] })
    expect(JSON.stringify(await task.done('rag_get_paper_content', { file_id }))).not.toContain('Not a word of this')
  }
})

verifies('toolserver:rag:tenants', async () => {
  const { adminToken, url } = server.toolyard()
  const [acme, rival] = [await newTenant(server.toolyard()), await newTenant(server.toolyard())]
  await post({ id: 'secret-1', title: 'Secret Recipe', abstract: 'Cinnamon and quicksilver.' }, acme.key)
  await post({ id: '2302.13971v1', title: 'My Own Notes', abstract: 'On LLaMA.' }, acme.key)
  const ask = (path: string, key: string, method = 'GET') =>
    fetch(`${url}/v1/papers/${path}`, { method, headers: { Authorization: `Bearer ${key}` } })
  const [ours, theirs] = [await server.as(acme.key).task(), await server.as(rival.key).task()]

  expect(await ours.done('rag_get_paper_content', { file_id: '2302.13971v1' })).toMatchObject({ title: 'My Own Notes' })
  expect(await theirs.done('rag_get_paper_content', { file_id: '2302.13971v1' })).toMatchObject({ title: 'LLaMA' })
  expect(await theirs.failure('rag_get_paper_content', { file_id: 'secret-1' })).toMatch(/^Paper not found/)
  expect(await theirs.done('rag_search_abstracts', { query: 'quicksilver cinnamon' })).toMatchObject({ results: [] })
  expect((await ask('secret-1', rival.key)).status).toBe(404)
  expect((await ask('secret-1', rival.key, 'DELETE')).status).toBe(404)
  expect((await ask('2005.14165v4', rival.key, 'DELETE')).status).toBe(404)
  await post({ id: 'secret-1', title: 'Overwritten', abstract: 'By another.' }, rival.key)
  expect(await (await ask('secret-1', acme.key)).json()).toMatchObject({ title: 'Secret Recipe' })

  const list = await fetch(`${url}/v1/papers`, { headers: { Authorization: `Bearer ${rival.key}` } })
  expect(await list.json()).toMatchObject({
    data: [{ file_id: 'secret-1', title: 'Overwritten' }],
    next_cursor: null,
  })

  for (const key of [acme.key, 'ty_no_such', '']) {
    const refused = await ask('2005.14165v4?corpus=public', key, 'DELETE')
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('only the owner') },
    })
  }
  const open = await fetch(`${url}/v1/papers?corpus=public`, { method: 'POST', body: '{"id":"x","title":"y"}' })
  expect(open.status).toBe(403)
  expect((await ask('2005.14165v4?corpus=public', adminToken)).status).toBe(200)
  expect((await ask('secret-1?corpus=public', adminToken)).status).toBe(404)
  const headers = { Authorization: `Bearer ${adminToken}` }
  const body = '{"id": "short-lived", "title": "Short-lived"}'
  const put = await fetch(`${url}/v1/papers?corpus=public`, { method: 'POST', headers, body })
  expect(put.status).toBe(201)
  expect((await ask('short-lived', rival.key)).status).toBe(200)
  expect((await ask('short-lived?corpus=public', adminToken, 'DELETE')).status).toBe(204)
  expect((await ask('short-lived', rival.key)).status).toBe(404)
})

verifies('toolserver:rag:remote', async () => {
  const query = { task_id: 'remote', task_name: 'test' }
  await fetch(`${behind.url}/api/task/create?${new URLSearchParams(query)}`, { method: 'POST' })
  const call = async (url: string, tool_name: string, params: object) => {
    const body = JSON.stringify({ task_id: 'remote', tool_name, params })
    const headers = { 'Content-Type': 'application/json' }
    return (await (await fetch(`${url}/api/tool/execute`, { method: 'POST', headers, body })).json()) as {
      data: Record<string, unknown>
      error: string | null
    }
  }
  await server.create(query)
  const file_id = '2017.03762v7'
  for (const [tool, params] of [
    ['rag_search_abstracts', { query: 'attention', m: 2 }],
    ['rag_search_abstracts_filtered', { query: 'language', publish_year_filter: '2023' }],
    ['rag_search_details', { query: 'multi-head', file_id }],
    ['rag_get_paper_content', { file_id }],
    ['rag_get_paper_chunks', { file_id }],
    ['rag_get_specific_content', { file_id, doc_ids: ['chunk_001'] }],
    ['rag_health_check', {}],
    ['rag_service_info', {}],
  ] as const) {
    const remote = await call(behind.url, tool, params)
    expect(remote.error).toBeNull()
    expect(remote.data).toEqual((await call(server.url(), tool, params)).data)
  }
  expect((await call(behind.url, 'rag_get_paper_content', { file_id: 'none' })).error).toMatch(/^Paper not found: none/)
  const put = await fetch(`${behind.url}/v1/papers`, { method: 'POST', body: '{"id":"x","title":"y"}' })
  expect({ status: put.status, body: await put.json() }).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('RAG_SERVICE_URL') },
  })
})

verifies('toolserver:rag:remote-errors', async () => {
  await fetch(`${beforeOdd.url}/api/task/create?task_id=odd&task_name=odd`, { method: 'POST' })
  const call = async (tool_name = 'rag_get_paper_content', params: object = { file_id: 'x' }) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ task_id: 'odd', tool_name, params })
    const response = await fetch(`${beforeOdd.url}/api/tool/execute`, { method: 'POST', headers, body })
    const text = await response.text()
    expect(text).not.toMatch(/secret-of-the-operator|127\.0\.0\.1:\d|a page of the proxy/)
    return JSON.parse(text) as { success: boolean; data: unknown; error: string }
  }
  const envelope = (more: object) => jsonAnswer({ success: false, data: null, error: null, ...more })

  asOdd = () => envelope({ success: true, data: { anything: ['goes', 1] } })
  expect(await call()).toMatchObject({ success: true, data: { anything: ['goes', 1] } })
  expect(odd.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/k/secret-of-the-operator/api/tool/execute',
    body: JSON.stringify({ task_id: 'toolyard_papers', tool_name: 'rag_get_paper_content', params: { file_id: 'x' } }),
  })
  asOdd = ({ url }) => envelope({ error: `no luck at http://${odd.host}${url.pathname}` })
  expect((await call()).error).toMatch(/^no luck at/)
  asOdd = () => jsonAnswer({ detail: 'Tool rag_get_paper_content not found' }, 404)
  expect((await call()).error).toMatch(/^the paper service \(RAG_SERVICE_URL\) has no rag_get_paper_content/)
  asOdd = () => ({ status: 200, body: '<html>a page of the proxy</html>' })
  expect((await call()).error).toMatch(/not understood/)
  asOdd = () => ({ status: 502, body: 'a page of the proxy' })
  expect((await call()).error).toMatch(/status 502/)
  asOdd = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } })
  expect((await call()).error).toMatch(/status 302/)
  asOdd = () => ({ body: Buffer.alloc(17 * 1024 * 1024, ' ') })
  expect((await call()).error).toMatch(/MAX_PAPER_ANSWER_BYTES/)
  asOdd = () => ({ status: 500 })
  expect(await call('rag_health_check', {})).toMatchObject({ data: { status: 'unhealthy' } })
  asOdd = ({ path }) => jsonAnswer(path.endsWith('/health') ? {} : { success: true, data: ['rag_get_stats'] })
  expect(await call('rag_health_check', {})).toMatchObject({
    data: { status: 'degraded', missing: expect.arrayContaining(['rag_search_details']) },
  })
})

verifies('toolserver:published:papers', async () => {
  for (const url of [server.url(), behind.url]) {
    for (const id of ['rag_test', 'rag_demo']) {
      await fetch(`${url}/api/task/create?task_id=${id}&task_name=test`, { method: 'POST' })
    }
    const ran = async (name: CommandName) => {
      const { success, data, error } = await printed(name, url)
      expect({ name, success, error }).toEqual({ name, success: true, error: null })
      return data
    }
    expect(await ran('rag_health_check')).toMatchObject({ status: 'healthy' })
    expect(await ran('rag_get_stats')).toMatchObject({ papers: 3 })
    expect(await ran('rag_search_abstracts')).toMatchObject({ k: 20, m: 10, results: [{ file_id: '1706.03762v7' }] })
    expect(await ran('rag_search_abstracts_filtered')).toMatchObject({ results: [{ publish_year: '2023' }] })
    expect(await ran('rag_search_details')).toMatchObject({ k: 15, m: 5, file_id: expect.any(String) })
    expect(await ran('rag_get_paper_content')).toMatchObject({ title: 'Attention Is All You Need' })
    expect(await ran('rag_get_paper_chunks')).toMatchObject({ chunk_count: 2 })
    expect(await ran('rag_get_specific_content')).toMatchObject({ contents: [{}, {}], missing: [] })
    expect(await ran('rag_cache_stats')).toMatchObject({ size: expect.any(Number) })
    expect(await ran('rag_cache_clear')).toMatchObject({ cleared: expect.any(Number) })
    expect(await ran('rag_service_info')).toMatchObject({ version: expect.any(String) })
    expect(await ran('two_steps_search')).toMatchObject({ results: [{ file_id: '1706.03762v7' }] })
    expect(await ran('two_steps_details')).toMatchObject({ results: [{ doc_id: 'chunk_002' }, {}] })
  }
})
