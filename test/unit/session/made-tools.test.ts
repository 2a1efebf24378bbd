import { expect, it } from 'vitest'
import { MAX_MADE_TOOL_CHARS } from '../../../src/core/limits/sessions.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { SessionMadeTools } from '../../../src/session/made-tools.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openTenant } from '../tenant/open.ts'
import { register } from '../tenant/registry-tools.ts'

const definition = (id: string, executor: object = { kind: 'http', target: 'https://tools.example/' }, more = {}) =>
  ToolDefinition.parse({ id, name: id, description: 'x', input_schema: {}, executor, ...more })
const chain = (tool: string) => ({ kind: 'chain', chain: { steps: [{ id: 'a', tool }] } })

function open(mayAdmin = false) {
  const sql = new NodeSql()
  const { tenant } = openTenant()
  const made = () =>
    new SessionMadeTools({ sql, registry: catalog, tenant, hasOwnTool: (name) => name === 'from_client' })
  const beginTest = async () => Promise.reject(new Error('no test is made here'))
  const port = () => made().port({ key: 'k', agent: null, mayAdmin }, { beginTest })
  return { tenant, made, port }
}

it('keeps what was made over a restart of the session', async () => {
  const { made, port } = open()
  await port().keep(definition('one'), 'session')
  await port().keep(definition('two', chain('one')), 'session')
  expect(
    made()
      .list()
      .map(({ id }) => id),
  ).toEqual(['one', 'two'])
  expect(made().find('two')?.executor).toMatchObject(chain('one'))
  expect(port().remove('one')).toBe(true)
  expect(port().remove('one')).toBe(false)
  expect(made().find('one')).toBeNull()
})

it('takes no id that the server, the tenant, a client or another made tool has', async () => {
  const { tenant, port } = open()
  await register(tenant, ['theirs'])
  await port().keep(definition('mine'), 'session')
  for (const id of ['file_read', 'FILE_READ', 'tool_create', 'theirs', 'from_client', 'mine']) {
    await expect(port().check(definition(id), 'session'), id).rejects.toThrow(/another id/)
  }
  const two = [port().keep(definition('same'), 'session'), port().keep(definition('same'), 'session')]
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
  const { lines } = await tenant.readAudit({ after: 0, limit: 9 })
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
