import { describe, expect, it } from 'vitest'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench, refusedBy } from '../support/provider-bench.ts'
import type { GitHubStandIn } from './github-stand-ins.ts'

const { signal } = new AbortController()
const PAGE = { sort: 'stars', order: 'desc', perPage: 2, page: 3 } as const
const search = ({ github }: OutsidePorts, query = 'parser', token?: string) =>
  github.searchRepositories({ query, ...PAGE }, token, signal)

/** What every {@link OutsidePorts.github} does, in front of a stand-in for its service. */
export function githubContract({ name, provider, settings, answer, tooFast, tokenIn }: GitHubStandIn): void {
  const open = async () => (await providerBench(settings, answer)).outside

  describe(`repositories by ${name}`, () => {
    it('are found page by page, and may be none', async () => {
      const bench = await providerBench(settings, answer)
      expect(bench.providerName('github')).toBe(provider)
      const { repositories, ...page } = await search(bench.outside)
      expect(page).toEqual({ total_count: 5_000, incomplete_results: false })
      expect(repositories.map(({ full_name, stars }) => [full_name, stars])).toEqual([
        ['acme/r4', 7],
        ['acme/r5', 7],
      ])
      expect(await search(bench.outside, 'none')).toMatchObject({ total_count: 0, repositories: [] })
    })

    it('have all fields, where the service has none too', async () => {
      const [found] = (await search(await open())).repositories
      const fields = { description: '', language: '', license: '', forks: 0, archived: false, topics: ['text'] }
      expect(found).toMatchObject({ ...fields, owner: { login: 'acme', avatar_url: '', html_url: '' } })
    })

    it('are shown one by one, also by a name that they had; an unknown one is not there', async () => {
      const { github } = await open()
      for (const repository of ['acme/parser', 'acme/old']) {
        const shown = await github.repository(repository, undefined, signal)
        expect(shown).toMatchObject({ full_name: 'acme/parser', license: 'MIT', subscribers_count: 3, homepage: '' })
      }
      expect(await failureOf(github.repository('acme/none', undefined, signal))).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('acme/none'),
      })
    })

    it('are asked for with the token of the caller before that of the operator', async () => {
      const { outside, service } = await providerBench(settings, answer)
      await search(outside, 'parser', 'token-of-the-caller')
      await search(outside)
      expect(service.requests.map(tokenIn)).toEqual(['token-of-the-caller', KEY])
      expect(service.requests.map(({ path }) => path).join()).not.toMatch(/token-of|key-of/)
    })

    it('that cannot be had are said to, with what to do, and never the token', async () => {
      expect(await failureOf(search(await open(), 'in:'))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('in:'),
      })
      const limited = await failureOf(search((await providerBench(settings, () => tooFast(90))).outside))
      expect(limited).toMatchObject({
        code: 'limit_exceeded',
        message: expect.stringContaining('90 seconds'),
        data: { retry_after_seconds: 90, retry_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      })
      const refused = refusedBy(settings, search)
      expect(await refused(401)).toMatchObject({ code: 'forbidden', message: expect.stringContaining('token') })
      expect(await refused(403)).toMatchObject({ code: 'forbidden' })
      expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
      expect(await refused(200, 'odd')).toMatchObject({
        code: 'upstream',
        message: expect.stringContaining('not understood'),
      })
      expect(JSON.stringify([limited, await refused(401), await refused(500)])).not.toContain(KEY)
    })
  })
}
