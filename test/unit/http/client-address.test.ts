import { expect, it } from 'vitest'
import { clientAddressBy } from '../../../src/http/client-address.ts'

const from = (headers: Record<string, string>, clientIp?: unknown) =>
  Object.assign(new Request('http://localhost/', { headers }), clientIp === undefined ? {} : { cf: { clientIp } })

it.each([
  ['127.0.0.1:42580', '127.0.0.1'],
  ['[::1]:42580', '::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.7', '192.0.2.7'],
  [undefined, null],
  [7, null],
  ['x'.repeat(65), null],
])('without a front the address is that of the socket, and no header says another: %s', (clientIp, address) => {
  const forged = { 'CF-Connecting-IP': '203.0.113.1', 'X-Forwarded-For': '203.0.113.1' }
  expect(clientAddressBy(null)(from(forged, clientIp))).toBe(address)
})

it('behind a front the address is what its header says, the last of several, and the socket’s is the front', () => {
  const address = clientAddressBy('X-Forwarded-For')
  expect(address(from({ 'X-Forwarded-For': '203.0.113.1, 192.0.2.7' }, '127.0.0.1:1'))).toBe('192.0.2.7')
  expect(address(from({ 'X-Forwarded-For': '192.0.2.7:4711' }))).toBe('192.0.2.7')
  expect(address(from({ 'CF-Connecting-IP': '192.0.2.7' }, '127.0.0.1:1'))).toBeNull()
})
