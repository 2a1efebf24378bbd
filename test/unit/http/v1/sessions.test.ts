import { expect, it } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import { openV1 } from './open.ts'

it('a server whose sandboxes are not isolated refuses to keep a session from the internet, instead of not doing it', async () => {
  const { call } = openV1({ canDenyInternet: false })
  for (const [method, path] of [
    ['POST', '/v1/sessions'],
    ['PATCH', '/v1/sessions/s'],
  ] as const) {
    for (const internet of [false, ['pypi.org']]) {
      expect(await call(method, path, { internet })).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', detail: expect.stringContaining('cannot keep commands from the network') },
      })
    }
  }
})

it.each([
  [
    'false',
    { ceiling: false, default: false },
    'keeps sessions of your tenant from the network; give false, or leave it out',
  ],
  [
    'a list',
    { ceiling: ['*.example.org', 'pypi.org'], default: false },
    'reach no more than *.example.org, pypi.org; give some of these hosts, or false, or leave it out',
  ],
] as const)(
  'a session that wants more than the ceiling of its tenant, %s, is refused with what it may have',
  async (_, policies, says) => {
    const { call } = openV1({
      canDenyInternet: true,
      internetPolicies: async () => policies,
      session: () => ({}),
    } as never)
    for (const [method, path] of [
      ['POST', '/v1/sessions'],
      ['PATCH', '/v1/sessions/s'],
    ] as const) {
      for (const internet of [true, ['example.org'], ['pypi.org', 'github.com']]) {
        expect(await call(method, path, { internet })).toMatchObject({
          status: 400,
          body: { code: 'invalid_input', detail: expect.stringContaining(says) },
        })
      }
    }
    // The tenant's default has no index either.
    expect(await call('POST', '/v1/sessions', { requirements: ['numpy'] })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('sessions of your tenant have no network') },
    })
  },
)

it('a session that is not there is answered with the one that was probably meant, or how to make it', async () => {
  const missing = () => Promise.reject(new FailureError({ code: 'session_not_found', message: 'none' }))
  const { tenant, call } = openV1({ session: () => ({ life: { look: missing }, remove: async () => false }) } as never)
  await tenant.sessions.add({ name: 'otter-notes', nodeId: 'n', title: 'otters', createdAt: 1 })
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await call(method, '/v1/sessions/oter-notes')).body.detail).toContain('did you mean otter-notes?')
    expect((await call(method, '/v1/sessions/a%2Fb')).body.detail).toBe(
      'there is no session a/b; make it by POST /v1/sessions',
    )
  }
})

it('whatever stands under a session that is not there is answered so, and so is a call of a batch', async () => {
  const missing = () => Promise.reject(new FailureError({ code: 'session_not_found', message: 'none' }))
  const group = new Proxy({}, { get: () => missing })
  const methods: Record<string, unknown> = {
    call: missing,
    begin: missing,
    fetch: async () => new Response(null, { status: 404 }),
  }
  const session = () => new Proxy({}, { get: (_, name) => methods[String(name)] ?? group })
  const { tenant, call } = openV1({
    session,
    tools: [],
    toolkits: [],
    registeredTools: async () => ({ tools: [] }),
  } as never)
  await tenant.sessions.add({ name: 'otter-notes', nodeId: 'n', title: 'otters', createdAt: 1 })
  const detail = 'there is no session oter-notes; did you mean otter-notes?'
  for (const below of [
    'files',
    'files/a.txt',
    'history',
    'history/1',
    'diff',
    'snapshots',
    'snapshots/x',
    'watch',
    'archive',
    'links',
    'links/lnk_0',
    'tools',
    'calls',
    'calls/x',
  ]) {
    const answer = await call('GET', `/v1/sessions/oter-notes/${below}`)
    expect(answer, below).toMatchObject({ status: 404, body: { code: 'session_not_found', detail } })
  }
  expect((await call('GET', '/v1/sessions/%E0%A4%A/files')).status).toBe(404)
  const batch = await call('POST', '/v1/sessions/oter-notes/calls:batch', { calls: [{ tool: 'x' }] })
  expect(batch.body).toMatchObject({ data: [{ status: 404, problem: { code: 'session_not_found', detail } }] })
})
