import { expect, it } from 'vitest'
import { safeRead } from '../../../src/core/safe-read.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { describeIssues } from '../../../src/tools/registry.ts'

const refusal = (executor: unknown) => {
  const read = safeRead(ToolDefinition, { id: 'a', name: 'a', description: '', input_schema: {}, executor })
  return read.success ? 'read' : describeIssues(read.error)
}
const asking = (request: unknown) => refusal({ kind: 'http', target: 'https://a.example', request })

it('tells who wrote another field which there are', () => {
  expect(refusal({ kind: 'http', url: 'https://a.example' })).toBe(
    'missing required parameter: executor.target; executor: there is no field url; there are kind, target, request',
  )
  expect(refusal({ kind: 'python', target: 'a:b', code: 'x' })).toContain('there are kind, target, source, files, ')
  expect(refusal({ kind: 'chain', steps: [] })).toContain('there is no field steps; there are kind, chain')
  expect(asking({ params: {} })).toMatch(/no field params; there are method, query, headers, cookies, body, auth/)
  expect(asking({ auth: [{ type: 'bearer', token: 'x' }] })).toContain('no field token; there are type, secret')
})

it.each([
  ['executor.request: must be an object with the fields method, query', 'GET'],
  ['executor.request.query.q: must be {"arg": "name"}', { query: { q: { from: 'city' } } }],
  ['executor.request.query.q: has more than 4000 characters (MAX_PART_CHARS)', { query: { q: 'x'.repeat(5_000) } }],
  ['executor.request.body.as: must be an object with "as": "json"', { method: 'POST', body: { q: 'x' } }],
  ['executor.request.body.fields: must be an object, as {', { method: 'POST', body: { as: 'json', fields: ['q'] } }],
  ['executor.request.auth: must be a list, as [{', { auth: 'KEY' }],
  ['executor.request.retry: must be an object as {"attempts": 3}', { retry: 3 }],
])('says how a part is written: %s', (message, request) => {
  expect(asking(request)).toContain(message)
})

it('names a few of the fields that are not there, and not all of a long name', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, no) => [`${'x'.repeat(100)}${no}`, 1]))
  expect(refusal({ kind: 'chain', chain: { steps: [{ id: 'a', tool: 'b' }] }, ...many }).length).toBeLessThan(600)
})
