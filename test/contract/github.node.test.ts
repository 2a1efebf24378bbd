import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { githubContract } from './github.ts'
import { GITHUB_STAND_INS } from './github-stand-ins.ts'

for (const standIn of GITHUB_STAND_INS) githubContract(standIn)

it('each provider of repositories keeps the contract', () => {
  expect(GITHUB_STAND_INS.map(({ provider }) => provider)).toEqual(providersOf('github').map(({ name }) => name))
})
