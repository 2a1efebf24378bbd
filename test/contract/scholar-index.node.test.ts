import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { scholarIndexContract } from './scholar-index.ts'
import { SCHOLAR_INDEX_STAND_INS } from './scholar-index-stand-ins.ts'

for (const standIn of SCHOLAR_INDEX_STAND_INS) scholarIndexContract(standIn)

it('each provider of Google Scholar keeps the contract', () => {
  expect(SCHOLAR_INDEX_STAND_INS.map(({ provider }) => provider)).toEqual(
    providersOf('scholarIndex').map(({ name }) => name),
  )
})
