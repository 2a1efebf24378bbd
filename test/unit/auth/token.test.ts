import { describe, expect, it } from 'vitest'
import { createAuthenticate } from '../../../src/auth/authenticate.ts'
import { ClosedTenants } from '../../../src/auth/closed-tenants.ts'
import { createIsKeyAlive } from '../../../src/auth/living-key.ts'
import { looksLikeToken, TokenJudge, TokenTenants, tokenKeyId } from '../../../src/auth/token.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { isChildKey } from '../../../src/core/key-chain.ts'
import { KEY_CACHE_MS } from '../../../src/core/limits/tenants.ts'
import { UNRESTRICTED } from '../../../src/core/tenant-internet.ts'
import type { Tenant } from '../../../src/ports/keys.ts'
import type { TokenClaims } from '../../../src/ports/tokens.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln'

/** A server's judgement of tokens whose signatures are good, with one tenant, `acme`. */
function open(claims: Partial<TokenClaims> | Error = {}) {
  const clock = fakeClock()
  const acme = {
    id: tenantId('acme'),
    name: 'Acme',
    createdAt: 0,
    disabledAt: null as number | null,
    deletedAt: null,
    purgedAt: null,
    internet: UNRESTRICTED,
    warmSandboxes: 0,
  }
  const looked: string[] = []
  const keys = {
    find: async () => null,
    tenant: async (id: string): Promise<Tenant | null> => {
      looked.push(id)
      return id === 'acme' ? { ...acme } : null
    },
  }
  const tenants = new TokenTenants(keys, clock)
  const check = {
    check: async () => {
      if (claims instanceof Error) throw claims
      return { subject: 'ann', tenant: 'acme', scopes: ['read', 'execute'], expiresAt: clock.now() + 1_000, ...claims }
    },
  }
  const closed = new ClosedTenants()
  const tokens = new TokenJudge({ check, tenants })
  const authenticate = createAuthenticate({ keys, clock, closed, tokens, openTenant: null })
  const isAlive = createIsKeyAlive({ keys, clock, closed, tokenTenants: tenants, openTenant: null })
  return { authenticate, isAlive, acme, clock, closed, looked, keys }
}

const INVALID = {
  failure: { code: 'unauthenticated', message: expect.stringMatching(/^this access token is not valid here: /) },
}

describe('a caller with a token', () => {
  it('is its subject in the tenant that the token names, with those of its scopes that this server has', async () => {
    const { authenticate, clock } = open({ scopes: ['openid', 'read', 'admin ', 'write'] })
    expect(await authenticate([TOKEN])).toMatchObject({
      principal: {
        tenant: 'acme',
        scopes: ['read'],
        keyId: 'oauth:ann',
        restrictions: { expiresAt: clock.now() + 1_000 },
      },
    })
  })

  it.each([null, '', 'other', 'ACME', '../acme', 'acme/x', 'x'.repeat(65)])(
    'is refused for the tenant %j',
    async (tenant) => {
      expect(await open({ tenant }).authenticate([TOKEN])).toMatchObject(INVALID)
    },
  )

  it('is refused when the tenant was disabled, and what was made with the token ends too', async () => {
    const { authenticate, isAlive, acme, clock } = open()
    expect(await authenticate([TOKEN])).toHaveProperty('principal')
    expect(await isAlive('acme', 'oauth:ann', 'read')).toBe(true)
    acme.disabledAt = clock.now()
    clock.advance(KEY_CACHE_MS)
    expect(await authenticate([TOKEN])).toMatchObject(INVALID)
    expect(await isAlive('acme', 'oauth:ann', 'read')).toBe(false)
  })

  it('is refused at once when this isolate closed the tenant, and what was made with the token ends too', async () => {
    const { authenticate, isAlive, acme, closed } = open()
    expect(await authenticate([TOKEN])).toHaveProperty('principal')
    closed.close(acme.id)
    expect(await authenticate([TOKEN])).toMatchObject(INVALID)
    expect(await isAlive('acme', 'oauth:ann', 'read')).toBe(false)
  })

  it('costs no look-up of its tenant each time', async () => {
    const { authenticate, looked } = open()
    for (let at = 0; at < 5; at++) await authenticate([TOKEN])
    expect(looked).toEqual(['acme'])
  })

  it('hears that the issuer cannot be reached, which is no judgement', async () => {
    const { authenticate } = open(new FailureError({ code: 'unavailable', message: 'later' }))
    expect(await authenticate([TOKEN])).toEqual({ failure: { code: 'unavailable', message: 'later' } })
  })

  it('is a caller with a bad key where no issuer is set', async () => {
    const { keys, clock } = open()
    const authenticate = createAuthenticate({ keys, clock, openTenant: null })
    expect(await authenticate([TOKEN])).toMatchObject({
      failure: { message: expect.stringMatching(/^this key is not valid/) },
    })
  })
})

describe('tokenKeyId()', () => {
  it('is no chain of a child key, no pattern and no key, whatever the subject', () => {
    expect(tokenKeyId('auth0|ann.b*~@x')).toBe('oauth:auth0%7Cann%2Eb%2A%7E%40x')
    expect(isChildKey(tokenKeyId('local.child'))).toBe(false)
    const subjects = ['a.b', 'a%2Eb', 'a*b', 'a b', 'a', 'A']
    expect(new Set(subjects.map(tokenKeyId)).size).toBe(subjects.length)
  })
})

describe('looksLikeToken()', () => {
  it('knows a token from keys and their chains', () => {
    expect(looksLikeToken(TOKEN)).toBe(true)
    for (const text of ['', 'ty_abc_def', 'tyc_local_a.b.c_tag', 'a.b', 'a.b.', 'a.b.c.d', `${TOKEN}\n`]) {
      expect(looksLikeToken(text), text).toBe(false)
    }
  })
})
