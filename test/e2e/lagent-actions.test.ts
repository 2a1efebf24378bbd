import { afterAll, describe, expect, it } from 'vitest'
import { aToolServer } from '../dialects/toolserver/support.ts'
import { png } from '../support/images.ts'
import { jsonAnswer, type StandIn, type StandInRequest, startStandIn } from '../support/stand-in.ts'

/** The services that Lagent's actions ask, and a site, all on one host. */
function aWorld({ url, body, headers }: StandInRequest) {
  switch (url.pathname) {
    case '/api/query':
      return {
        body: '<feed><entry><id>x</id><updated>2023-08-02T00:41:18Z</updated><title>Attention</title><summary>S</summary><author><name>A</name></author></entry></feed>',
      }
    case '/maps/Locations':
      return jsonAnswer({
        resourceSets: [{ resources: [{ point: { coordinates: [52.5, 13.4] }, key: url.searchParams.get('key') }] }],
      })
    case '/search.json':
      return jsonAnswer({ profiles: [{ author_id: 'LSsXyncAAAAJ' }] })
    case '/search': {
      const { q } = JSON.parse(body)
      return jsonAnswer({ organic: [{ title: 'T', link: `http://${headers.host}/page`, snippet: `about ${q}` }] })
    }
    case '/page':
      return {
        headers: { 'content-type': 'text/html' },
        body: `<main><p>${'the text of the page '.repeat(20)}</p></main>`,
      }
    case '/image':
      return { body: png(30, 20) }
    default:
      return { status: 404 }
  }
}

let world: StandIn | undefined
const server = aToolServer(async () => {
  world = await startStandIn(aWorld)
  return {
    vars: {
      ARXIV_BASE_URL: world.url,
      BING_MAP_BASE_URL: `${world.url}/maps`,
      SERPAPI_BASE_URL: world.url,
      SERPAPI_API_KEY: 'key-of-the-operator',
      SERPER_BASE_URL: world.url,
      SERPER_API_KEY: 'key-of-the-operator',
      SEARCH_PROVIDER: 'serper',
      DANGEROUSLY_ALLOW_HOSTS: world.host,
    },
  }
})
afterAll(() => world?.stop())

describe("Lagent's actions on a whole server", () => {
  it('ask arXiv, Google Scholar and the search that is set up', async () => {
    const task = await server.task()
    expect(await task.done('arxiv_search', { query: 'attention' })).toEqual({
      content: 'Published: 2023-08-02\nTitle: Attention\nAuthors: A\nSummary: S',
    })
    expect(await task.done('scholar_author_id', { mauthors: 'Hinton' })).toEqual({ author_id: 'LSsXyncAAAAJ' })
    expect(await task.done('google_snippets', { query: 'x' })).toEqual({ snippets: ['about x'] })
  })

  it("ask maps with the tenant's own key", async () => {
    const task = await server.task()
    const call = { tool: 'map_coordinates', args: { location: 'Berlin' } }
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(call) }
    expect(await task.failure(call.tool, call.args)).toBe('maps are not available on this server; do without them')
    const answer = await server.json(`/v1/sessions/${task.id}/calls`, request)
    expect(answer).toMatchObject({ body: { error: { message: expect.stringContaining('BING_MAP_KEY') } } })
    const put = { method: 'PUT', headers, body: '{"value":"key-of-the-tenant"}' }
    expect((await server.request('/v1/secrets/BING_MAP_KEY', put)).ok).toBe(true)
    expect(await task.done('map_coordinates', { location: 'Berlin' })).toEqual({ latitude: 52.5, longitude: 13.4 })
    expect(world?.requests.at(-1)?.url.searchParams.get('key')).toBe('key-of-the-tenant')
  })

  it('browse, with results that stay between calls', async () => {
    const task = await server.task()
    const found = await task.done('browser_search', { query: ['x'] })
    expect(found).toEqual({ 0: { url: `${world?.url}/page`, summ: 'about x', title: 'T' } })
    const { 0: read } = await task.done('browser_select', { select_ids: [0] })
    expect(read).toMatchObject({ content: expect.stringContaining('the text of the page') })
    const other = await server.task()
    expect(await other.failure('browser_select', { select_ids: [0] })).toMatch(/^No search results to select from\./)
  })

  it('make a presentation that is whole, in the sandbox too', async () => {
    const task = await server.task()
    await task.done('ppt_create_file', { theme: 'Default', abs_location: '/talk.pptx' })
    await task.done('ppt_add_first_page', { title: '演示文稿', subtitle: 'S' })
    const page = { title: 'T', bullet_items: 'one[SPAN]two', image: `${world?.url}/image` }
    await task.done('ppt_add_text_image_page', page)
    const unpacked = await task.done('execute_shell', {
      command: `python3 -c "import zipfile; z = zipfile.ZipFile('talk.pptx'); print(z.testzip(), len(z.namelist()))"`,
      workdir: '.',
    })
    expect(unpacked.stdout).toMatch(/^None \d+\n$/)
    await task.done('ppt_add_text_page', { title: 'After the sandbox saw it', bullet_items: 'x' })
    expect(await task.done('ppt_submit_file')).toEqual({ status: 'submitted. view ppt at /talk.pptx' })
    expect(await task.done('parse_document', { file_path: 'talk.pptx' })).toMatchObject({
      content: expect.stringContaining('* one\n* two'),
      metadata: { slides: 3 },
    })
  })

  it('run Python, and use the files of the task', async () => {
    const task = await server.task()
    await task.done('file_write', { file_path: 'n.txt', content: '41' })
    await task.done('ipython_run', { command: 'n = int(open("n.txt").read())' })
    expect(await task.done('ipython_run', { command: 'n + 1' })).toEqual({ result: [{ type: 'text', content: '42' }] })
    const command = 'def solution():\n    return int(open("n.txt").read()) + 1'
    expect(await task.done('python_solution', { command })).toEqual({ answer: '42' })
  })
})
