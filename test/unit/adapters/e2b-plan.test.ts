import { expect, it } from 'vitest'
import { planSetting } from '../../../src/adapters/e2b/plan.ts'

const HOUR_MS = 60 * 60_000

it.each([
  ['hobby', { running: 20, creationsPerSecond: 1, longestRunMs: HOUR_MS }],
  [' Pro ', { running: 100, creationsPerSecond: 5, longestRunMs: 24 * HOUR_MS }],
  ['running=300 creations=10 hours=24', { running: 300, creationsPerSecond: 10, longestRunMs: 24 * HOUR_MS }],
  ['hours=0.5, running=1,creations=2', { running: 1, creationsPerSecond: 2, longestRunMs: HOUR_MS / 2 }],
  ['', null],
  [undefined, null],
])('reads the plan of %j', (text, plan) => {
  expect(planSetting.parse(text)).toEqual(plan)
})

it.each([
  'enterprise',
  'constructor',
  'running=300 creations=10',
  'running=300 creations=10 hours=24 more=1',
  'running=300 running=400 creations=10 hours=24',
  'running=0 creations=10 hours=24',
  'running=1.5 creations=10 hours=24',
  'running=300 creations=0 hours=24',
  'running=300 creations=10 hours=0.1',
  'running=many creations=10 hours=24',
  'running==3 creations=10 hours=24',
])('refuses %j, and shows how to write one', (text) => {
  expect(planSetting.safeParse(text).error?.issues).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^give hobby, pro, or .*running=300 creations=10 hours=24$/),
    }),
  ])
})
