import { describe, expect, it } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import type { RequestScope, Services } from '../../../../src/http/dialect.ts'
import { v1 } from '../../../../src/http/dialects/v1/routes.ts'
import { marketModeration } from '../../../../src/market/moderation.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NodeDatabase } from '../../../support/database-node.ts'
import { NO_KEYS } from '../../../support/no-keys.ts'
import { NO_LINKS } from '../../../support/no-links.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'
import { V1_ANSWERS } from '../../../support/openapi/answers.ts'
import { readAsset } from '../../../support/openapi/read-asset.ts'
import { READER_HERE } from '../../../support/reader-here.ts'

const READER: RequestScope = {
  requestId: 'r-1',
  caller: {
    principal: { tenant: tenantId('acme'), scopes: ['read'], keyId: 'k' },
    services: {
      tools: catalog.list(),
      toolkits: [],
      registeredTools: async () => ({ tools: [], find: async () => [] }),
      tenant: NO_TOOLS,
    } as unknown as Services, // no more of it is asked for here
  },
}
const NOBODY: RequestScope = {
  requestId: 'r-2',
  caller: { failure: { code: 'unauthenticated', message: 'this request has no API key' } },
}

const dialect = v1({
  ...NO_KEYS,
  reader: READER_HERE,
  ...NO_LINKS,
  publicPapers: null,
  adminToken: null,
  marketModeration: marketModeration(new NodeDatabase()),
  readAsset,
})

async function get(path: string, scope: RequestScope = READER) {
  const response = await dialect.app.fetch(new Request(`http://localhost${path}`), scope)
  await V1_ANSWERS.check('GET', path, response)
  return { status: response.status, type: response.headers.get('Content-Type'), body: await response.json() }
}

describe('/v1', () => {
  it('lists the tools with the schemas of their arguments', async () => {
    const { status, body } = await get('/v1/tools')
    expect(status).toBe(200)
    const { data: tools } = body as { data: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(catalog.list().map(({ name }) => name))
    expect(tools[0]).toMatchObject({ name: 'file_upload', effect: 'write', input_schema: { type: 'object' } })
  })

  it('answers an unknown path, and a caller without a key, with a problem', async () => {
    expect(await get('/v1/nothing')).toEqual({
      status: 404,
      type: 'application/problem+json',
      body: {
        type: 'about:blank',
        title: 'Not found',
        status: 404,
        detail: '/v1 has no such path',
        code: 'not_found',
        retryable: false,
        hint: expect.any(String),
        request_id: 'r-1',
      },
    })
    const used = async (method: string, path: string) => {
      const { status, headers } = await dialect.app.fetch(new Request(`http://localhost${path}`, { method }), READER)
      return [status, headers.get('Allow')]
    }
    expect(await used('POST', '/v1/tools/registered/a%2Fb')).toEqual([405, 'DELETE, GET, PATCH, PUT'])
    expect(await used('GET', '/v1/secrets/TOKEN/')).toEqual([405, 'DELETE, PUT'])
    expect(await used('PATCH', '/v1/papers/a/b')).toEqual([405, 'DELETE, GET'])
    expect(await used('POST', '/v1/tools/registered/a/nothing')).toEqual([404, null])
    expect(await used('POST', '/v1/tools/')).toEqual([405, 'GET'])
    expect(await used('GET', '/v1/papers/a%0Ab')).toEqual([404, null])
    expect(await get('/v1/tools', NOBODY)).toMatchObject({
      status: 401,
      type: 'application/problem+json',
      body: { code: 'unauthenticated', request_id: 'r-2' },
    })
  })

  it('has its document for anybody, who need not load it again', async () => {
    const document = (tag: string) =>
      dialect.app.fetch(new Request('http://localhost/v1/openapi.json', { headers: { 'If-None-Match': tag } }), NOBODY)
    const first = await document('"none"')
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(await first.json()).toMatchObject({ openapi: '3.1.0', paths: { '/v1/openapi.json': {} } })
    const tag = first.headers.get('ETag') ?? ''
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await document(known)
      expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, ''])
    }
  })
})
