import { exportSPKI, importJWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { guardedHttp } from '../../../../src/adapters/http-guarded.ts'
import { fetchKeys } from '../../../../src/adapters/oauth/issuer-documents.ts'
import { IssuerKeys } from '../../../../src/adapters/oauth/issuer-keys.ts'
import { jwtCheck } from '../../../../src/adapters/oauth/token-check.ts'
import {
  ISSUER_KEYS_FRESH_MS,
  ISSUER_KEYS_KEPT_MS,
  ISSUER_RETRY_MS,
  MAX_ISSUER_DOCUMENT_BYTES,
  MAX_TOKEN_CHARS,
  UNKNOWN_KEY_RETRY_MS,
} from '../../../../src/core/limits/oauth.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { type StandInAnswer, type StandInRequest, standIn } from '../../../support/stand-in.ts'
import { AUDIENCE, issuerAnswer, tokenIssuer } from '../../../support/token-issuer.ts'

const issuing = await tokenIssuer()

type Answer = (request: StandInRequest) => StandInAnswer

/** A check over an issuer on this machine, which the guarded port lets it reach and nothing else. */
async function open({
  answer,
  jwksPath,
  keys = [issuing.jwk],
}: {
  answer?: Answer
  jwksPath?: string
  keys?: object[]
} = {}) {
  let answered: Answer = answer ?? ((request) => issuerAnswer(request, keys))
  const server = await standIn((request) => answered(request))
  const clock = fakeClock()
  const http = guardedHttp({
    policy: { extraPorts: [], dangerouslyAllowHosts: [server.host] },
    resolve: null,
    send: (input, init) => fetch(input, init),
  })
  const reported: unknown[] = []
  const issuer = server.url
  const check = jwtCheck({
    issuer,
    audiences: [AUDIENCE, 'https://tools.example.com'],
    tenantClaim: 'tenant',
    clock,
    keys: new IssuerKeys({
      clock,
      report: (thrown) => reported.push(thrown),
      fetchKeys: () => fetchKeys({ issuer, jwksUrl: jwksPath === undefined ? null : `${issuer}${jwksPath}`, http }),
    }),
  })
  return {
    check: (token: string) => check.check(token),
    token: (claims?: Record<string, unknown>, header?: Record<string, unknown>) =>
      issuing.token(issuer, clock.now(), claims, header),
    issuer,
    clock,
    requests: server.requests,
    reported,
    answers: (next: Answer) => {
      answered = next
    },
  }
}

const UNAVAILABLE = { failure: { code: 'unavailable' } }

describe('a token of the issuer', () => {
  it('says whom, for which tenant, with which scopes and how long', async () => {
    const { check, token, clock } = await open()
    expect(await check(await token())).toEqual({
      subject: 'ann',
      tenant: 'acme',
      scopes: ['read', 'execute'],
      expiresAt: clock.now() + 600_000,
    })
    const other = await token(
      { scope: undefined, scp: ['read', 7], aud: ['x', 'https://tools.example.com'], tenant: 3 },
      { typ: 'JWT' },
    )
    expect(await check(other)).toMatchObject({ scopes: ['read'], tenant: null })
  })

  it.each(['ES256', 'PS256', 'EdDSA'])('may be signed by %s', async (alg) => {
    const signing = await tokenIssuer({ alg })
    const { check, issuer, clock } = await open({ keys: [signing.jwk] })
    expect(await check(await signing.token(issuer, clock.now()))).toMatchObject({ subject: 'ann' })
  })

  it('may be a moment old, as clocks differ', async () => {
    const { check, token, clock } = await open()
    const seconds = clock.now() / 1_000
    expect(await check(await token({ exp: seconds - 20 }))).not.toBeNull()
    expect(await check(await token({ nbf: seconds + 20 }))).not.toBeNull()
  })
})

describe('a forged token', () => {
  it('is refused with no algorithm, and the issuer hears nothing of it', async () => {
    const { check, token, requests } = await open()
    const [, payload, signature] = (await token()).split('.')
    for (const alg of ['none', 'None', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'one' })).toString('base64url')
      expect(await check(`${header}.${payload}.`)).toBeNull()
      expect(await check(`${header}.${payload}.${signature}`)).toBeNull()
    }
    expect(requests).toEqual([])
  })

  it('is refused when the public key signed it as a secret', async () => {
    const { check, issuer, clock } = await open()
    const pem = await exportSPKI((await importJWK(issuing.jwk, 'RS256', { extractable: true })) as CryptoKey)
    const claims = { iss: issuer, aud: AUDIENCE, sub: 'ann', tenant: 'acme', exp: clock.now() / 1_000 + 600 }
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(pem))
    expect(await check(forged)).toBeNull()
  })

  it('is refused when it is signed by another key of that name, brings its own key, or was changed', async () => {
    const { check, issuer, clock, token, requests } = await open()
    const other = await tokenIssuer()
    expect(await check(await other.token(issuer, clock.now()))).toBeNull()
    expect(
      await check(await other.token(issuer, clock.now(), {}, { jwk: other.jwk, jku: 'http://evil.example/keys' })),
    ).toBeNull()
    const [header, payload = '', signature] = (await token()).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...claims, tenant: 'other' })).toString('base64url')
    expect(await check(`${header}.${changed}.${signature}`)).toBeNull()
    expect(requests.every(({ path }) => path.startsWith('/.well-known/') || path === '/keys')).toBe(true)
  })

  it('is refused for another server or issuer, when over or not begun, and without a subject or an end', async () => {
    const { check, token, clock } = await open()
    const seconds = clock.now() / 1_000
    const wrong = [
      { aud: 'https://other.example' },
      { aud: undefined },
      { iss: 'https://evil.example' },
      { exp: seconds - 31 },
      { exp: undefined },
      { nbf: seconds + 31 },
      { sub: undefined },
      { sub: '' },
      { sub: 'a\nb' },
      { sub: 'x'.repeat(256) },
    ]
    for (const claims of wrong) expect(await check(await token(claims)), JSON.stringify(claims)).toBeNull()
    expect(await check(await token({}, { crit: ['x'], x: 1 }).catch(() => 'a.b.c'))).toBeNull()
  })

  it('is refused unread when it is huge', async () => {
    const { check, token, requests } = await open()
    expect(await check(await token({ groups: 'x'.repeat(MAX_TOKEN_CHARS) }))).toBeNull()
    expect(requests).toEqual([])
  })
})

describe('the keys of the issuer', () => {
  it('are fetched once for many tokens, at once too, and anew after a while', async () => {
    const { check, token, clock, requests } = await open()
    const good = await token({ exp: clock.now() / 1_000 + 7_200 })
    await Promise.all(Array.from({ length: 20 }, () => check(good)))
    const fetched = () => requests.filter(({ path }) => path === '/keys').length
    expect(fetched()).toBe(1)
    clock.advance(ISSUER_KEYS_FRESH_MS)
    expect(await check(good)).not.toBeNull()
    expect(fetched()).toBe(2)
  })

  it('are fetched for an unknown name of a key at most once a minute', async () => {
    const { check, token, clock, requests } = await open({ jwksPath: '/keys' })
    expect(await check(await token())).not.toBeNull()
    for (let at = 0; at < 30; at++) expect(await check(await token({}, { kid: `made-up-${at}` }))).toBeNull()
    expect(requests.length).toBe(1)
    clock.advance(UNKNOWN_KEY_RETRY_MS)
    for (let at = 0; at < 30; at++) expect(await check(await token({}, { kid: `made-up-${at}` }))).toBeNull()
    expect(requests.length).toBe(2)
  })

  it('may change: a token of a new key is good within the minute', async () => {
    const next = await tokenIssuer({ kid: 'two' })
    const { check, token, issuer, clock, answers } = await open()
    expect(await check(await token())).not.toBeNull()
    answers((request) => issuerAnswer(request, [issuing.jwk, next.jwk]))
    clock.advance(UNKNOWN_KEY_RETRY_MS)
    expect(await check(await next.token(issuer, clock.now()))).toMatchObject({ subject: 'ann' })
  })

  it('go on for a while when the issuer cannot be reached, and then nothing can be checked', async () => {
    const { check, token, clock, answers, reported, requests } = await open()
    const good = await token({ exp: clock.now() / 1_000 + 7_200 })
    expect(await check(good)).not.toBeNull()
    answers(() => ({ status: 500 }))
    clock.advance(ISSUER_KEYS_FRESH_MS)
    expect(await check(good)).not.toBeNull()
    expect(reported).not.toEqual([])
    clock.advance(ISSUER_KEYS_KEPT_MS)
    await expect(check(good)).rejects.toMatchObject(UNAVAILABLE)
    const before = requests.length
    await expect(check(good)).rejects.toMatchObject(UNAVAILABLE)
    expect(requests.length).toBe(before)
    clock.advance(ISSUER_RETRY_MS)
    answers((request) => issuerAnswer(request, [issuing.jwk]))
    expect(await check(good)).not.toBeNull()
  })

  it.each<[string, Answer]>([
    ['are no JSON', () => ({ body: '<html>' })],
    ['are none', () => ({ body: '{"keys":[]}' })],
    ['are too many', () => ({ body: JSON.stringify({ keys: Array.from({ length: 101 }, () => issuing.jwk) }) })],
    ['are too large', () => ({ body: ' '.repeat(MAX_ISSUER_DOCUMENT_BYTES + 1) })],
    ['are elsewhere on this machine', () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/keys' } })],
    [
      'are behind a redirect',
      ({ path, headers }) =>
        path === '/keys'
          ? { status: 302, headers: { location: `http://${headers.host}/new` } }
          : { body: JSON.stringify({ keys: [issuing.jwk] }) },
    ],
    ['are elsewhere', () => ({ status: 302, headers: { location: 'https://keys.example/' } })],
  ])('are not taken when they %s', async (_, answer) => {
    const { check, token, requests } = await open({ jwksPath: '/keys', answer })
    await expect(check(await token())).rejects.toMatchObject(UNAVAILABLE)
    expect(requests.length).toBe(1)
  })

  it.each(['http://169.254.169.254/keys', 'http://127.0.0.1:9/keys', 'http://[::1]/keys', 'file:///etc/passwd'])(
    'are not fetched from %s, whatever the metadata says',
    async (address) => {
      const answer: Answer = ({ headers, path }) =>
        path.startsWith('/.well-known/')
          ? { body: JSON.stringify({ issuer: `http://${headers.host}`, jwks_uri: address }) }
          : {}
      const { check, token, requests } = await open({ answer })
      await expect(check(await token())).rejects.toMatchObject(UNAVAILABLE)
      expect(requests.every(({ path }) => path.startsWith('/.well-known/'))).toBe(true)
    },
  )

  it('are not taken by the word of another issuer', async () => {
    const answer: Answer = () => ({
      body: JSON.stringify({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/k' }),
    })
    const { check, token, reported } = await open({ answer })
    await expect(check(await token())).rejects.toMatchObject(UNAVAILABLE)
    expect(String(reported[0])).toContain('names another issuer')
  })

  it('are no secrets: a key for HMACs among them verifies nothing', async () => {
    const secret = { kty: 'oct', k: Buffer.from('secret').toString('base64url'), kid: 'one', alg: 'HS256' }
    const { check, issuer, clock } = await open({ keys: [secret] })
    const claims = { iss: issuer, aud: AUDIENCE, sub: 'ann', tenant: 'acme', exp: clock.now() / 1_000 + 600 }
    const forged = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' })
    expect(await check(await forged.sign(new TextEncoder().encode('secret')))).toBeNull()
  })
})
