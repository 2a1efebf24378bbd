import { expect, it } from 'vitest'
import { differences } from '../../../drill/judge/usage.ts'

const calls = new Map([['s', { sent: 5, done: 3 }]])
const counted = (count?: number) => differences(calls, new Map(count === undefined ? [] : [['s', count]]))

it('counts between what was acknowledged and what was sent are true, and no others', () => {
  expect([3, 4, 5].map(counted)).toEqual([[], [], []])
  expect(counted(2)).toEqual(['s counts 2 calls, of 5 sent and 3 acknowledged'])
  expect(counted(6)).toEqual(['s counts 6 calls, of 5 sent and 3 acknowledged'])
  expect(counted()).toEqual(['s counts 0 calls, of 5 sent and 3 acknowledged'])
})
