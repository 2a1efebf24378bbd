/**
 * Answer to a preflight request, as in the published servers: any origin, method and header, with credentials. A browser
 * adds no key on its own account, so a page of another site can do nothing here without one; `same-machine.ts` protects
 * servers without keys.
 */
export function preflightAnswer(request: Request): Response | null {
  const { headers, method } = request
  if (method !== 'OPTIONS' || !headers.has('Origin') || !headers.has('Access-Control-Request-Method')) return null
  return new Response('OK', {
    headers: {
      'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'Access-Control-Allow-Headers': headers.get('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': '600',
    },
  })
}

export function allowOrigin(request: Request, answer: Headers): void {
  const origin = request.headers.get('Origin')
  if (origin === null) return
  answer.set('Access-Control-Allow-Origin', origin)
  answer.set('Access-Control-Allow-Credentials', 'true')
  answer.set(
    'Access-Control-Expose-Headers',
    'Accept-Ranges, Content-Digest, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Location, Mcp-Session-Id, Preference-Applied, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, Toolyard-Commit, Toolyard-Used-By, WWW-Authenticate, X-Request-Id',
  )
  answer.append('Vary', 'Origin')
}
