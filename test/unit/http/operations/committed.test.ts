import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writtenClientTypes } from '../../../../scripts/openapi/client-types.ts'
import { DOCUMENTED, writtenDocuments } from '../../../../scripts/openapi/documents.ts'
import { PUBLISHED } from '../../../../scripts/openapi/published/published.ts'
import { routesOf } from '../../../../src/http/operations/route.ts'

describe.each(DOCUMENTED)('the document of $name', ({ app }) => {
  it('has each route', () => {
    const described = new Set(routesOf(app).map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
    expect(routes.filter((route) => !described.has(route))).toEqual([])
  })
})

/** Routes that only say which method a path has. */
const WITHOUT_OPERATION = ['GET /api/task/create']

describe.each(PUBLISHED)('the document of $name', ({ app, document, examples }) => {
  it('has each route, none besides, and an example of each', () => {
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !WITHOUT_OPERATION.includes(route))
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const matches = (route: string, one: string) =>
      new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replaceAll('*', '.+')}$`).test(one)
    expect(routes.filter((route) => !described.some((one) => matches(route, one)))).toEqual([])
    expect(described.filter((one) => !routes.some((route) => matches(route, one)))).toEqual([])
    expect(examples.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(described.sort())
  })
})

it('the served documents, and the types of the client, are those of the routes, as `npm run openapi` writes them', () => {
  for (const { path, text } of [...writtenDocuments(), ...writtenClientTypes()]) {
    expect(readFileSync(path, 'utf8') === text, `${path} is not up to date; npm run openapi writes it`).toBe(true)
  }
})

it('the served documents are valid OpenAPI', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=json', ...writtenDocuments().map(({ path }) => path)],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  const found = [...stdout.matchAll(/"message": "(.*)"/g)].map(([, message]) => message)
  expect({ status, found }, stderr).toEqual({ status: 0, found: [] })
  expect(stderr).toContain('valid')
})
