import { expect, it } from 'vitest'
import { canonicalNetwork, isInNetworks } from '../../../src/core/networks.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
  ['::ffff:10.1.0.0/112', '10.1.0.0/16'],
  ['::/0', '::/0'],
  ['10.0.0.5/8', null],
  ['10.0.0.0/33', null],
  ['10.0.0.0/-1', null],
  ['10.0.0.0/08', null],
  ['10.0.0.0/', null],
  ['2001:db8::1/64', null],
  ['::/129', null],
  ['010.0.0.1', null],
  ['fe80::1%eth0', null],
  ['[::1]', null],
  ['localhost', null],
])('%s is %s', (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical)
})

it.each([
  ['10.255.255.255', '10.0.0.0/8', true],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['192.0.2.129', '192.0.2.128/25', true],
  ['192.0.2.127', '192.0.2.128/25', false],
  ['::ffff:10.0.0.1', '10.0.0.0/8', true],
  ['::ffff:a00:1', '10.0.0.0/8', true],
  ['10.0.0.1', '::ffff:0:0/96', true],
  ['10.0.0.1', '::/0', true],
  ['::1', '0.0.0.0/0', false],
  ['2001:db8:ffff::1', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['2001:db8:8000::', '2001:db8::/33', false],
  ['no address', '::/0', false],
  ['10.0.0.1', 'no network', false],
])('%s is in %s: %s', (address, network, isIn) => {
  expect(isInNetworks(address, ['198.51.100.1', network])).toBe(isIn)
})
