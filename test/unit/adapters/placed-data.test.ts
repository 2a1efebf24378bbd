import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { placedData } from '../../../src/adapters/placed-data.ts'
import { tenantId } from '../../../src/core/ids.ts'

/** A class of objects on a platform that has jurisdictions: an object says where it is. */
const namespace = (jurisdiction: string | null = null): unknown => ({
  getByName: (name: string, options?: { locationHint?: string }) => ({ jurisdiction, name, ...options }),
  jurisdiction: (name: string) => {
    if (name === 'fedramp') throw new Error('not for this account')
    return namespace(name)
  },
})
const bindings = (more: object) =>
  ({
    ENVIRONMENT: 'production',
    ...{ SESSIONS: namespace(), TENANTS: namespace(), CONNECTIONS: namespace() },
    BLOBS: 'anywhere',
    ...more,
  }) as unknown as Parameters<typeof placedData>[0]

it('has objects of a tenant in its jurisdiction, and asks for its region', () => {
  const { sessions, tenants, connections } = placedData(bindings({}))
  expect(sessions.getByName('acme.eu.weur/a.us')).toEqual({
    jurisdiction: 'eu',
    name: 'acme.eu.weur/a.us',
    locationHint: 'weur',
  })
  expect(tenants.getByName('acme.us')).toEqual({ jurisdiction: 'us', name: 'acme.us' })
  expect(connections.getByName('acme.apac/list')).toEqual({
    jurisdiction: null,
    name: 'acme.apac/list',
    locationHint: 'apac',
  })
})

it('has objects of a tenant without a place where it always had them, whatever its sessions are called', () => {
  const { sessions, tenants } = placedData(bindings({}))
  expect(sessions.getByName('acme/x.eu')).toEqual({ jurisdiction: null, name: 'acme/x.eu' })
  expect(tenants.getByName('acme')).toEqual({ jurisdiction: null, name: 'acme' })
})

it('never makes an object elsewhere when its platform refuses the jurisdiction', () => {
  expect(() => placedData(bindings({})).tenants.getByName('acme.fedramp')).toThrow('not for this account')
})

it('keeps files in the bucket of the jurisdiction, and nowhere else when that is gone', () => {
  const { bucketOf } = placedData(bindings({ BLOBS_EU: 'europe' }))
  expect(bucketOf(tenantId('acme'))).toBe('anywhere')
  expect(bucketOf(tenantId('acme.weur'))).toBe('anywhere')
  expect(bucketOf(tenantId('acme.eu.weur'))).toBe('europe')
  expect(() => bucketOf(tenantId('acme.us'))).toThrow(/no bucket there.*BLOBS_US/)
})

it('takes a tenant only where both files and objects can be kept', () => {
  const { checkJurisdiction } = placedData(bindings({ BLOBS_EU: 'europe', BLOBS_FEDRAMP: 'vault' }))
  expect(() => checkJurisdiction('eu')).not.toThrow()
  expect(() => checkJurisdiction('us')).toThrow(/bind one as BLOBS_US/)
  expect(() => checkJurisdiction('fedramp')).toThrow(/keeps no objects in "fedramp"/)
})

it('is the only way to objects and files of tenants', () => {
  const source = join(import.meta.dirname, '../../../src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const past = files.filter((path) =>
    /\benv\.(?:SESSIONS|TENANTS|CONNECTIONS|BLOBS)\b/.test(readFileSync(join(source, path), 'utf8')),
  )
  // Take `sessions`, `tenants`, `connections` and `bucketOf(tenant)` of the configuration: these are where the tenant is.
  expect(past).toEqual([])
})
