import { sameSecret } from '../../../auth/constant-time.ts'
import { fail } from '../../../core/failure.ts'
import { bearerToken } from '../../authenticate.ts'
import { type Dialect, dialectApp } from '../../dialect.ts'
import { failureResponse, methodResponse } from '../../problem.ts'

interface Parts {
  /** Tokens that open it. */
  readonly tokens: readonly string[]
  /** All metrics, in Prometheus' text format. */
  text(): Promise<string>
}

/** Metrics of the server for its owner's Prometheus. No key of a tenant opens them. */
export function metrics({ tokens, text }: Parts): Dialect {
  const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId))
  app.get('/metrics', async (c) => {
    const sent = bearerToken(c.req.raw.headers)
    const matches = sent === null ? [] : await Promise.all(tokens.map((token) => sameSecret(sent, token)))
    if (!matches.includes(true))
      fail('unauthenticated', 'send METRICS_TOKEN or ADMIN_TOKEN as "Authorization: Bearer …"')
    return c.body(await text(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  app.all('*', (c) => methodResponse(c.req.method, 'GET, HEAD', c.env.requestId))
  return { name: 'metrics', owns: (path) => path === '/metrics', keepsKey: () => 'not', app }
}
