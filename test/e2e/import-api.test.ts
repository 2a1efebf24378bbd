import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonAnswer, type StandIn, startStandIn } from '../support/stand-in.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'

const document = (...operations: string[]) => `openapi: 3.0.3
info: {title: Zoo, version: '1'}
servers: [{url: /v1}]
security: [{key: []}]
paths:
${operations.map((name) => `  /${name}: {get: {operationId: ${name}, summary: Looks at the ${name}}}`).join('\n')}
  /upload: {post: {requestBody: {content: {multipart/form-data: {schema: {}}}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`

let server: Toolyard
let site: StandIn
let directory: string
let served = document('pandas', 'bears')
beforeAll(async () => {
  site = await startStandIn(({ path }) => (path === '/openapi.yaml' ? { body: served } : jsonAnswer({ path }, 404)))
  server = await startToolyard({ vars: { DANGEROUSLY_ALLOW_HOSTS: site.host } })
  directory = await mkdtemp(join(tmpdir(), 'toolyard-api-'))
})
afterAll(async () => {
  await server.stop()
  await site.stop()
  await rm(directory, { recursive: true })
})

/** Runs the script as npm does, and waits for its end. */
async function run(...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const env = { ...process.env, INIT_CWD: directory, TOOLYARD_BASE_URL: server.url, TOOLYARD_API_KEY: '' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['scripts/import-api.mjs', ...words], { env }, (_, out, errors) =>
      resolve({ code: child.exitCode, out, errors }),
    )
  })
}

it('makes tools of an address, renews them, and says what changed, what is left out and which secrets are missing', async () => {
  const address = `${site.url}/openapi.yaml`
  expect(await run(address, '--env', 'Zoo')).toEqual({
    code: 0,
    out: `Zoo: 2 tools (2 new, 0 changed, 0 as before), 0 removed
  left out: POST /upload: its body is multipart/form-data; only JSON, forms and text are sent
  to be put: PUT ${server.url}/v1/secrets/ZOO_KEY (key)
`,
    errors: '',
  })
  served = document('pandas', 'tigers')
  expect((await run(address, '--env', 'Zoo', '--secret', 'key=OTHER')).out).toMatch(
    /^Zoo: 2 tools \(1 new, 1 changed, 0 as before\), 1 removed\n[\s\S]*\/v1\/secrets\/OTHER \(key\)\n$/,
  )
  const listed = await fetch(`${server.url}/v1/apis`)
  expect(await listed.json()).toEqual({ data: [{ env: 'Zoo', tools: 2 }], next_cursor: null })
  const found = await fetch(`${server.url}/v1/tools/registered/Zoo_tigers`)
  expect(await found.json()).toMatchObject({ executor: { target: `${site.url}/v1/tigers` } })
})

it('reads a file, and says in one line why it cannot', async () => {
  await writeFile(join(directory, 'zoo.yaml'), document('lions'))
  const file = await run('zoo.yaml', '--env', 'Files', '--base-url', 'https://zoo.example/v2')
  expect(file).toMatchObject({ code: 0, out: expect.stringContaining('1 tools (1 new') })
  for (const [words, why] of [
    [['zoo.yaml', '--env', 'my_env'], /^400: env must be/],
    [['zoo.yaml', '--env', 'Zoo'], /^400: .*base_url/],
    [['zoo.yaml', '--env', 'Zoo', '--rapidapi'], /^400: .*tool_name/],
    [[`${site.url}/none`, '--env', 'Zoo'], /^502: .*404/],
    [['http://10.0.0.1/openapi.json', '--env', 'Zoo'], /^403: .*private/],
    [['zoo.yaml'], /usage: npm run apis:import/],
    [['none.yaml', '--env', 'Zoo'], /^none.yaml cannot be read: ENOENT\n$/],
  ] as const) {
    const { code, errors } = await run(...words)
    expect([words, code, errors]).toEqual([words, 2, expect.stringMatching(why)])
  }
})
