import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { createAuthenticate } from '../../src/auth/authenticate.ts'
import { sameSecret } from '../../src/auth/constant-time.ts'
import { type ApiKey, hashKey, newKey, randomDigits } from '../../src/auth/key.ts'
import { FailureError } from '../../src/core/failure.ts'
import { tenantId } from '../../src/core/ids.ts'
import { KEY_CACHE_ENTRIES, KEY_CACHE_MS, KEY_SECOND_LOOK_MS } from '../../src/core/limits/tenants.ts'
import type { KeyStore, Scope } from '../../src/ports/keys.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { migrateKeys } from '../support/keys-database.ts'

const store = d1KeyStore(env.DB)
const INVALID = {
  failure: {
    code: 'unauthenticated',
    message: expect.stringMatching(/^this key is not valid: unknown, expired or revoked; /),
  },
}

beforeAll(() => migrateKeys(env.DB))
afterEach(() => {
  vi.restoreAllMocks()
})

/** The server's judgement of keys over the real database, and how often it asked it. */
function newServer({ openTenant = null as string | null, keys = store as Pick<KeyStore, 'find'> } = {}) {
  const clock = fakeClock()
  const find = vi.fn((id: string) => keys.find(id))
  const authenticate = createAuthenticate({
    keys: { find },
    clock,
    openTenant: openTenant === null ? null : tenantId(openTenant),
  })
  return { authenticate, clock, find }
}

async function newTenant() {
  const id = tenantId(randomDigits(12, 'abcdefghijklmnopqrstuvwxyz'))
  await store.addTenant({ id, name: 'T', createdAt: 0 })
  return id
}

async function addKey(options: { tenant?: string; scopes?: Scope[]; expiresAt?: number | null; key?: ApiKey } = {}) {
  const tenant = options.tenant === undefined ? await newTenant() : tenantId(options.tenant)
  const { scopes = ['read', 'execute'], expiresAt = null, key = newKey() } = options
  const hash = await hashKey(key)
  await store.addKey({ id: key.id, tenant, name: 'n', scopes, createdAt: 0, expiresAt, hash }, 1_000)
  return { ...key, tenant }
}

describe('a good key', () => {
  it('names its tenant and what it may do', async () => {
    const key = await addKey({ scopes: ['read'] })
    const { authenticate } = newServer()
    expect(await authenticate([key.text])).toEqual({
      principal: { tenant: key.tenant, scopes: ['read'], keyId: key.id },
    })
  })

  it('may be sent twice when both agree', async () => {
    const key = await addKey()
    expect(await newServer().authenticate([key.text, key.text])).toMatchObject({ principal: { tenant: key.tenant } })
  })

  it('wins over the open tenant', async () => {
    const key = await addKey()
    const { authenticate } = newServer({ openTenant: 'dev' })
    expect(await authenticate([key.text])).toMatchObject({ principal: { tenant: key.tenant } })
  })
})

describe('without a key', () => {
  it('is refused, and told how to send one', async () => {
    const { authenticate, find } = newServer()
    expect(await authenticate([])).toEqual({
      failure: { code: 'unauthenticated', message: expect.stringContaining('Authorization: Bearer <key>') },
    })
    expect(find).not.toHaveBeenCalled()
  })

  it('is the open tenant where there is one', async () => {
    expect(await newServer({ openTenant: 'dev' }).authenticate([])).toEqual({
      principal: { tenant: 'dev', scopes: ['read', 'execute', 'admin'], keyId: null },
    })
  })
})

describe("the secret that Toolcore's clients send when nobody told them another", () => {
  it('is the open tenant where there is one, alone and not beside a key', async () => {
    const { authenticate } = newServer({ openTenant: 'dev' })
    expect(await authenticate(['dev-secret-token'])).toMatchObject({ principal: { tenant: 'dev', keyId: null } })
    const { text } = await addKey()
    expect(await authenticate(['dev-secret-token', text])).toMatchObject({ failure: { code: 'unauthenticated' } })
  })

  it('is no key where keys are needed', async () => {
    const { authenticate, find } = newServer()
    expect(await authenticate(['dev-secret-token'])).toEqual(INVALID)
    expect(find).not.toHaveBeenCalled()
  })
})

describe('a key that is no good', () => {
  it.each([
    ['nothing', ''],
    ["a tenant's name", 'dev'],
    ['the start of one', 'ty_abc'],
    ['a NUL', '\0'],
    ['100,000 characters', 'x'.repeat(100_000)],
  ])('is refused without a look-up: %s', async (_, text) => {
    for (const openTenant of [null, 'dev']) {
      const { authenticate, find } = newServer({ openTenant })
      expect(await authenticate([text])).toEqual(INVALID)
      expect(find).not.toHaveBeenCalled()
    }
  })

  it('gets one and the same answer, unknown, wrong, expired, revoked or of a disabled tenant, open tenant or not', async () => {
    const clock = fakeClock()
    const good = await addKey()
    const wrongSecret = secretOfAnotherKeyOf(good)
    const expired = await addKey({ expiresAt: clock.now() })
    const revoked = await addKey()
    await store.revokeKey(revoked.tenant, revoked.id, 1)
    const disabled = await addKey()
    await store.changeTenant(disabled.tenant, { disabledAt: 1 })

    const answers = new Set<string>()
    for (const openTenant of [null, 'dev']) {
      for (const { text } of [newKey(), wrongSecret, expired, revoked, disabled]) {
        const answer = await newServer({ openTenant }).authenticate([text])
        expect(answer).toEqual(INVALID)
        answers.add(JSON.stringify(answer))
      }
    }
    expect(answers.size).toBe(1)
  })

  it('is refused beside a good one, and two good ones as well', async () => {
    const [one, two] = [await addKey(), await addKey()]
    for (const other of [two.text, 'rubbish', '']) {
      expect(await newServer().authenticate([one.text, other])).toEqual({
        failure: { code: 'unauthenticated', message: 'this request has several API keys that differ; send one' },
      })
    }
  })

  it('is never named in the answer', async () => {
    const { text } = newKey()
    expect(JSON.stringify(await newServer().authenticate([text]))).not.toContain(text.slice(3, 15))
  })
})

describe('secrets', () => {
  it('are compared in constant time, whether the id is known or not', async () => {
    const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
    const good = await addKey()
    for (const text of [good.text, secretOfAnotherKeyOf(good).text, newKey().text]) {
      compare.mockClear()
      await newServer().authenticate([text])
      expect(compare).toHaveBeenCalledTimes(1)
    }
  })

  it('are compared in constant time whatever their lengths', async () => {
    const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
    expect(await sameSecret('a', 'a')).toBe(true)
    expect(await sameSecret('a', 'b')).toBe(false)
    expect(await sameSecret('a', 'a much longer one')).toBe(false)
    expect(await sameSecret('', 'a')).toBe(false)
    expect(compare).toHaveBeenCalledTimes(4)
  })

  it('are nowhere in the database', async () => {
    const key = await addKey()
    const { results } = await env.DB.prepare('SELECT * FROM keys').all()
    expect(JSON.stringify(results)).toContain(key.id)
    expect(JSON.stringify(results)).not.toContain(key.text.slice(16, 40))
  })
})

describe('the cache of an isolate', () => {
  it('asks once for many requests', async () => {
    const key = await addKey()
    const { authenticate, find } = newServer()
    for (let request = 0; request < 50; request++) await authenticate([key.text])
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('asks once for many requests at the same time', async () => {
    const key = await addKey()
    const { authenticate, find } = newServer()
    const callers = await Promise.all(Array.from({ length: 50 }, () => authenticate([key.text])))
    expect(callers.every((caller) => 'principal' in caller)).toBe(true)
    expect(find).toHaveBeenCalledTimes(1)
  })

  it.each(['revoked', 'disabled'])('lets a key live for less than 30 s after it was %s', async (how) => {
    const key = await addKey()
    const { authenticate, clock } = newServer()
    expect(await authenticate([key.text])).toHaveProperty('principal')
    if (how === 'revoked') await store.revokeKey(key.tenant, key.id, clock.now())
    else await store.changeTenant(key.tenant, { disabledAt: clock.now() })

    clock.advance(KEY_CACHE_MS - 1)
    expect(await authenticate([key.text])).toHaveProperty('principal')
    clock.advance(1)
    expect(KEY_CACHE_MS).toBeLessThanOrEqual(30_000)
    expect(await authenticate([key.text])).toEqual(INVALID)
  })

  it('counts the 30 s from before the look-up, and use does not prolong them', async () => {
    const key = await addKey()
    const clock = fakeClock()
    const slow: Pick<KeyStore, 'find'> = {
      async find(id) {
        const found = await store.find(id)
        clock.advance(10_000)
        return found
      },
    }
    const find = vi.spyOn(slow, 'find')
    const authenticate = createAuthenticate({ keys: slow, clock, openTenant: null })
    await authenticate([key.text])
    for (let second = 10; second < 30; second++) {
      await authenticate([key.text])
      clock.advance(1_000)
    }
    expect(find).toHaveBeenCalledTimes(1)
    await authenticate([key.text])
    expect(find).toHaveBeenCalledTimes(2)
  })

  it('ends a key at its expiry, to the millisecond', async () => {
    const key = await addKey({ expiresAt: fakeClock().now() + 5_000 })
    const { authenticate, clock } = newServer()
    clock.advance(4_999)
    expect(await authenticate([key.text])).toHaveProperty('principal')
    clock.advance(1)
    expect(await authenticate([key.text])).toEqual(INVALID)
  })

  it('is no way in for a wrong secret of a cached key, and no look-up either', async () => {
    const key = await addKey()
    const wrong = secretOfAnotherKeyOf(key)
    const { authenticate, find } = newServer()
    await authenticate([key.text])
    for (let request = 0; request < 20; request++) expect(await authenticate([wrong.text])).toEqual(INVALID)
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('looks once a second for a newer secret, however many wrong ones are tried, and remembers the newer one', async () => {
    const key = await addKey()
    const { authenticate, clock, find } = newServer()
    const wrong = secretOfAnotherKeyOf(key)
    await authenticate([key.text])
    for (let tenth = 0; tenth < 25; tenth++) {
      clock.advance(100)
      expect(await authenticate([wrong.text])).toEqual(INVALID)
    }
    expect(find).toHaveBeenCalledTimes(4)

    clock.advance(KEY_SECOND_LOOK_MS)
    const newer = newKey(key.id)
    const at = clock.now()
    await store.rotateKey(key.tenant, key.id, { hash: await hashKey(newer), at, oldUntil: at + 10_000 })
    for (const { text } of [newer, key, newer]) expect(await authenticate([text])).toHaveProperty('principal')
    expect(find).toHaveBeenCalledTimes(5)
    clock.advance(10_000)
    expect(await authenticate([key.text])).toEqual(INVALID)
    expect(await authenticate([newer.text])).toHaveProperty('principal')
  })

  it('remembers an unknown key for five seconds', async () => {
    const key = newKey()
    const { authenticate, clock, find } = newServer()
    for (let request = 0; request < 5; request++) expect(await authenticate([key.text])).toEqual(INVALID)
    expect(find).toHaveBeenCalledTimes(1)
    await addKey({ key })
    clock.advance(5_000)
    expect(await authenticate([key.text])).toHaveProperty('principal')
  })

  it('keeps a key in use while more unknown ones than it holds are tried', async () => {
    const { authenticate, find, ...server } = newServer({
      keys: {
        find: async (id) => (id === key.id ? store.find(id) : null),
      },
    })
    const key = await addKey()
    await authenticate([key.text])
    for (let guess = 0; guess < KEY_CACHE_ENTRIES + 10; guess++) await authenticate([newKey().text])
    find.mockClear()
    server.clock.advance(1)
    expect(await authenticate([key.text])).toHaveProperty('principal')
    expect(find).not.toHaveBeenCalled()
  })

  it('forgets the key that was not used for the longest', async () => {
    const keys = await Promise.all(
      Array.from({ length: KEY_CACHE_ENTRIES + 1 }, async () => {
        const key = newKey()
        return { key, hash: await hashKey(key) }
      }),
    )
    const hashes = new Map(keys.map(({ key, hash }) => [key.id, hash]))
    const { authenticate, find } = newServer({
      keys: {
        find: async (id) => ({
          id,
          tenant: tenantId('t'),
          hash: hashes.get(id) ?? new Uint8Array(32),
          scopes: ['read'],
          expiresAt: null,
          revokedAt: null,
          tenantDisabledAt: null,
          revokedChildren: [],
          firstHash: new Uint8Array(32),
          old: null,
          addresses: [],
        }),
      },
    })
    const [first, second] = keys
    if (!first || !second) throw new Error('no keys')
    for (const { key } of keys.slice(0, -1)) await authenticate([key.text])
    await authenticate([first.key.text])
    for (const { key } of keys.slice(-1)) await authenticate([key.text])
    find.mockClear()
    await authenticate([first.key.text])
    expect(find).not.toHaveBeenCalled()
    await authenticate([second.key.text])
    expect(find).toHaveBeenCalledTimes(1)
  })
})

describe('when the database', () => {
  it('cannot be reached, nobody gets in, it is said so, and the next request tries again', async () => {
    const key = await addKey()
    let down = true
    const { authenticate } = newServer({
      openTenant: 'dev',
      keys: {
        async find(id) {
          if (down) throw new FailureError({ code: 'upstream', message: 'keys cannot be looked up' })
          return store.find(id)
        },
      },
    })
    const both = await Promise.all([authenticate([key.text]), authenticate([key.text])])
    expect(both).toEqual(Array(2).fill({ failure: { code: 'upstream', message: 'keys cannot be looked up' } }))
    down = false
    expect(await authenticate([key.text])).toHaveProperty('principal')
  })

  it('has lost its tables, the answer names no table and no statement', async () => {
    const broken = d1KeyStore({
      prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error('D1_ERROR: no such table: keys')) }) }),
    } as unknown as D1Database)
    const caller = await newServer({ keys: broken }).authenticate([newKey().text])
    expect(caller).toEqual({
      failure: { code: 'upstream', message: 'API keys cannot be looked up at the moment; try again in a few seconds' },
    })
  })

  it('never answers one request, those after it are served all the same', async () => {
    const key = await addKey()
    const { authenticate, find } = newServer()
    find.mockImplementationOnce(() => new Promise(() => {}))
    void authenticate([key.text])
    expect(await authenticate([key.text])).toHaveProperty('principal')
  })
})

/** Well-formed, with the id of `key` and another secret. */
function secretOfAnotherKeyOf({ id }: { id: string }): ApiKey {
  const body = `ty_${id}_${newKey().text.slice(16, 59)}`
  return { id, text: body + crc32Base62(body) }
}

/** Written again, bit by bit from the definition, so that the test does not lean on what it tests. */
function crc32Base62(text: string): string {
  let crc = 0xffffffffn
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc % 2n === 1n ? (crc / 2n) ^ 0xedb88320n : crc / 2n
  }
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let value = crc ^ 0xffffffffn
  let out = ''
  while (out.length < 6) {
    out = digits.charAt(Number(value % 62n)) + out
    value /= 62n
  }
  return out
}
