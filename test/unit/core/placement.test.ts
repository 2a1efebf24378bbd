import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { JURISDICTIONS, LOCATIONS, ownId, placedId, placementOf } from '../../../src/core/placement.ts'

it('reads from an id what it was made of', () => {
  for (const jurisdiction of [null, ...JURISDICTIONS]) {
    for (const locationHint of [null, ...LOCATIONS]) {
      const id = tenantId(placedId('acme-2', { jurisdiction, locationHint }))
      expect(placementOf(id)).toEqual({ jurisdiction, locationHint })
      expect(ownId(id)).toBe('acme-2')
    }
  }
})

it.each([
  'acme.',
  '.eu',
  'acme.mars',
  'acme.weur.eu',
  'acme.eu.eu',
  'acme.eu.weur.',
  'acme.eu.weur.x',
  'a/b.eu',
  'eu.acme',
])('takes no other words for a place: %s', (id) => {
  expect(() => tenantId(id)).toThrow(/a tenant id is 1 to 64 characters/)
})
