import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'
import {
  jsonAnswer,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../support/stand-in.ts'
import { COMMANDS } from './published-commands.ts'
import { aToolServer, verifies } from './support.ts'

let github: StandIn | undefined
let site: StandIn | undefined
let serper: StandIn | undefined
let openAlex: StandIn | undefined
const server = aToolServer(async () => {
  github = await startStandIn(asGitHub)
  site = await startStandIn(asSite)
  serper = await startStandIn(asSerper)
  openAlex = await startStandIn(asOpenAlex)
  return {
    vars: {
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: 'token-of-the-operator',
      DANGEROUSLY_ALLOW_HOSTS: site.host,
      SERPER_BASE_URL: serper.url,
      SERPER_API_KEY: 'key-of-the-operator',
      OPENALEX_BASE_URL: openAlex.url,
      SCHOLAR_PROVIDER: 'openalex',
    },
  }
})
afterAll(async () => {
  await Promise.all([github, site, serper, openAlex].map((standIn) => standIn?.stop()))
})

const lastOf = (standIn: StandIn | undefined) => standIn?.requests.at(-1)

const REPOSITORY = {
  name: 'vscode',
  full_name: 'microsoft/vscode',
  description: 'An editor',
  html_url: 'https://github.com/microsoft/vscode',
  clone_url: 'https://github.com/microsoft/vscode.git',
  ssh_url: 'git@github.com:microsoft/vscode.git',
  stargazers_count: 160_000,
  forks_count: 28_000,
  watchers_count: 160_000,
  language: 'TypeScript',
  created_at: '2015-09-03T20:23:38Z',
  updated_at: '2026-11-01T00:00:00Z',
  pushed_at: '2026-11-02T00:00:00Z',
  size: 900_000,
  default_branch: 'main',
  owner: { login: 'microsoft', id: 1, avatar_url: 'https://avatars/1', html_url: 'https://github.com/microsoft' },
  license: { key: 'mit', name: 'MIT License' },
  topics: ['editor'],
  archived: false,
  disabled: false,
  private: false,
  homepage: null,
  has_issues: true,
  has_projects: true,
  has_wiki: true,
  has_pages: false,
  open_issues_count: 7,
  network_count: 28_000,
  subscribers_count: 3_000,
}

const SHOWN = {
  name: 'vscode',
  full_name: 'microsoft/vscode',
  description: 'An editor',
  html_url: 'https://github.com/microsoft/vscode',
  clone_url: 'https://github.com/microsoft/vscode.git',
  ssh_url: 'git@github.com:microsoft/vscode.git',
  stars: 160_000,
  forks: 28_000,
  watchers: 160_000,
  language: 'TypeScript',
  created_at: '2015-09-03T20:23:38Z',
  updated_at: '2026-11-01T00:00:00Z',
  pushed_at: '2026-11-02T00:00:00Z',
  size: 900_000,
  default_branch: 'main',
  owner: { login: 'microsoft', avatar_url: 'https://avatars/1', html_url: 'https://github.com/microsoft' },
  license: 'MIT License',
  topics: ['editor'],
  archived: false,
  disabled: false,
  private: false,
}

function asGitHub({ url, headers }: StandInRequest): StandInAnswer {
  if (headers.authorization === 'Bearer wrong') return jsonAnswer({ message: 'Bad credentials' }, 401)
  if (headers.authorization === 'Bearer used-up') {
    const reset = `${Math.ceil(Date.now() / 1000) + 600}`
    return jsonAnswer({ message: 'no' }, 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })
  }
  if (headers.authorization === 'Bearer too-fast') return jsonAnswer({ message: 'no' }, 429, { 'retry-after': '30' })
  if (headers.authorization === 'Bearer powerless') return jsonAnswer({ message: 'no' }, 403)
  if (url.pathname === '/repos/microsoft/vscode') return jsonAnswer(REPOSITORY)
  if (url.pathname === '/repos/microsoft/old') return jsonAnswer({}, 301, { location: '/repos/microsoft/vscode' })
  if (url.pathname === '/search/repositories') {
    if (url.searchParams.get('q') === 'bad in:name') return jsonAnswer({ message: 'Validation Failed' }, 422)
    if (url.searchParams.get('q') === 'broken in:name') return jsonAnswer({ message: 'secret detail' }, 502)
    const bare = { ...REPOSITORY, description: null, language: null, license: null }
    return jsonAnswer({ total_count: 2, incomplete_results: false, items: [REPOSITORY, bare] })
  }
  return jsonAnswer({ message: 'Not Found' }, 404)
}

const ARTICLE = `<title>Article</title><article><p>${'A sentence of an article, with a comma. '.repeat(20)}</p></article>`

function asSite({ path, headers }: StandInRequest): StandInAnswer {
  const content = 'a,b\n1,2\n'
  switch (path) {
    case '/data.csv':
      return { headers: { 'content-length': `${content.length}` }, body: content }
    case '/moved':
      return { status: 302, headers: { location: '/data.csv' } }
    case '/inward':
      return { status: 302, headers: { location: `http://${headers.host?.replace(/:.*/, ':1')}/` } }
    case '/chunked':
      return (response) => {
        response.writeHead(200, {
          'content-disposition': `attachment; filename="x"; filename*=UTF-8''..%2F..%2Fna%C3%AFve%20%22x%22.csv`,
        })
        response.write('a,b\n')
        response.end('1,2\n')
      }
    case '/large':
      return { headers: { 'content-length': `${20_000_000}` }, body: Buffer.alloc(20_000_000, 'x') }
    case '/article':
      return { headers: { 'content-type': 'text/html' }, body: ARTICLE }
    default:
      return { status: 404, body: 'secret page' }
  }
}

function asSerper({ body }: StandInRequest): StandInAnswer {
  const { q, num, page } = JSON.parse(body) as { q: string; num: number; page: number }
  if (q === 'nothing') return jsonAnswer({ organic: [] })
  if (q === 'refused') return jsonAnswer({ message: 'Unauthorized: key-of-the-operator' }, 403)
  const organic = Array.from({ length: Math.min(num, 30) }, (_, at) => ({
    title: `Result ${page}.${at}`,
    link: `https://example.com/${page}/${at}`,
    snippet: `About ${q}`,
    position: at,
  }))
  return jsonAnswer({ organic })
}

function asOpenAlex({ url }: StandInRequest): StandInAnswer {
  const page = Number(url.searchParams.get('page'))
  const query = url.searchParams.get('search')
  if (query === 'nothing') return jsonAnswer({ results: [] })
  if (query === 'half' && page === 2) return jsonAnswer({}, 503)
  const results = [
    {
      id: `https://openalex.org/W${page}`,
      display_name: `Paper ${page} on ${query}`,
      publication_year: 2021,
      cited_by_count: 5,
      authorships: [{ author: { display_name: 'Ada Lovelace' } }],
      primary_location: { landing_page_url: `https://papers.example/${page}`, source: { display_name: 'Notes' } },
      abstract_inverted_index: { It: [0], works: [1] },
    },
  ]
  return jsonAnswer({ results })
}

verifies('toolserver:google_search:answer', async () => {
  const task = await server.task()
  const before = await task.done('dir_list', { recursive: true })
  const data = await task.done('google_search', { query: 'cats', num_results: '3' })
  expect(data).toEqual({
    query: 'cats',
    results: [0, 1, 2].map((at) => ({
      title: `Result 1.${at}`,
      url: `https://example.com/1/${at}`,
      description: 'About cats',
    })),
    total_results: 3,
  })
  expect(await task.done('google_search', { query: 'cats' })).toMatchObject({ total_results: 50 })
  expect(await task.done('google_search', { query: 'nothing' })).toEqual({
    query: 'nothing',
    results: [],
    total_results: 0,
  })
  expect(await task.done('dir_list', { recursive: true })).toEqual(before)
})

verifies('toolserver:google_search:errors', async () => {
  const task = await server.task()
  expect(await task.failure('google_search', { query: '' })).toBe('query is required')
  const refused = await task.failure('google_search', { query: 'refused' })
  expect(refused).toBe('Serper does not let this server in; do without it')
  expect(await task.read(`logs/${task.id}_detail.log`)).not.toContain('key-of-the-operator')
})

verifies('toolserver:scholar:answer', async () => {
  const task = await server.task()
  const params = { query: 'deep-learning: a "survey"', output_dir: 'papers', pages: 2, year_low: 2020 }
  const data = await task.done('google_scholar_search', params)
  const paper = (page: number) => ({
    title: `Paper ${page} on ${params.query}`,
    url: `https://papers.example/${page}`,
    authors: 'Ada Lovelace - Notes',
    year: 2021,
    abstract: 'It works',
    cited_by: 5,
    pdf_url: null,
  })
  expect(data).toEqual({
    query: params.query,
    pages: 2,
    year_low: 2020,
    year_high: null,
    output_dir: 'upload/papers',
    markdown_file: 'upload/papers/deep_learning_a_survey_2020-end.md',
    filename: 'deep_learning_a_survey_2020-end.md',
    source: 'OpenAlex',
    results: [paper(1), paper(2)],
  })
  const [head, first, second] = String(await task.read(String(data.markdown_file))).split(/\n(?=# )/)
  expect(head).toBe(`# Google Scholar 搜索结果: ${params.query}\n\nSource: OpenAlex\n`)
  expect(first).toMatch(/^# 第 1 页结果\n\n## \[Paper 1 .*\]\(https:\/\/papers\.example\/1\)\n[\s\S]*\n---\n$/)
  expect(second).toMatch(/^# 第 2 页结果\n/)
  expect(await task.done('google_scholar_search', { query: '深度学习' })).toMatchObject({
    markdown_file: 'upload/scholar_results/深度学习.md',
  })
})

verifies('toolserver:scholar:errors', async () => {
  const task = await server.task()
  expect(await task.failure('google_scholar_search', { query: 'nothing' })).toMatch(/^未获取到任何 Scholar 搜索结果/)
  expect(await task.failure('google_scholar_search', { query: 'x', output_dir: '../../x' })).toMatch(/task/)
  const half = await task.done('google_scholar_search', { query: 'half', pages: 3 })
  expect(half).toMatchObject({ results: [{}], notes: [expect.stringMatching(/^page 2 and what follows are missing/)] })
})

verifies('toolserver:github_search:answer', async () => {
  const task = await server.task()
  const data = await task.done('github_search_repositories', { query: 'vs code', per_page: '20' })
  expect(data).toEqual({
    total_count: 2,
    incomplete_results: false,
    current_page: 1,
    per_page: 20,
    query: 'vs code',
    sort: 'stars',
    order: 'desc',
    repositories: [SHOWN, { ...SHOWN, description: '', language: '', license: '' }],
  })
  expect(Object.fromEntries(lastOf(github)?.url.searchParams ?? [])).toEqual({
    q: 'vs code in:name',
    sort: 'stars',
    order: 'desc',
    per_page: '20',
    page: '1',
  })
  await task.done('github_search_repositories', { query: 'x', sort: 'forks', order: 'asc', per_page: 500, page: 3 })
  expect(lastOf(github)?.path).toContain('sort=forks&order=asc&per_page=100&page=3')
})

verifies('toolserver:github:token', async () => {
  const task = await server.task()
  await task.done('github_get_repository_info', { full_name: 'microsoft/vscode' })
  expect(lastOf(github)?.headers.authorization).toBe('Bearer token-of-the-operator')
  await task.done('github_get_repository_info', { full_name: 'microsoft/vscode', token: 'token-of-the-call' })
  expect(lastOf(github)?.headers.authorization).toBe('Bearer token-of-the-call')
  await task.done('github_get_repository_info', { full_name: 'microsoft/vscode' })
  expect(lastOf(github)?.headers.authorization).toBe('Bearer token-of-the-operator')
  const logs = [await task.read(`logs/${task.id}_process.log`), await task.read(`logs/${task.id}_detail.log`)].join()
  expect(logs).toContain('github_get_repository_info')
  expect(logs).not.toMatch(/token-of-the/)
})

verifies('toolserver:github:errors', async () => {
  const task = await server.task()
  const search = (query: string, token?: string) => task.failure('github_search_repositories', { query, token })
  expect(await search('bad')).toBe('GitHub search error: Invalid search query: bad in:name')
  expect(await search('broken')).toBe('GitHub search error: GitHub API error: 502; try again later')
  expect(await search('x', 'wrong')).toMatch(/^GitHub search error: GitHub authentication failed: the token is wrong/)
  expect(await search('x', 'powerless')).toMatch(/^GitHub search error: GitHub refuses this: the token has no right/)
  expect(await search('x', 'used-up')).toMatch(
    /^GitHub search error: GitHub API rate limit exceeded; try again in (?:59\d|60\d) seconds, at \d{4}-\d\d-\d\dT[\d:]+Z$/,
  )
  expect(await search('x', 'too-fast')).toMatch(/try again in 30 seconds/)
  expect(await search('')).toBe('query is required')
})

verifies('toolserver:github_info:answer', async () => {
  const task = await server.task()
  const details = {
    ...SHOWN,
    homepage: '',
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    open_issues_count: 7,
    network_count: 28_000,
    subscribers_count: 3_000,
  }
  for (const full_name of ['microsoft/vscode', 'https://github.com/microsoft/vscode.git', 'microsoft/old']) {
    expect(await task.done('github_get_repository_info', { full_name })).toEqual(details)
  }
})

verifies('toolserver:github_info:errors', async () => {
  const task = await server.task()
  const info = (full_name: string) => task.failure('github_get_repository_info', { full_name })
  expect(await info('no/such')).toMatch(/^GitHub repository info error: Repository not found: no\/such/)
  for (const name of ['vscode', 'a/b/c', '../x', 'a/..', 'a b/c', 'a/b?c', 'a/b#c', 'a/%2e%2e']) {
    expect(await info(name)).toMatch(/^full_name must be "owner\/repo"/)
  }
})

verifies('toolserver:download_from_url:answer', async () => {
  const task = await server.task()
  const download = (path: string, save_path: string) =>
    task.done('download_file_from_url', { download_url: `${site?.url}${path}`, save_path })
  expect(await download('/data.csv', 'upload/new/data.csv')).toEqual({
    downloaded_file: 'upload/new/data.csv',
    file_size: 8,
  })
  expect(await task.read('upload/new/data.csv')).toBe('a,b\n1,2\n')
  expect(await download('/moved', '/upload/')).toEqual({ downloaded_file: 'upload/data.csv', file_size: 8 })
  expect(await download('/chunked', 'upload')).toMatchObject({ downloaded_file: 'upload/naïve _x_.csv', file_size: 8 })
  expect(await download('/large', 'large.bin')).toEqual({ downloaded_file: 'large.bin', file_size: 20_000_000 })
  const whole = await server.request(`/api/download/${task.id}/large.bin`)
  expect((await whole.arrayBuffer()).byteLength).toBe(20_000_000)
})

verifies('toolserver:download_from_url:errors', async () => {
  const task = await server.task()
  const failure = (download_url: string, save_path = 'x') =>
    task.failure('download_file_from_url', { download_url, save_path })
  expect(await failure(`${site?.url}/none`)).toBe(`${site?.host} answered 404 and no file; check download_url`)
  expect(await failure(`${site?.url}/data.csv`, '../x')).toMatch(/leaves|outside|climb|task/i)
  expect(await failure(`${site?.url}/inward`)).toMatch(/127.0.0.1 is loopback/)
  expect(await failure('http://169.254.169.254/')).toMatch(/link-local/)
  expect(await task.done('dir_list', {})).not.toMatchObject({
    tree: { children: expect.arrayContaining([expect.objectContaining({ name: 'x' })]) },
  })
})

const shell = promisify(execFile)

verifies('toolserver:published:web', async () => {
  await server.create({ task_id: 'my_task', task_name: 'test' })
  await server.create({ task_id: 'github_test', task_name: 'test' })
  const printed = async (name: keyof typeof COMMANDS) => {
    const { stdout } = await shell('bash', ['-c', COMMANDS[name].replaceAll('http://localhost:8001', server.url())])
    return JSON.parse(stdout)
  }
  // The page is not in the internet; all else of the command is as printed.
  const crawl = COMMANDS.crawl_page.replace('https://example.com/article', `${site?.url}/article`)
  const { stdout } = await shell('bash', ['-c', crawl.replaceAll('http://localhost:8001', server.url())])
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    data: { output_dir: 'upload/crawled_pages', markdown_file: 'upload/crawled_pages/content.md' },
  })
  expect(await printed('google_search')).toMatchObject({
    success: true,
    data: { query: 'machine learning tutorials', total_results: 20 },
  })
  expect(await printed('google_scholar_search')).toMatchObject({
    success: true,
    data: { pages: 2, markdown_file: 'upload/scholar_dl/deep_learning_2020-2024.md', results: [{}, {}] },
  })
  expect(await printed('github_search_repositories')).toMatchObject({
    success: true,
    data: { total_count: 2, current_page: 1, per_page: 20, query: 'machine learning', sort: 'stars', order: 'desc' },
  })
  expect(lastOf(github)?.headers.authorization).toBe('Bearer your_github_token')
  expect(await printed('github_get_repository_info')).toMatchObject({
    success: true,
    data: { full_name: 'microsoft/vscode', stars: 160_000 },
  })
})

verifies('toolserver:infiagent:saved', async () => {
  const task = await server.task()
  const found = await task.done('web_search', { query: 'cats', max_results: 2, save_path: 'temp/web_search/cats.md' })
  expect(found).toEqual({ query: 'cats', total_results: 2, save_path: 'temp/web_search/cats.md' })
  expect(await task.read('temp/web_search/cats.md')).toBe(
    '# cats\n\n## 1. [Result 1.0](https://example.com/1/0)\n\nAbout cats\n\n## 2. [Result 1.1](https://example.com/1/1)\n\nAbout cats\n',
  )
  const save_path = 'temp/scholar_search/deep.md'
  const scholar = await task.done('google_scholar_search', { query: 'deep', pages: 1, save_path })
  expect(scholar).toMatchObject({ markdown_file: save_path, source: 'OpenAlex' })
  expect(await task.read(save_path)).toMatch(/^# Google Scholar 搜索结果: deep\n/)
  await task.done('file_download', { url: `${site?.url}/data.csv`, save_path: 'upload/d.csv' })
  expect(await task.read('upload/d.csv')).toBe('a,b\n1,2\n')
})
