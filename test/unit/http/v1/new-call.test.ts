import { expect, it } from 'vitest'
import type { FailureCode } from '../../../../src/core/failure.ts'
import type { Outcome } from '../../../../src/core/outcome.ts'
import { openV1 } from './open.ts'

/** A caller whose session refuses every call with that code, and answers nothing else. */
const refusedWith = (code: FailureCode) => {
  const call = async (): Promise<Outcome> => ({ kind: 'refused', failure: { code, message: 'it is missing' } })
  const registeredTools = async () => ({ tools: [] })
  return openV1({ tools: [], toolkits: [], registeredTools, session: () => ({ call }) } as never) // no more of them is asked for
}

it('a call says by its code whether the session or the tool is missing, and how to make a session', async () => {
  const request = ['POST', '/v1/sessions/s%2F1/calls', { tool: 'nothing' }] as const
  expect(await refusedWith('session_not_found').call(...request)).toMatchObject({
    status: 404,
    body: {
      code: 'session_not_found',
      detail: 'there is no session s/1; make it by POST /v1/sessions',
    },
  })
  expect(await refusedWith('not_found').call(...request)).toMatchObject({
    status: 404,
    body: { code: 'not_found', detail: 'it is missing' },
  })
})

it('a call in a session whose name is mistyped names the session that was probably meant', async () => {
  const { tenant, call } = refusedWith('session_not_found')
  await tenant.sessions.add({ name: 'otter-notes', nodeId: 'n', title: 'otters', createdAt: 1 })
  expect(await call('POST', '/v1/sessions/oter-notes/calls', { tool: 'nothing' })).toMatchObject({
    status: 404,
    body: { code: 'session_not_found', detail: 'there is no session oter-notes; did you mean otter-notes?' },
  })
})
