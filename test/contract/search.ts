import { describe, expect, it } from 'vitest'
import type { Search } from '../../src/ports/search.ts'
import { KEY, providerBench, refusedBy } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'
import type { SearchStandIn } from './search-stand-ins.ts'

const { signal } = new AbortController()
const search = ({ search: port }: { readonly search: Search }, count = 50) => port.search('a b', count, signal)

export const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
export const result = (at: number) => ({ title: `T${at}`, url: `https://x.example/${at}`, description: `D${at}` })

/** What every {@link Search} does, in front of a stand-in for its service. */
export function searchContract(standIn: SearchStandIn): void {
  describe(`search by ${standIn.name}`, () => {
    const { name, settings, answer, expectedRequest, variable } = standIn
    it('asks as the service wants it, for as many pages as it takes', async () => {
      const bench = await providerBench(settings, answer)
      const { service, outside } = bench
      expect(bench.providerName('search')).toBe(standIn.provider)
      expect(await search(outside)).toEqual(numbers(0, 50).map(result))
      const [first] = service.requests
      expect({ method: first?.method, path: first?.path, body: first?.body }).toEqual({
        method: expectedRequest.method,
        path: expectedRequest.path,
        body: expectedRequest.body,
      })
      if (expectedRequest.header) expect(first?.headers[expectedRequest.header]).toBe(KEY)
      expect(service.requests.map(({ path }) => path).join()).not.toContain(KEY)
      expect(await search(outside, 3)).toHaveLength(3)
    })

    it('stops when a page brings nothing new, and takes no result for an answer', async () => {
      const { outside, service } = await providerBench(settings, (request) => {
        const again = new URL(request.url)
        for (const [key, value] of [
          ['start', '1'],
          ['offset', '0'],
          ['pageno', '1'],
        ] as const) {
          if (again.searchParams.has(key)) again.searchParams.set(key, value)
        }
        return answer({ ...request, url: again, body: request.body.replace(/"page":\d+/, '"page":1') })
      })
      expect((await search(outside, 100)).length).toBeGreaterThan(0)
      expect(service.requests.length).toBeLessThanOrEqual(2)
      const empty = await providerBench(settings, () => jsonAnswer({}))
      expect(await search(empty.outside)).toEqual([])
    })

    it('says what to do when it is refused, too fast, away or odd, and never the key', async () => {
      const refused = refusedBy(settings, search)
      expect(await refused(403)).toMatchObject({ code: 'upstream', message: expect.stringContaining(variable) })
      expect(await refused(429)).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining(name) })
      expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
      expect(await refused(302)).toMatchObject({ code: 'upstream' })
      expect(await refused(200, 'odd')).toMatchObject({ message: expect.stringContaining('not understood') })
      expect(JSON.stringify([await refused(403), await refused(500)])).not.toContain(KEY)
    })
  })
}
