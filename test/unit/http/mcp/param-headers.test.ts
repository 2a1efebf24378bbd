import { expect, it } from 'vitest'
import { paramMismatch } from '../../../../src/http/dialects/mcp/param-headers.ts'

const property = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header })
const SCHEMA = {
  type: 'object',
  properties: {
    region: property('Region'),
    count: property('Count', 'integer'),
    dry: property('Dry', 'boolean'),
    place: { type: 'object', properties: { city: property('City') } },
    other: { type: 'string' },
  },
}

/** What is wrong with a call's headers; null where nothing is. */
async function wrong(given: object, headers: Record<string, string>, schema: object = SCHEMA): Promise<string | null> {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 't', arguments: given } }
  const refused = paramMismatch(new Headers(headers), body, schema as Record<string, unknown>)
  if (!refused) return null
  const { id, error } = (await refused.json()) as { id: unknown; error: { code: number; message: string } }
  expect([refused.status, id, error.code]).toEqual([400, 7, -32020])
  return error.message
}

it.each([
  ['the same text', { region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
  ['base64 of what is not ASCII', { region: 'Zürich' }, { 'Mcp-Param-Region': `=?base64?WsO8cmljaA==?=` }],
  ['a number in another form', { count: 42 }, { 'mcp-param-count': '42.0' }],
  ['a boolean', { dry: true }, { 'Mcp-Param-Dry': 'true' }],
  ['an argument within another', { place: { city: 'Bern' } }, { 'Mcp-Param-City': 'Bern' }],
  ['no argument', { region: null, other: 'x' }, { 'Mcp-Param-Region': 'eu' }],
  ['an argument that cannot be repeated', { region: ['eu'] }, {}],
])('takes %s', async (_, given, headers) => {
  expect(await wrong(given, headers)).toBeNull()
})

it.each([
  ['a missing header', { region: 'eu' }, {}, 'Mcp-Param-Region is missing; repeat the argument region'],
  ['another value', { region: 'eu' }, { 'Mcp-Param-Region': 'us' }, 'differs from the argument region'],
  ['another case', { region: 'eu' }, { 'Mcp-Param-Region': 'EU' }, 'differs'],
  ['another number', { count: 42 }, { 'Mcp-Param-Count': '43' }, 'differs'],
  ['a text for a number', { count: '42' }, { 'Mcp-Param-Count': '42.0' }, 'differs'],
  ['broken padding', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?ZXU?=' }, 'not the base64'],
  ['what is no base64', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?ZX!=?=' }, 'not the base64'],
  ['what is no UTF-8', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?/w==?=' }, 'not the base64'],
  ['an argument within another', { place: { city: 'Bern' } }, {}, 'repeat the argument place.city'],
])('refuses %s', async (_, given, headers, message) => {
  expect(await wrong(given, headers)).toContain(message)
})

it('compares nothing for a tool that clients drop for its declarations', async () => {
  for (const properties of [
    { region: property('Region'), other: property('region') },
    { region: property('Region'), other: property('of two words') },
    { region: property('Region'), other: property('Other', 'array') },
  ]) {
    expect(await wrong({ region: 'eu', other: 'x' }, {}, { properties })).toBeNull()
  }
})
