import { describe, expect, it } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import { ADMISSION_RETRY_MS } from '../../../../src/core/limits/admission.ts'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import { admittedSession } from '../../../../src/http/admission/admitted-session.ts'
import { longRequestsError, waitingRequestsError } from '../../../../src/http/admission/errors.ts'
import type { Permit } from '../../../../src/http/admission/permit.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import { lagent } from '../../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../../src/http/dialects/toolserver/routes.ts'
import { v1 } from '../../../../src/http/dialects/v1/routes.ts'
import { xagent } from '../../../../src/http/dialects/xagent/routes.ts'
import { marketModeration } from '../../../../src/market/moderation.ts'
import type { SessionApi } from '../../../../src/session/api.ts'
import { NodeDatabase } from '../../../support/database-node.ts'
import { NO_KEYS } from '../../../support/no-keys.ts'
import { NO_LINKS } from '../../../support/no-links.ts'
import { readAsset } from '../../../support/openapi/read-asset.ts'
import { READER_HERE } from '../../../support/reader-here.ts'

/** All dialects, for a tenant whose queue is full. */
const app = createApp({
  dialects: [
    toolcore,
    xagent,
    lagent,
    toolserver,
    v1({
      ...NO_LINKS,
      ...NO_KEYS,
      reader: READER_HERE,
      publicPapers: null,
      adminToken: null,
      marketModeration: marketModeration(new NodeDatabase()),
      readAsset,
    }),
  ],
  authenticate: async () => ({ principal: { tenant: tenantId('acme'), scopes: ['admin'], keyId: 'k' } }),
  services: () => ({}) as Services, // nobody comes so far
  isLocal: true,
  scheduler: {
    enter: async () => {
      throw waitingRequestsError()
    },
  },
})

const DETAIL = { detail: expect.stringContaining('MAX_WAITING_REQUESTS') }
const PROBLEM = { ...DETAIL, code: 'rate_limited', status: 429, retryable: true }

describe('a request for which there is no place', () => {
  it.each([
    ['Tool Server', '/api/tool/execute', DETAIL],
    ['XAgent', '/execute_tool', DETAIL],
    ['Toolcore', '/internal/tools/call', DETAIL],
    ['Lagent', '/lagent/execute', PROBLEM],
    ['v1', '/v1/sessions/s/calls', PROBLEM],
  ])(
    'is answered 429 by %s in its own words, with when to come again, and its body is not read',
    async (_, path, body) => {
      const request = new Request(`https://test${path}`, { method: 'POST', body: '{' })
      const refused = await app.fetch(request)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('Retry-After')).toBe(`${ADMISSION_RETRY_MS / 1_000}`)
      expect(refused.headers.get('RateLimit')).toBe('"tenant-concurrency";r=0;t=2')
      expect(await refused.json()).toMatchObject(body)
      expect(request.bodyUsed).toBe(false)
    },
  )
})

describe('a call that takes long, of which there are too many', () => {
  const full: Permit = {
    beginLongWait() {
      throw longRequestsError()
    },
    openStream: () => () => {},
    release() {},
  }
  const done: Outcome = { kind: 'done', result: { text: '', data: {} } }
  const session = admittedSession(
    {
      call: async () => done,
      nodes: {
        visit: async (_node: string, call?: ToolCall) => ({ state: 'running', ...(call && { outcome: done }) }),
      },
      info: async () => null,
    } as unknown as SessionApi, // no more of it is asked for
    full,
    (tool) => tool === 'execute_shell',
  )
  const refusal = { kind: 'refused', failure: { code: 'rate_limited' } }

  it('is refused, by session as by node; others are made', async () => {
    const [long, short] = ['execute_shell', 'file_read'].map((tool) => ({ tool, args: {} })) as [ToolCall, ToolCall]
    expect(await session.call(long)).toMatchObject(refusal)
    expect(await session.nodes.visit('n', long)).toMatchObject({ state: 'running', outcome: refusal })
    expect(await session.call(short)).toEqual(done)
    expect(await session.nodes.visit('n', short)).toEqual({ state: 'running', outcome: done })
    expect(await session.info()).toBeNull()
  })
})

describe('a request that ends or awaits work in a sandbox', () => {
  const done = async () => undefined
  const api = {
    remove: done,
    info: done,
    files: { download: done, archive: done, upload: done },
    calls: { page: done, find: done, follow: done, cancel: done },
    tools: { list: done },
    people: { list: done, answer: done },
    nodes: { visit: done, close: done, reconnect: done },
  } as unknown as SessionApi // no more of it is asked for
  const answer = { completed: true, result: null }
  const follow = { callId: 'c', after: 0, patienceMs: 1 }

  it.each<[string, number, (session: SessionApi) => Promise<unknown>]>([
    ['removes the session', 1, (session) => session.remove()],
    ['closes its node', 1, (session) => session.nodes.close('n')],
    ['reconnects its node', 1, (session) => session.nodes.reconnect('n')],
    ['cancels a call', 1, (session) => session.calls.cancel('c')],
    ['looks at the session', 0, (session) => session.info()],
    ['reads a file', 0, (session) => session.files.download('a')],
    ['looks at calls', 0, (session) => Promise.all([session.calls.page({ limit: 1 }), session.calls.find('c')])],
    ['follows a call', 0, (session) => session.calls.follow(follow)],
    ['looks at tools and tasks', 0, (session) => Promise.all([session.tools.list(), session.people.list()])],
    ['answers a task', 0, (session) => session.people.answer('h', answer)],
    ['visits its node', 0, (session) => session.nodes.visit('n')],
  ])('holds no slots meanwhile, and any other does: %s', async (_, waits, request) => {
    let begun = 0
    const permit: Permit = {
      beginLongWait() {
        begun += 1
      },
      openStream: () => () => {},
      release() {},
    }
    await request(admittedSession(api, permit, () => true))
    expect(begun).toBe(waits)
  })
})
