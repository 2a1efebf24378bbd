import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { mapsContract } from './maps.ts'
import { MAPS_STAND_INS } from './maps-stand-ins.ts'

for (const standIn of MAPS_STAND_INS) mapsContract(standIn)

it('each provider of maps keeps the contract', () => {
  expect(MAPS_STAND_INS.map(({ provider }) => provider)).toEqual(providersOf('maps').map(({ name }) => name))
})
