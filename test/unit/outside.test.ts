import { describe, expect, it } from 'vitest'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'

const { signal } = new AbortController()
const search = ({ search: port }: OutsidePorts, count = 50) => port.search('a b', count, signal)
describe('which search is asked', () => {
  const all = {
    SERPER_API_KEY: KEY,
    GOOGLE_SEARCH_API_KEY: KEY,
    GOOGLE_SEARCH_ENGINE_ID: 'c',
    BRAVE_API_KEY: KEY,
    SEARXNG_URL: '',
  }
  const path = async (settings: Record<string, string>) => {
    const { outside, service } = await providerBench(settings, () => jsonAnswer({}))
    await search(outside)
    return service.requests[0]?.url.pathname
  }

  it('is the first that is set up, or the one that is named', async () => {
    expect(await path(all)).toBe('/search')
    expect(await path({ ...all, SEARCH_PROVIDER: 'google' })).toBe('/customsearch/v1')
    expect(await path({ ...all, SEARCH_PROVIDER: 'brave' })).toBe('/res/v1/web/search')
    expect(await path({ BRAVE_API_KEY: KEY, SEARXNG_URL: '' })).toBe('/res/v1/web/search')
  })

  it('is none where none is set up, and the answer names what to set', async () => {
    for (const settings of [{}, { GOOGLE_SEARCH_API_KEY: KEY }, { SEARCH_PROVIDER: 'brave', SERPER_API_KEY: KEY }]) {
      const { outside } = await providerBench(settings, () => jsonAnswer({}))
      expect((await failureOf(search(outside))).message).toMatch(
        /SERPER_API_KEY.*GOOGLE_SEARCH_API_KEY.*GOOGLE_SEARCH_ENGINE_ID.*BRAVE_API_KEY.*SEARXNG_URL/,
      )
    }
  })
})

describe('papers of another service', () => {
  const query = { query: 'a', k: 10, m: 5 }
  const answered = (more: object) => jsonAnswer({ success: true, data: {}, error: null, ...more })

  it('are asked for by the protocol of tool proxies, in a task that is made when there is none', async () => {
    let isThere = false
    const { outside, service } = await providerBench({ RAG_SERVICE_URL: '' }, ({ url }) => {
      if (url.pathname === '/api/task/create') isThere = true
      if (isThere) return answered({ data: { results: [] } })
      return answered({ success: false, error: 'Task toolyard_papers not found' })
    })
    expect(await outside.papers.searchAbstracts({ ...query, year: '2023' }, signal)).toEqual({ results: [] })
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/tool/execute',
      'POST /api/task/create?task_id=toolyard_papers&task_name=Paper+searches',
      'POST /api/tool/execute',
    ])
    expect(JSON.parse(service.requests[2]?.body ?? '')).toEqual({
      task_id: 'toolyard_papers',
      tool_name: 'rag_search_abstracts_filtered',
      params: { query: 'a', k: 10, m: 5, publish_year_filter: '2023' },
    })
  })

  it('that cannot be reached are said to, and health says so without failing', async () => {
    const { outside, service } = await providerBench({ RAG_SERVICE_URL: '' }, () => answered({}))
    await service.stop()
    expect(await failureOf(outside.papers.stats(signal))).toEqual({
      code: 'upstream',
      message: 'the paper service (RAG_SERVICE_URL) cannot be reached; try again later',
    })
    expect(await outside.papers.health(signal)).toMatchObject({ status: 'unhealthy' })
  })

  it('tell a paper that is not there from a call that is wrong and from a service that fails', async () => {
    const failing = async (error: string) =>
      failureOf(
        (await providerBench({ RAG_SERVICE_URL: '' }, () => answered({ success: false, error }))).outside.papers.paper(
          'x',
          signal,
        ),
      )
    expect(await failing('Paper not found: x')).toEqual({ code: 'not_found', message: 'Paper not found: x' })
    expect(await failing('query is required')).toMatchObject({ code: 'invalid_input' })
    expect(await failing(`boom\n  at line 3 of ${KEY}`)).toEqual({ code: 'upstream', message: 'boom' })
    expect(await failing('')).toMatchObject({ message: expect.stringContaining('does not say why') })
  })
})
