import { describe, expect, it } from 'vitest'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { providerBench, refusedBy } from '../support/provider-bench.ts'
import { type ArxivStandIn, paper } from './arxiv-stand-ins.ts'

const { signal } = new AbortController()
const search = ({ arxiv }: OutsidePorts, query = 'a b', count = 3) => arxiv.search(query, count, signal)

/** What every {@link OutsidePorts.arxiv} does, in front of a stand-in for its service. */
export function arxivContract({ name, provider, settings, answer, expectedPath }: ArxivStandIn): void {
  describe(`papers of arXiv by ${name}`, () => {
    it('are asked for as the service wants it, and come in its order, each with its fields on one line', async () => {
      const { outside, service, providerName } = await providerBench(settings, answer)
      expect(providerName('arxiv')).toBe(provider)
      expect(await search(outside)).toEqual([paper(0), paper(1), paper(2)])
      expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${expectedPath}`])
    })

    it('are as many as are wanted, and may be none', async () => {
      const { outside } = await providerBench(settings, answer)
      expect(await search(outside, 'a b', 1)).toEqual([paper(0)])
      expect(await search(outside, 'none')).toEqual([])
      const many = await providerBench(settings, (request) => {
        const url = new URL(request.url)
        url.searchParams.set('max_results', '9')
        return answer({ ...request, url })
      })
      expect(await search(many.outside)).toHaveLength(3)
    })

    it('of a query that the service does not take are not an empty list: what to write is said', async () => {
      const { outside } = await providerBench(settings, answer)
      expect(await failureOf(search(outside, 'ti:('))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/malformed query; use plain words$/),
      })
    })

    it('that cannot be had are said to, with what to do', async () => {
      const refused = refusedBy(settings, search)
      expect(await refused(429)).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining(name) })
      expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
      expect(await refused(302)).toMatchObject({ code: 'upstream' })
      expect(await refused(200, 'odd')).toMatchObject({
        code: 'upstream',
        message: expect.stringContaining('not understood'),
      })
    })
  })
}
