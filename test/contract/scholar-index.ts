import { describe, expect, it } from 'vitest'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench, refusedBy } from '../support/provider-bench.ts'
import { ARTICLE, AUTHOR, CITATION, type ScholarIndexStandIn } from './scholar-index-stand-ins.ts'

const { signal } = new AbortController()
const PLAIN = { parameters: {}, key: null }
const articles = ({ scholarIndex }: OutsidePorts, query = 'attention', options = PLAIN) =>
  scholarIndex.articles(query, options, signal)

/** What every {@link OutsidePorts.scholarIndex} does, in front of a stand-in for its service. */
export function scholarIndexContract(standIn: ScholarIndexStandIn): void {
  const { name, provider, settings, answer, keyIn, parameterIn, variable } = standIn
  const open = async () => (await providerBench(settings, answer)).outside

  describe(`Google Scholar by ${name}`, () => {
    it('finds articles, which may lack everything but a title', async () => {
      const bench = await providerBench(settings, answer)
      expect(bench.providerName('scholarIndex')).toBe(provider)
      expect(await articles(bench.outside)).toEqual([
        ARTICLE,
        { id: '', title: 'Bare', snippet: '', publication: '', citedBy: null },
      ])
      expect(await articles(bench.outside, 'none')).toEqual([])
    })

    it('knows an author by the id that it finds for the name, and says of an unknown one that it does not', async () => {
      const { scholarIndex } = await open()
      const [id = ''] = await scholarIndex.authorIds(AUTHOR.name, PLAIN, signal)
      expect(await scholarIndex.author(id, PLAIN, signal)).toEqual(AUTHOR)
      expect(await scholarIndex.authorIds('Nobody', PLAIN, signal)).toEqual([])
      expect(await failureOf(scholarIndex.author('none', PLAIN, signal))).toMatchObject({ code: 'not_found' })
    })

    it('knows how an article is cited, and says of an unknown one that it does not', async () => {
      const { scholarIndex } = await open()
      expect(await scholarIndex.citation(ARTICLE.id, PLAIN, signal)).toBe(CITATION)
      expect(await failureOf(scholarIndex.citation('none', PLAIN, signal))).toMatchObject({ code: 'not_found' })
    })

    it('is asked with the parameters that are given, and the key of the tenant before that of the operator', async () => {
      const { outside, service } = await providerBench(settings, answer)
      const parameters = { num: 3, as_ylo: '2020', hl: undefined }
      await outside.scholarIndex.articles('attention', { parameters, key: 'key-of-the-tenant' }, signal)
      await articles(outside)
      expect(service.requests.map(keyIn)).toEqual(['key-of-the-tenant', KEY])
      expect(
        service.requests.slice(0, 1).map((request) => Object.keys(parameters).map((at) => parameterIn(request, at))),
      ).toEqual([['3', '2020', null]])
    })

    it('says what to do without a key, and when it is refused, too fast, away or odd, and never the key', async () => {
      const keyless = await providerBench({ ...settings, [variable]: ' ' }, answer)
      expect(await failureOf(articles(keyless.outside))).toMatchObject({
        code: 'upstream',
        message: expect.stringContaining(variable),
      })
      expect(keyless.service.requests).toEqual([])
      const refused = refusedBy(settings, articles)
      expect(await refused(403)).toMatchObject({ code: 'upstream', message: expect.stringContaining(variable) })
      expect(await refused(429)).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining(name) })
      expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
      expect(await refused(302)).toMatchObject({ code: 'upstream' })
      expect(await refused(200, 'odd')).toMatchObject({ message: expect.stringContaining('not understood') })
      expect(JSON.stringify([await refused(403), await refused(500)])).not.toContain(KEY)
    })
  })
}
