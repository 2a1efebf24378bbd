import { expect, it } from 'vitest'
import type { Services } from '../../../../src/http/dialect.ts'
import { questionIds } from '../../../../src/http/dialects/toolserver/infiagent/human-task.ts'
import type { HumanTask } from '../../../../src/ports/people.ts'
import { openTenant } from '../../tenant/open.ts'

const WORDS = 'may I?'

/** A tenant's names, and sessions that each have one open question, whose id is the session's name. */
function servicesOfTenant(): Services {
  const { tenant } = openTenant()
  const task = (id: string) => ({ id, words: WORDS, completedAt: null }) as HumanTask
  const session = (id: string) => ({ people: { list: async () => [task(id)] } })
  return { tenant, session } as unknown as Services // what is asked of them here
}

it('a question is found again by the id that its model gave it, however many other sessions gave the same', async () => {
  const services = servicesOfTenant()
  const sessions = Array.from({ length: 30 }, (_, n) => `s${n}`)
  for (const name of sessions) await questionIds(services, name).put('hil_1', name)
  for (const name of sessions) expect(await questionIds(services, name).find('hil_1', WORDS)).toBe(name)
  expect(await questionIds(services, 's0').find('hil_1', 'something else?')).toBeNull()
})
