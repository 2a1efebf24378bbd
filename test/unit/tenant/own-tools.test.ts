import { expect, it } from 'vitest'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { OWN_TOOLS } from '../../../src/tenant/calls-api.ts'
import { answerOf } from '../../support/answer-of.ts'
import { openTenant } from './open.ts'
import { OWNER, register } from './registry-tools.ts'

const call = (reference: string, own?: { isNew: boolean }) => ({
  callId: crypto.randomUUID(),
  reference,
  session: 's',
  key: 'k',
  agent: null,
  ...(own && { own: { timeout: 30, ...own } }),
})

it('admits a tool of the session where the tenant has none of that id, and the tenant’s where it has', async () => {
  const { tenant } = openTenant()
  await register(tenant, ['theirs'])
  expect(await tenant.calls.begin(call('mine', { isNew: false }))).toMatchObject({ tool: null })
  expect(await tenant.calls.begin(call('theirs', { isNew: false }))).toMatchObject({
    tool: { definition: { id: 'theirs' } },
  })
  expect(await answerOf(tenant.calls.begin(call('theirs', { isNew: true })))).toMatchObject({
    failure: { code: 'conflict' },
  })
  expect(await answerOf(tenant.calls.begin(call('mine')))).toMatchObject({ failure: { code: 'not_found' } })
})

it('limits all tools that sessions made together, under a name that no registered tool can have', async () => {
  const { tenant } = openTenant()
  const rules = [{ scope: 'tool', name: OWN_TOOLS, per_minute: 2 }]
  await tenant.limits.put(LimitSettings.parse({ rules }), OWNER)
  await tenant.calls.begin(call('one', { isNew: true }))
  await tenant.calls.begin(call('two', { isNew: false }))
  expect(await answerOf(tenant.calls.begin(call('three', { isNew: false })))).toMatchObject({
    failure: { code: 'rate_limited' },
  })
  await register(tenant, ['theirs'])
  expect(await tenant.calls.begin(call('theirs'))).toMatchObject({ tool: {} })
  await expect(register(tenant, [OWN_TOOLS])).rejects.toThrow('@')
})
