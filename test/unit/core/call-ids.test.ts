import { describe, expect, it } from 'vitest'
import { CALL_ID, firstCallId, newCallId, randomOfCallId } from '../../../src/core/ids.ts'

/** Id of a call that an earlier version made. */
const EARLIER = 'c0mwrybn1u95ddb480553a'
const FORM = new RegExp(`^${CALL_ID}$`)

describe('the id of a call', () => {
  it('says that it is one, and sorts by the time at which the call was made', () => {
    const ids = [1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map((time) => newCallId(time))
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-z]{9}[0-9a-f]{12}$/)
    expect([...ids].sort()).toEqual(ids)
    expect([firstCallId(1_700_000_000_001), ...ids].sort()[1]).toBe(firstCallId(1_700_000_000_001))
  })

  it('of an earlier version is one still, before all others', () => {
    expect(EARLIER).toMatch(FORM)
    expect(newCallId(0)).toMatch(FORM)
    expect(EARLIER < newCallId(0)).toBe(true)
  })

  it('ends with random digits, in the form of an earlier version too', () => {
    expect(randomOfCallId(EARLIER)).toBe(0x95ddb480553a)
    expect(randomOfCallId(`call_0mwrybn1u${'0'.repeat(11)}f`)).toBe(15)
  })
})
