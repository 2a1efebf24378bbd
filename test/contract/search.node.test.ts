import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { searchContract } from './search.ts'
import { SEARCH_STAND_INS } from './search-stand-ins.ts'

for (const standIn of SEARCH_STAND_INS) searchContract(standIn)

it('each provider of searches keeps the contract', () => {
  expect(SEARCH_STAND_INS.map(({ provider }) => provider)).toEqual(providersOf('search').map(({ name }) => name))
})
