import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { arxivContract } from './arxiv.ts'
import { ARXIV_STAND_INS } from './arxiv-stand-ins.ts'

for (const standIn of ARXIV_STAND_INS) arxivContract(standIn)

it('each provider of papers of arXiv keeps the contract', () => {
  expect(ARXIV_STAND_INS.map(({ provider }) => provider)).toEqual(providersOf('arxiv').map(({ name }) => name))
})
