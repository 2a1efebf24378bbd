import { expect, it } from 'vitest'
import { MAX_MADE_TOOL_CHARS } from '../../../../src/core/limits/sessions.ts'
import { outermost } from '../../../../src/registry/chain/budget.ts'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { CallOutbox } from '../../../../src/session/call-outbox.ts'
import { SessionToolbox, type ToolboxUser } from '../../../../src/session/toolbox/toolbox.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { NodeSql } from '../../../support/sql-node.ts'
import { openSessionTables } from '../../../support/tables.ts'
import { openTenant } from '../../tenant/open.ts'
import { register } from '../../tenant/registry-tools.ts'

const definition = (id: string, executor: object = { kind: 'http', target: 'https://tools.example/' }, more = {}) =>
  ToolDefinition.parse({ id, name: id, description: 'x', input_schema: {}, executor, ...more })
const chain = (tool: string) => ({ kind: 'chain', chain: { steps: [{ id: 'a', tool }] } })

function open(mayAdmin = false, tools: readonly string[] | null = null) {
  const sql = new NodeSql()
  openSessionTables(sql)
  const { tenant } = openTenant()
  const unused = async () => Promise.reject(new Error('no tool is called here'))
  const outbox = new CallOutbox({ sql, session: 'bench', tell: unused, logError: unused }, [])
  const box = () => {
    const admission = { isLimited: () => false, beginsUnasked: () => null, priceOf: () => null, wanted: () => null }
    const parts = {
      sql,
      registry: catalog,
      tenant,
      session: 'bench',
      outbox,
      admission,
      isRemoved: () => false,
      now: () => 0,
    }
    return new SessionToolbox({ ...parts, call: unused })
  }
  const user = {
    callId: 'call',
    by: { key: 'k', agent: null, mayAdmin, ...(tools && { restrictions: { tools, isMetered: false } }) },
    wasNoted: () => false,
    account: { countedElsewhere: () => undefined, madeCall: () => undefined },
    nesting: outermost(),
    // No tool is called here.
    ports: {} as ToolboxUser['ports'],
  }
  /** As `tool_create` and `tool_delete` use it. */
  const port = () => {
    const toolbox = box().port(user)
    return {
      toolbox,
      check: (tool: ToolDefinition, owner: 'session' | 'tenant') => toolbox.put(owner, tool, { only: 'check' }),
      keep: (tool: ToolDefinition, owner: 'session' | 'tenant') => toolbox.put(owner, tool),
      remove: (id: string) => toolbox.remove('session', id),
    }
  }
  /** After a restart of the session. */
  const made = async () => (await box().list()).flatMap((tool) => (tool.kind === 'tool' ? [tool.definition] : []))
  return { tenant, made, port }
}

it('keeps what was made over a restart of the session', async () => {
  const { made, port } = open()
  await port().keep(definition('one'), 'session')
  await port().keep(definition('two', chain('one')), 'session')
  const kept = await made()
  expect(kept.map(({ id }) => id)).toEqual(['one', 'two'])
  expect(kept[1]?.executor).toMatchObject(chain('one'))
  expect(port().remove('one')).toBe(true)
  expect(port().remove('one')).toBe(false)
  expect(await port().toolbox.find('tool', 'one')).toBeNull()
})

it('takes no id that the server, the tenant, a client or another made tool has', async () => {
  const { tenant, port } = open()
  await register(tenant, ['theirs'])
  await port().keep(definition('mine'), 'session')
  const described = { name: 'from_client', description: '', parameters: [], hidden: false }
  await port().toolbox.put('functions', { described, code: 'def from_client(): pass' })
  for (const id of ['file_read', 'FILE_READ', 'tool_create', 'theirs', 'from_client', 'mine']) {
    await expect(port().check(definition(id), 'session'), id).rejects.toThrow(/another id/)
  }
  const toolbox = port()
  const two = [toolbox.keep(definition('same'), 'session'), toolbox.keep(definition('same'), 'session')]
  expect((await Promise.allSettled(two)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

it('finds loops and missing tools in chains over what the session and the tenant have', async () => {
  const { tenant, port } = open()
  await register(tenant, ['theirs'])
  const made = port()
  await made.keep(definition('leaf'), 'session')
  await made.check(definition('a', chain('leaf')), 'session')
  await made.check(definition('a', chain('theirs')), 'session')
  await expect(made.check(definition('a', chain('nobody')), 'session')).rejects.toThrow('there is no tool nobody')
  await expect(made.check(definition('a', chain('registered_call')), 'session')).rejects.toThrow('not registered_call')
  // One that was removed and made anew leads back.
  await made.keep(definition('b', chain('leaf')), 'session')
  made.remove('leaf')
  await expect(made.check(definition('leaf', chain('b')), 'session')).rejects.toThrow('b → leaf')
})

it('notes in the tenant’s audit log who was refused what for a lack of rights', async () => {
  const { tenant, port } = open()
  const secret = { kind: 'python', target: 'a:b', source: 'def b(): pass', secrets: ['KEY'] }
  await expect(port().check(definition('t'), 'tenant')).rejects.toThrow('the scope "admin"')
  await expect(port().check(definition('u', secret), 'session')).rejects.toThrow('the secret KEY')
  const { lines } = await tenant.audit.page({ after: 0, limit: 9 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'request.refused', key: 'k', subject: 'tool_create t', reason: 'forbidden' },
    { action: 'request.refused', key: 'k', subject: 'tool_create u', reason: 'forbidden' },
  ])
})

it('asks for the right again when the tool is kept, and for room', async () => {
  const secret = { kind: 'python', target: 'a:b', source: 'def b(): pass', secrets: ['KEY'] }
  const agent = open()
  await expect(agent.port().keep(definition('t'), 'tenant')).rejects.toThrow('the scope "admin"')
  await expect(agent.port().keep(definition('t', secret), 'session')).rejects.toThrow('the secret KEY')
  const long = definition('t', undefined, { input_schema: { description: 'x'.repeat(MAX_MADE_TOOL_CHARS) } })
  await expect(agent.port().keep(long, 'session')).rejects.toThrow('MAX_MADE_TOOL_CHARS')

  const owner = open(true)
  await owner.port().keep(definition('t', secret), 'session')
  expect(await owner.port().keep(definition('u', secret), 'tenant')).toEqual({ version: 1 })
  await expect(owner.port().keep(definition('u'), 'tenant')).rejects.toThrow('at version 1')
  await expect(owner.port().check(definition('v', chain('t')), 'tenant')).rejects.toThrow(
    't is there in this session alone',
  )
})

it('takes nothing from a key for some tools, by whatever source, and calls for it what is on its list alone', async () => {
  const { tenant, made, port } = open(true, ['free', 'own_tool_call'])
  await register(tenant, ['theirs'])
  const { toolbox, keep, check } = port()
  const refusal = { code: 'forbidden', message: expect.stringContaining('may not make others') }
  expect(await failureOf(check(definition('free'), 'session'))).toMatchObject(refusal)
  expect(await failureOf(keep(definition('free'), 'session'))).toMatchObject(refusal)
  expect(await failureOf(keep(definition('free'), 'tenant'))).toMatchObject(refusal)
  const described = { name: 'free', description: '', parameters: [], hidden: false }
  expect(await failureOf(toolbox.put('functions', { described, code: '' }))).toMatchObject(refusal)
  const actions = { source: { text: '', requirements: [] }, actions: [{ name: 'free', described: {} }] }
  expect(await failureOf(toolbox.put('actions', actions))).toMatchObject(refusal)
  expect(await made()).toEqual([])
  const signal = new AbortController().signal
  const call = (kind: 'tool' | 'function' | 'action' | 'built-in', tool: string) =>
    failureOf(toolbox.call({ kind, tool, args: {} }, toolbox.nesting, signal))
  for (const kind of ['tool', 'function', 'action'] as const) {
    for (const tool of ['theirs', 'registered_call', 'FREE']) {
      expect(await call(kind, tool), `${kind} ${tool}`).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('may call the tools free, own_tool_call alone'),
      })
    }
  }
  const draft = { kind: 'tool', tool: 'free', args: {}, draft: definition('free') } as const
  expect(await failureOf(toolbox.call(draft, toolbox.nesting, signal))).toMatchObject(refusal)
})
