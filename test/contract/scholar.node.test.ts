import { describe, expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { providerBench } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'
import { scholar, scholarContract } from './scholar.ts'
import { SCHOLAR_STAND_INS, SEMANTIC } from './scholar-stand-ins.ts'

for (const standIn of SCHOLAR_STAND_INS) scholarContract(standIn)

it('each provider of papers keeps the contract', () => {
  expect(SCHOLAR_STAND_INS.map(({ provider }) => provider)).toEqual(providersOf('scholar').map(({ name }) => name))
})

describe('papers without a key', () => {
  it('come from Semantic Scholar when OpenAlex does not answer, and the page says so', async () => {
    const { outside } = await providerBench({}, ({ path }) =>
      path.startsWith('/works') ? { status: 503 } : jsonAnswer(SEMANTIC),
    )
    expect(await scholar(outside)).toMatchObject({ source: 'Semantic Scholar', papers: [{ title: 'Attention' }] })
  })
})
