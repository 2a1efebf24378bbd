import { describe, expect, it } from 'vitest'
import { MAX_DISTRIBUTIONS } from '../../../src/core/limits/sandbox.ts'
import { readDistributions } from '../../../src/session/sandbox/environment.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const PLACE = '/home/user/workspace/code_env/lib/python3.13/site-packages'

describe('the packages that a sandbox names', () => {
  it('are read with where they came from', () => {
    const printed = [`${PLACE}/a_b-1.0.dist-info`, `${PLACE}/c-2.dist-info`, `${PLACE}/c-2.dist-info/direct_url.json`]
    expect(readDistributions(printed.join('\n'))).toEqual([
      { pin: 'a_b==1.0', direct: false },
      { pin: 'c==2', direct: true },
    ])
  })

  it('are remembered up to a number, and names without end are none', async () => {
    const many = Array.from({ length: 400_000 }, (_, at) => `${PLACE}/p${at}-1.dist-info`)
    const usual = () => {
      for (const line of many.slice(0, MAX_DISTRIBUTIONS)) readDistributions(line)
    }
    await expectCost(
      () => {
        expect(readDistributions(many.join('\n'))).toHaveLength(MAX_DISTRIBUTIONS)
        expect(readDistributions(`${PLACE}/${'a'.repeat(8_000_000)}-1.dist-info`)).toEqual([])
        expect(readDistributions(`${PLACE}/${'a-'.repeat(4_000_000)}`)).toEqual([])
      },
      { below: async () => 20 * ((await costOf(usual)) + 50) },
    )
  })
})
