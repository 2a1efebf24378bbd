import { describe, expect, it } from 'vitest'
import { MAX_HUMAN_TASK_NAME_CHARS, MAX_HUMAN_TASK_NAMES } from '../../../src/core/limits/tenants.ts'
import type { HumanTaskName } from '../../../src/tenant/api.ts'
import { answerOf } from '../../support/answer-of.ts'
import { openTenant } from './open.ts'

const named = (more: Partial<HumanTaskName> = {}): HumanTaskName => ({
  kind: 'question',
  name: 'q',
  session: 's',
  task: 't',
  ...more,
})

describe('names of human tasks', () => {
  it('are found by kind and name in all sessions, the newest first, and the later of one session counts', async () => {
    const { tenant } = openTenant()
    for (const one of [
      named(),
      named({ session: 'other', task: 'u' }),
      named({ task: 'v' }),
      named({ kind: 'confirmation' }),
    ]) {
      expect(await tenant.humanTaskNames.put(one)).toBeUndefined()
    }
    expect(await tenant.humanTaskNames.find('question', 'q')).toEqual([
      named({ task: 'v' }),
      named({ session: 'other', task: 'u' }),
    ])
    expect(await tenant.humanTaskNames.of('s')).toEqual([named({ task: 'v' }), named({ kind: 'confirmation' })])
    expect(await tenant.humanTaskNames.find('question', 'none')).toEqual([])
  })

  it('go with their session', async () => {
    const { tenant } = openTenant()
    await tenant.humanTaskNames.put(named())
    await tenant.sessions.remove('s')
    expect(await tenant.humanTaskNames.find('question', 'q')).toEqual([])
  })

  it('are bounded, in number and in length', async () => {
    const { tenant, sql } = openTenant()
    for (let at = 0; at <= MAX_HUMAN_TASK_NAMES; at++) await tenant.humanTaskNames.put(named({ name: `n${at}` }))
    expect(sql.all('SELECT count(*) AS names FROM human_task_names')).toMatchObject([{ names: MAX_HUMAN_TASK_NAMES }])
    expect(await tenant.humanTaskNames.find('question', 'n0')).toEqual([])
    expect(
      await answerOf(tenant.humanTaskNames.put(named({ name: 'x'.repeat(MAX_HUMAN_TASK_NAME_CHARS + 1) }))),
    ).toMatchObject({
      failure: { code: 'invalid_input' },
    })
  })
})
