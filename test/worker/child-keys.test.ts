import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { createAuthenticate, openRoot } from '../../src/auth/authenticate.ts'
import { childKeyText, parseChildKey, tagText } from '../../src/auth/child-key.ts'
import { type ChildLink, packLink, unpackLink } from '../../src/auth/child-link.ts'
import { ChildSigner } from '../../src/auth/child-signer.ts'
import { checksum, hashKey, newKey, randomDigits } from '../../src/auth/key.ts'
import { allowsSession } from '../../src/auth/restrictions.ts'
import { tenantId } from '../../src/core/ids.ts'
import { MAX_CHILD_KEY_CHARS, MAX_CHILD_KEY_DEPTH } from '../../src/core/limits/child-keys.ts'
import { KEY_CACHE_MS } from '../../src/core/limits/tenants.ts'
import type { Scope } from '../../src/ports/keys.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { migrateKeys } from '../support/keys-database.ts'

const store = d1KeyStore(env.DB)
const SECRET = 'a secret of this server, long and random'
const signer = new ChildSigner(SECRET)
const HOUR_MS = 3_600_000
const INVALID = { failure: { code: 'unauthenticated', message: expect.stringMatching(/^this key is not valid: /) } }

beforeAll(() => migrateKeys(env.DB))

/** A server's judgement over the real database, a key of a new tenant, and what its child keys are made of. */
async function open({ scopes = ['read', 'execute'] as Scope[], serverKey = SECRET as string | null } = {}) {
  const clock = fakeClock()
  const finds: string[] = []
  const find = (id: string) => {
    finds.push(id)
    return store.find(id)
  }
  const signing = serverKey === null ? null : new ChildSigner(serverKey)
  const authenticate = createAuthenticate({ keys: { ...store, find }, clock, signer: signing, openTenant: null })
  const tenant = tenantId(randomDigits(12, 'abcdefghijklmnopqrstuvwxyz'))
  await store.addTenant({ id: tenant, name: 'T', createdAt: 0 })
  const key = newKey()
  const hash = await hashKey(key)
  await store.addKey({ id: key.id, tenant, name: 'n', scopes, createdAt: 0, expiresAt: null, hash }, 1_000)
  const root = { id: key.id, tenant, hash, firstHash: hash }
  return { authenticate, clock, finds, key, root, tenant }
}

const linkAt = (now: number, restrictions: Partial<ChildLink> = {}): ChildLink => ({
  id: randomDigits(12),
  expiresAt: Math.floor(now / 1_000) * 1_000 + HOUR_MS,
  ...restrictions,
})

/** Text of a child key whose links are signed for that root. */
async function childOf(root: Parameters<ChildSigner['tag']>[0], links: readonly ChildLink[], by = signer) {
  const texts = links.map(packLink)
  return childKeyText({ root: root.id, links: texts, tag: tagText(await by.tag(root, texts)) })
}

/** The same key in other parts, with a checksum that fits. */
function remade(text: string, change: (parts: { root: string; links: string[]; tag: string }) => object): string {
  const { root, links, tag } = parseChildKey(text) ?? expect.unreachable()
  const parts = { root, links: [...links], tag }
  return childKeyText({ ...parts, ...change(parts) })
}

describe('a child key', () => {
  it('is its parent’s tenant, has the chain as its id, and the restrictions of all its links', async () => {
    const { authenticate, clock, root, tenant, finds } = await open()
    const [a, b] = [
      linkAt(clock.now(), { sessions: { names: [], prefixes: ['job-'] }, tools: ['file_read', 'file_write'] }),
      linkAt(clock.now(), {
        sessions: { names: ['job-1', 'x'], prefixes: [] },
        tools: ['file_write', 'execute_shell'],
      }),
    ]
    const text = await childOf(root, [a, b])
    expect(await authenticate([text])).toMatchObject({
      principal: {
        tenant,
        scopes: ['read', 'execute'],
        keyId: `${root.id}.${a.id}.${b.id}`,
        restrictions: { tools: ['file_write'], isMetered: false, expiresAt: a.expiresAt },
      },
    })
    await authenticate([text])
    // One look-up of the root, as for the root itself.
    expect(finds).toEqual([root.id])
  })

  it('has the scopes that each link leaves, and never one that the root lacks', async () => {
    const scopesOf = async (root: Scope[], ...links: Partial<ChildLink>[]) => {
      const opened = await open({ scopes: root })
      const made = links.map((link) => linkAt(opened.clock.now(), link))
      const answer = await opened.authenticate([await childOf(opened.root, made)])
      return 'principal' in answer ? answer.principal.scopes : answer
    }
    expect(await scopesOf(['admin'], {})).toEqual(['read', 'execute', 'admin'])
    expect(await scopesOf(['admin'], { scopes: ['execute'] })).toEqual(['read', 'execute'])
    expect(await scopesOf(['admin'], { scopes: ['read'] }, { scopes: ['admin'] })).toEqual(['read'])
    expect(await scopesOf(['read'], { scopes: ['admin'] })).toEqual(['read'])
    expect(await scopesOf(['admin'], { sessions: { names: ['a'], prefixes: [] } })).toEqual(['read', 'execute'])
    expect(await scopesOf(['admin'], { tools: ['file_read'] })).toEqual(['read', 'execute'])
  })

  it('ends with the earliest end in its chain', async () => {
    const { authenticate, clock, root } = await open()
    const now = clock.now()
    const text = await childOf(root, [linkAt(now, { expiresAt: now + 2_000 }), linkAt(now)])
    expect(await authenticate([text])).toHaveProperty('principal')
    clock.advance(2_000)
    expect(await authenticate([text])).toEqual(INVALID)
  })
})

describe('nobody but the server makes one that is good:', () => {
  it('without its last link a chain is not the parent, and with one more not a child', async () => {
    const { authenticate, clock, root } = await open()
    const links = [linkAt(clock.now(), { scopes: ['read'] }), linkAt(clock.now(), { tools: ['file_read'] })]
    const text = await childOf(root, links)
    expect(await authenticate([text])).toHaveProperty('principal')
    expect(await authenticate([remade(text, (parts) => ({ links: parts.links.slice(0, 1) }))])).toEqual(INVALID)
    expect(await authenticate([remade(text, (parts) => ({ links: parts.links.slice(1) }))])).toEqual(INVALID)
    expect(await authenticate([remade(text, (parts) => ({ links: parts.links.toReversed() }))])).toEqual(INVALID)
    const more = packLink(linkAt(clock.now()))
    expect(await authenticate([remade(text, (parts) => ({ links: [...parts.links, more] }))])).toEqual(INVALID)
    // Not even when what the holder has is taken for the key of the next link, as other schemes have it.
    const { links: have, tag } = parseChildKey(text) ?? expect.unreachable()
    const raw = Uint8Array.fromBase64(tag, { alphabet: 'base64url' })
    const hmac = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const next = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(more)))
    expect(await authenticate([childKeyText({ root: root.id, links: [...have, more], tag: tagText(next) })])).toEqual(
      INVALID,
    )
  })

  it('each character of it counts, and its tag has one spelling', async () => {
    const { authenticate, clock, root } = await open()
    const text = await childOf(root, [linkAt(clock.now(), { scopes: ['read'] })])
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const body = text.slice(0, -6)
    const from = 'tyc_'.length
    for (let at = from; at < body.length; at++) {
      const was = alphabet.indexOf(body[at] ?? '')
      if (was === -1 || body[at] === '_') continue
      // The neighbour differs in the lowest bit: of the last character of a tag that bit is unused.
      const other = `${body.slice(0, at)}${alphabet[was ^ 1]}${body.slice(at + 1)}`
      expect(await authenticate([other + checksum(other)]), `at ${at}`).toEqual(INVALID)
    }
  })

  it('a chain under one key is none under another, of the same tenant or of another', async () => {
    const one = await open()
    const other = await open()
    const text = await childOf(one.root, [linkAt(one.clock.now())])
    expect(await other.authenticate([remade(text, () => ({ root: other.root.id }))])).toEqual(INVALID)
    const second = newKey()
    const hash = await hashKey(second)
    const made = {
      id: second.id,
      tenant: one.tenant,
      name: 'n',
      scopes: ['admin'] as const,
      createdAt: 0,
      expiresAt: null,
    }
    await store.addKey({ ...made, hash }, 1_000)
    expect(await one.authenticate([remade(text, () => ({ root: second.id }))])).toEqual(INVALID)
    expect(await one.authenticate([remade(text, () => ({ root: 'local' }))])).toEqual(INVALID)
    expect(await one.authenticate([remade(text, () => ({ root: 'a'.repeat(12) }))])).toEqual(INVALID)
  })

  it('the table of hashes is not enough, nor is the server’s secret for a key it has no hash of', async () => {
    const { authenticate, clock, root } = await open()
    const links = [linkAt(clock.now())]
    const guesses = ['', root.hash.toHex(), root.tenant, 'SECRETS_KEY']
    for (const guess of guesses) {
      expect(await authenticate([await childOf(root, links, new ChildSigner(guess))])).toEqual(INVALID)
    }
    expect(await authenticate([await childOf({ ...root, firstHash: new Uint8Array(32) }, links)])).toEqual(INVALID)
  })

  it('a server with another secret, or with none, takes none', async () => {
    for (const serverKey of [null, 'another secret']) {
      const { authenticate, clock, root } = await open({ serverKey })
      expect(await authenticate([await childOf(root, [linkAt(clock.now())])])).toEqual(INVALID)
    }
  })

  it('text in no known form, too long or too deep is refused, without a look-up', async () => {
    const { authenticate, clock, root, finds } = await open()
    const many = Array.from({ length: MAX_CHILD_KEY_DEPTH + 1 }, () => linkAt(clock.now()))
    const wide = linkAt(clock.now(), { tools: Array.from({ length: 90 }, (_, at) => `a-tool-with-a-long-name-${at}`) })
    const texts = [
      'tyc_',
      `tyc_${root.id}_`,
      `tyc_${root.id}__${'A'.repeat(43)}000000`,
      `tyc_${root.id}_${'_'.repeat(3_000)}`,
      `tyc_${'_'.repeat(100_000)}`,
      await childOf(root, many),
      await childOf(root, [wide]),
    ]
    expect(texts.at(-1)?.length).toBeGreaterThan(MAX_CHILD_KEY_CHARS)
    for (const text of texts) expect(await authenticate([text])).toEqual(INVALID)
    expect(finds).toEqual([])
    expect(await authenticate([await childOf(root, many.slice(1))])).toHaveProperty('principal')
  })

  it('a link that newer code signed is refused, and not taken without what this one does not know', async () => {
    const { authenticate, root } = await open()
    const newer = new TextEncoder().encode('{"i":"0123456789ab","e":9999999999,"z":1}')
    const links = [newer.toBase64({ alphabet: 'base64url', omitPadding: true })]
    const text = childKeyText({ root: root.id, links, tag: tagText(await signer.tag(root, links)) })
    expect(await authenticate([text])).toEqual(INVALID)
  })
})

describe('a child key is refused when', () => {
  it('the key at its root is revoked, has expired, or its tenant is disabled', async () => {
    for (const end of ['revoked', 'disabled'] as const) {
      const { authenticate, clock, root, tenant } = await open()
      const text = await childOf(root, [linkAt(clock.now())])
      expect(await authenticate([text])).toHaveProperty('principal')
      if (end === 'revoked') await store.revokeKey(tenant, root.id, 1)
      else await store.changeTenant(tenant, { disabledAt: 1 })
      clock.advance(KEY_CACHE_MS)
      expect(await authenticate([text]), end).toEqual(INVALID)
    }
  })

  it('it or one above it was revoked, within the time of the cache, and no other with it', async () => {
    const { authenticate, clock, root } = await open()
    const now = clock.now()
    const [a, b, other] = [linkAt(now), linkAt(now), linkAt(now)]
    const [child, grandchild, sibling] = await Promise.all([
      childOf(root, [a]),
      childOf(root, [a, b]),
      childOf(root, [other]),
    ])
    await store.revokeChild(`${root.id}.${a.id}.${b.id}`, b.expiresAt, now)
    expect(await authenticate([grandchild])).toEqual(INVALID)
    expect(await authenticate([child])).toHaveProperty('principal')
    await store.revokeChild(`${root.id}.${a.id}`, a.expiresAt, now)
    clock.advance(KEY_CACHE_MS)
    for (const text of [child, grandchild]) expect(await authenticate([text])).toEqual(INVALID)
    expect(await authenticate([sibling])).toHaveProperty('principal')
    // What stands below a revoked one needs no entry of its own.
    expect((await store.find(root.id))?.revokedChildren).toEqual([`${root.id}.${a.id}`])
  })

  it('revocations are dropped when the key would have expired', async () => {
    const { clock, root } = await open()
    const [a, b] = [linkAt(clock.now()), linkAt(clock.now())]
    await store.revokeChild(`${root.id}.${a.id}`, 1_000, 0)
    await store.revokeChild(`${root.id}.${b.id}`, 5_000, 1_000)
    expect((await store.find(root.id))?.revokedChildren).toEqual([`${root.id}.${b.id}`])
  })
})

describe('on a server that lets requests in without a key', () => {
  it('the open tenant has children too, which can be revoked', async () => {
    const clock = fakeClock()
    const dev = tenantId('dev')
    const authenticate = createAuthenticate({ keys: store, clock, signer, openTenant: dev })
    const link = linkAt(clock.now(), { scopes: ['read'] })
    const text = await childOf(openRoot(dev), [link])
    expect(await authenticate([text])).toMatchObject({
      principal: { tenant: 'dev', keyId: `local.${link.id}`, scopes: ['read'] },
    })
    await store.revokeChild(`local.${link.id}`, link.expiresAt, clock.now())
    clock.advance(KEY_CACHE_MS)
    expect(await authenticate([text])).toEqual(INVALID)
    const closed = createAuthenticate({ keys: store, clock, signer, openTenant: null })
    const another = await childOf(openRoot(dev), [linkAt(clock.now())])
    expect(await closed([another])).toEqual(INVALID)
  })
})

describe('a link', () => {
  it('is the same text after it was read and written again', () => {
    const links: ChildLink[] = [
      linkAt(0),
      linkAt(0, { sessions: { names: ['a/b', 'ü', '\ud800'], prefixes: [] }, callsPerMinute: 3 }),
      linkAt(0, { scopes: ['read'], tools: ['x'], budget: { calls: 1, cost: 2 } }),
      linkAt(0, { sessions: { names: [], prefixes: ['"'] }, budget: { cost: 2 } }),
    ]
    for (const link of links) expect(packLink(unpackLink(packLink(link)) ?? expect.unreachable())).toBe(packLink(link))
  })
})

describe('the sessions of a chain', () => {
  const allows = (name: string, ...sessions: { names?: string[]; prefixes?: string[] }[]) =>
    allowsSession({ sessions: sessions.map(({ names = [], prefixes = [] }) => ({ names, prefixes })) }, name)

  it('are those whose names are given exactly, or begin exactly so, in each link', () => {
    expect(allows('a', { names: ['a'] })).toBe(true)
    for (const name of ['ab', 'A', 'a ', ' a', 'a/b', 'a%2Fb', 'а', 'a\u0301', ''])
      expect(allows(name, { names: ['a'] })).toBe(false)
    expect(allows('é', { names: ['e\u0301'] })).toBe(false)
    expect(allows('job-1', { prefixes: ['job-'] })).toBe(true)
    for (const name of ['job', 'Job-1', 'xjob-1']) expect(allows(name, { prefixes: ['job-'] })).toBe(false)
    expect(allows('job-1', { prefixes: ['job-'] }, { names: ['job-2', 'job-1'] })).toBe(true)
    expect(allows('job-3', { prefixes: ['job-'] }, { names: ['job-2'] })).toBe(false)
    expect(allows('other', { prefixes: ['job-'] }, { names: ['other'] })).toBe(false)
    expect(allows('*', { names: ['*'] })).toBe(true)
    expect(allows('b', { names: ['*'], prefixes: ['*'] })).toBe(false)
  })
})
