import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOCUMENTED, writtenDocuments } from '../../../../scripts/openapi/documents.ts'
import { routesOf } from '../../../../src/http/operations/route.ts'

describe.each(DOCUMENTED)('the document of $name', ({ app }) => {
  it('has each route', () => {
    const described = new Set(routesOf(app).map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
    expect(routes.filter((route) => !described.has(route))).toEqual([])
  })
})

it('the served documents are those of the routes, as `npm run openapi` writes them', () => {
  for (const { path, text } of writtenDocuments()) {
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
