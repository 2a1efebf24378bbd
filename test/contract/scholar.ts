import { describe, expect, it } from 'vitest'
import type { Scholar } from '../../src/ports/scholar.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'
import { PAPER, type ScholarStandIn } from './scholar-stand-ins.ts'

const { signal } = new AbortController()

export const scholar = ({ scholar: port }: { readonly scholar: Scholar }, page = 2) =>
  port.page({ query: 'a b', page, yearLow: 2020, yearHigh: 2024 }, signal)

/** What every {@link Scholar} does, in front of a stand-in for its service. */
export function scholarContract(standIn: ScholarStandIn): void {
  describe(`papers by ${standIn.source}`, () => {
    const { source, settings, answer, expectedRequest } = standIn
    it('are asked for as the service wants it, and all look alike', async () => {
      const bench = await providerBench(settings, () => jsonAnswer(answer))
      const { outside, service } = bench
      expect(bench.providerName('scholar')).toBe(standIn.provider)
      const page = await scholar(outside)
      const [request] = service.requests
      expect(`${request?.path} ${request?.body}`).toBe(expectedRequest)
      const authors = source.includes('SerpAPI') ? 'A Vaswani - NeurIPS, 2017 - proceedings.neurips.cc' : PAPER.authors
      expect(page).toEqual({ source, papers: [{ ...PAPER, authors }] })
    })

    it('that cannot be had are said to, without the key', async () => {
      const { outside } = await providerBench(settings, () => jsonAnswer({ error: KEY }, 401))
      const { message } = await failureOf(scholar(outside))
      expect(message).not.toContain(KEY)
    })
  })
}
