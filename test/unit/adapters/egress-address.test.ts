import { describe, expect, it } from 'vitest'
import { isIpAddress, whyNotPublic } from '../../../src/adapters/egress/address.ts'

describe('a range of addresses that are not public', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0', 'this host'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0', 'private'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0', 'shared by carriers'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0', 'loopback'],
    ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17', "a cloud's metadata"],
    [
      '169.254.0.0',
      '169.254.255.255',
      '169.253.255.255',
      '169.255.0.0',
      'link-local, where clouds keep their metadata',
    ],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0', 'private'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0', 'reserved for protocols'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0', 'for documentation'],
    ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0', 'reserved for protocols'],
    ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0', 'reserved for protocols'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0', 'a relay of 6to4'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0', 'private'],
    ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0', 'reserved for protocols'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0', 'for benchmarks'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0', 'for documentation'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0', 'for documentation'],
    ['224.0.0.0', '239.255.255.255', '223.255.255.255', null, 'multicast'],
    ['240.0.0.0', '255.255.255.255', null, null, 'reserved'],
    ['2001::', '2001:1ff:ffff::', '2000:ffff::', '2001:200::', 'reserved for protocols'],
    ['2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::', 'for documentation'],
    ['2002::', '2002:ffff::', '2001:ffff::', '2003::', 'IPv4 inside of 6to4'],
    ['2620:4f:8000::', '2620:4f:8000:ffff::', '2620:4f:7fff::', '2620:4f:8001::', 'reserved for protocols'],
    ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::', 'for documentation'],
    ['::', '::1', null, null, 'loopback'],
    ['::2', '::ffff:ffff:ffff', null, null, 'IPv4 inside of IPv6'],
    ['::10.0.0.1', '::ffff:8.8.8.8', null, null, 'IPv4 inside of IPv6'],
    ['64:ff9b::', '64:ff9b:ffff::', null, null, 'IPv4 behind NAT64'],
    ['fc00::', 'fdff:ffff::', null, null, 'private'],
    ['fe80::', 'febf:ffff::', null, null, 'link-local'],
    ['ff00::', 'ffff:ffff::', null, null, 'multicast'],
    ['0:0:0:0:1::', '1fff:ffff::', null, '2000::', 'reserved'],
    ['4000::', 'fbff:ffff::', '3ffe::', null, 'reserved'],
    ['64:ff9a::', '65:ff9b::', null, null, 'reserved'],
    ['fec0::', 'feff:ffff::', null, null, 'reserved'],
  ])(
    'from %s to %s ends where the public internet begins, and is called what it is',
    (first, last, before, after, what) => {
      expect([whyNotPublic(first), whyNotPublic(last)]).toEqual([what, what])
      for (const beside of [before, after])
        if (beside !== null) expect([beside, whyNotPublic(beside)]).toEqual([beside, null])
    },
  )
})

describe('an address', () => {
  it.each([
    ['2606:4700:0:0:0:0:0:1111', null],
    ['2606:4700::1111', null],
    ['2606:4700::', null],
    ['2606:4700:1:2:3:4:5::', null],
    ['::2606:4700:1:2:3:4:5', 'reserved'],
    ['[2606:4700::1111]', null],
    ['2606:4700:1:2:3:4:8.8.8.8', null],
    ['2606:4700::8.8.8.8', null],
    ['1:2:3:4:5:6:7:8::', 'not an IP address'],
    ['1:2:3:4:5:6:7', 'not an IP address'],
    ['1:2:3:4:5:6:7:8:9', 'not an IP address'],
    ['1:2:3:4:5:6:7:8.8.8.8', 'not an IP address'],
    ['1::2::3', 'not an IP address'],
    ['2606:4700::12345', 'not an IP address'],
    ['2606:4700::1.2.3', 'not an IP address'],
    ['2606:4700::256.1.1.1', 'not an IP address'],
    ['8.8.8.8.', 'not an IP address'],
    ['8.8.8.0x8', 'not an IP address'],
    ['8.8.8.-8', 'not an IP address'],
    ['08.8.8.8', 'not an IP address'],
    ['010.0.0.1', 'not an IP address'],
    ['2606:4700::010.8.8.8', 'not an IP address'],
    ['2606:4700::0x8.8.8.8', 'not an IP address'],
    ['2606:4700::1%eth0', 'not an IP address'],
    ['[2606:4700::1%25eth0]', 'not an IP address'],
  ])('%s is %s', (address, why) => {
    expect(whyNotPublic(address)).toBe(why)
  })

  it('is told from a name by its form alone', () => {
    expect(['8.8.8.8', '[::1]', '[2606::1]'].map(isIpAddress)).toEqual([true, true, true])
    expect(['example.com', '8.8.8', '256.8.8.8', '8.8.8.8.example.com', ''].map(isIpAddress)).not.toContain(true)
  })
})
