import { allowedMethods } from '../../allowed-methods.ts'
import { type Dialect, dialectApp } from '../../dialect.ts'
import { failureResponse, methodResponse } from '../../problem.ts'
import { addPages, type ReadPage } from './pages.ts'
import { addSignIn, type SignInParts } from './sign-in.ts'

interface Parts extends SignInParts {
  readonly readPage: ReadPage
}

/** The console dialect, our own: the application for people, which asks `/v1` and `/admin`, and its sign-in. Its pages need no key. */
export const consoleDialect = (parts: Parts): Dialect => ({
  name: 'console',
  owns: (path) => path === '/console' || path.startsWith('/console/'),
  // Signing in twice makes two sessions, and keeping the answer would keep a cookie.
  keepsKey: () => 'not',
  app: routes(parts),
})

function routes({ readPage, ...parts }: Parts) {
  const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId))
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path)
    return methodResponse(c.req.method, (allowed.length > 0 ? allowed : ['GET']).join(', '), c.env.requestId)
  })
  addSignIn(app, parts)
  addPages(app, readPage)
  return app
}
