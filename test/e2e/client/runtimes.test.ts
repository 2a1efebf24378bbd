import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { expect, it, onTestFinished } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { startChromium } from '../../support/chromium.ts'
import { builtCommandLine } from '../../support/command-line.ts'
import { NODE_20, OTHER_RUNTIMES } from '../../support/other-runtimes.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { standIn } from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'

const run = promisify(execFile)
const server = runningToolyard(async () => ({}))

/** The client as one module, for every runtime. */
async function builtClient(): Promise<string> {
  const options = { bundle: true, format: 'esm', platform: 'neutral', target: 'es2022', write: false } as const
  const { outputFiles } = await build({ entryPoints: ['src/client/index.ts'], ...options })
  return outputFiles[0]?.text ?? ''
}

/** Server whose answers stall behind their headers: runtimes differ in how they end such a body. */
const stalling = () =>
  standIn(() => (response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-length': 9 })
    response.write('ott')
  })

/** Body of a function of the class, the server's URL, a key and the URL of a stalling server, which uses requests, events, bytes and errors. */
const PROGRAM = `
  const toolyard = new Toolyard({ baseUrl, apiKey })
  const session = await toolyard.sessions.create()
  const printed = []
  const { stdout } = await session.run('for n in 1 2; do echo lake $n; sleep 0.2; done', { onStdout: (text) => printed.push(text) })
  await session.files.write('a.bin', Uint8Array.from([0, 255]))
  const bytes = [...(await session.files.bytes('a.bin'))]
  const code = await session.files.read('absent').catch((error) => error.code)
  await session.delete()
  const hasty = new Toolyard({ baseUrl: stallingUrl, timeoutMs: 200, maxRetries: 0 })
  const stalled = await hasty.sessions.open('a').files.read('a').catch((error) => error instanceof TimeoutError)
  return { stdout, followed: printed.join('') === stdout, bytes, code, stalled }
`
const PRINTED = { stdout: 'lake 1\nlake 2\n', followed: true, bytes: [0, 255], code: 'not_found', stalled: true }

/** What the program is given, as the beginning of its text. */
async function givenToProgram(): Promise<string> {
  const { key } = await newTenant(server())
  const [baseUrl, apiKey, stallingUrl] = [server().url, key, (await stalling()).url].map((text) => JSON.stringify(text))
  return `const baseUrl = ${baseUrl}; const apiKey = ${apiKey}; const stallingUrl = ${stallingUrl};`
}

it.each(OTHER_RUNTIMES)('works in $name', async ({ path, args }) => {
  const directory = await mkdtemp(join(tmpdir(), 'client-runtime-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const program = `${await builtClient()}
    ${await givenToProgram()}
    console.log(JSON.stringify(await (async () => {${PROGRAM}})()))`
  await writeFile(join(directory, 'program.mjs'), program)
  const env = { ...process.env, DENO_DIR: directory, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' }
  const { stdout } = await run(path(), [...args, 'program.mjs'], { cwd: directory, env })
  expect(JSON.parse(stdout)).toEqual(PRINTED)
})

it('has a command line that begins in Node 20', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'client-runtime-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await builtCommandLine(directory)
  const main = join(directory, 'dist/cli/main.js')
  const { stdout } = await run(NODE_20.path(), [main, '--version'], { cwd: directory })
  expect(stdout.trim()).toBe(packageJson.version)
  const { stdout: tools } = await run(NODE_20.path(), [main, 'tools', '--json'], {
    env: { ...process.env, XDG_CONFIG_HOME: directory, TOOLYARD_BASE_URL: server().url, TOOLYARD_API_KEY: '' },
  })
  expect(JSON.parse(tools)).not.toHaveLength(0)
})

it('works in a Worker', async () => {
  const script = `${await builtClient()}
    export default { async fetch() {
      ${await givenToProgram()}
      const program = async () => {${PROGRAM}}
      return Response.json(await program().catch((error) => String(error.stack)))
    } }`
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      modules: true,
      script,
      compatibilityDate: '2026-10-01',
    }),
  )
  onTestFinished(() => miniflare.dispose())
  await miniflare.ready
  const { origin } = await miniflare.unsafeGetDirectURL()
  expect(await (await fetch(origin)).json()).toEqual(PRINTED)
})

it('works in a browser, from a page of another origin', async () => {
  const client = await builtClient()
  const page = await standIn(({ path }) =>
    path === '/client.js'
      ? { headers: { 'content-type': 'text/javascript' }, body: client }
      : { headers: { 'content-type': 'text/html' }, body: '<!doctype html><link rel="icon" href="data:,">' },
  )
  const chromium = await startChromium()
  onTestFinished(() => chromium.close())
  await chromium.open(page.url)
  const given = `const { TimeoutError, Toolyard } = await import('${page.url}/client.js'); ${await givenToProgram()}`
  expect(await chromium.evaluate(`(async () => {${given}${PROGRAM}})()`)).toEqual(PRINTED)
})
