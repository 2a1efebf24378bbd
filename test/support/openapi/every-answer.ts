import { ADMIN_ANSWERS, V1_ANSWERS } from './answers.ts'

/**
 * Checks each answer that a test of a running server gets from /v1 and /admin: one that the document does not allow rejects the
 * test's `fetch`. Other servers that tests start are told apart by their headers.
 */
const bare = globalThis.fetch
const checked = Symbol.for('toolyard: answers are checked')

if (!(checked in bare)) {
  const fetch: typeof bare = async (input, init) => {
    const response = await bare(input, init)
    const { pathname } = new URL(response.url)
    // Redirects were followed: the answer is about another request.
    if (response.redirected || !response.headers.has('X-Request-Id')) return response
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const path = pathname.replace(/^(?:\/k\/[^/]+)+/, '')
    if (path.startsWith('/v1/')) await V1_ANSWERS.check(method, path, response)
    if (path.startsWith('/admin/')) await ADMIN_ANSWERS.check(method, path, response)
    return response
  }
  globalThis.fetch = Object.assign(fetch, { [checked]: true })
}
