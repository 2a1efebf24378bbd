import type { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type AppEnv, dialectApp } from '../../../../src/http/dialect.ts'
import type { GuardedOperation, Method } from '../../../../src/http/operations/operation.ts'
import { guardedRoute } from '../../../../src/http/operations/route.ts'
import { failureResponse } from '../../../../src/http/problem.ts'

const ANYONE = { credentials: [], allow: () => {} }
const OPERATION: GuardedOperation<never, never> = {
  id: 'doThing',
  tag: 'things',
  summary: 'Do a thing',
  answers: { 204: { description: 'Done.' } },
  problems: [],
  example: { status: 204 },
}
const Query = z.object({ limit: z.string().optional(), cursor: z.string().optional() })

async function answered(
  path: string,
  { method = 'post', body, operation = {} }: { method?: Method; body?: string; operation?: object } = {},
) {
  const app = dialectApp((_, failure) => failureResponse(failure, 'r'))
  guardedRoute(app as Hono<AppEnv>, method, '/things', ANYONE, { ...OPERATION, ...operation }, (c) => c.body(null, 204))
  const request = new Request(`http://localhost${path}`, {
    method: method.toUpperCase(),
    ...(body !== undefined && { body }),
  })
  const answer = await app.fetch(request, { requestId: 'r' })
  return answer.status === 204 ? 204 : ((await answer.json()) as { detail: string }).detail
}

describe('a query parameter that an operation does not take', () => {
  it('is refused by its name, with those that it takes', async () => {
    const list = { operation: { query: Query } }
    expect(await answered('/things?limti=3', list)).toBe(
      'unknown query parameter "limti"; this operation takes limit, cursor',
    )
    expect(await answered('/things?limit=3', list)).toBe(204)
  })

  it('is refused where an operation takes none', async () => {
    expect(await answered('/things?force=true')).toBe('unknown query parameter "force"; this operation takes none')
    expect(await answered('/things?')).toBe(204)
  })
})

describe('the body of an operation that takes none', () => {
  it('is refused by its first field', async () => {
    expect(await answered('/things', { body: '{"force": true}' })).toBe(
      'unknown field "force": this operation takes no body; send none',
    )
    expect(await answered('/things', { method: 'delete', body: 'text' })).toBe(
      'this operation takes no body; send none',
    )
  })

  it('may be empty, or an empty object', async () => {
    for (const body of ['', '{}', ' {} ']) expect(await answered('/things', { body })).toBe(204)
  })
})
