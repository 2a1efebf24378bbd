import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { expect, it, onTestFinished } from 'vitest'
import { startChromium } from '../../support/chromium.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { standIn } from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'

const server = runningToolyard(async () => ({}))

/** The client as one module, for every runtime. */
async function builtClient(): Promise<string> {
  const options = { bundle: true, format: 'esm', platform: 'neutral', target: 'es2022', write: false } as const
  const { outputFiles } = await build({ entryPoints: ['src/client/index.ts'], ...options })
  return outputFiles[0]?.text ?? ''
}

/** Body of a function of the class, the server's URL and a key, which uses requests, events, bytes and errors. */
const PROGRAM = `
  const toolyard = new Toolyard({ baseUrl, apiKey })
  const session = await toolyard.sessions.create()
  const printed = []
  const { stdout } = await session.run('for n in 1 2; do echo lake $n; sleep 0.2; done', { onStdout: (text) => printed.push(text) })
  await session.files.write('a.bin', Uint8Array.from([0, 255]))
  const bytes = [...(await session.files.bytes('a.bin'))]
  const code = await session.files.read('absent').catch((error) => error.code)
  await session.delete()
  return { stdout, followed: printed.join('') === stdout, bytes, code }
`
const PRINTED = { stdout: 'lake 1\nlake 2\n', followed: true, bytes: [0, 255], code: 'not_found' }

it('works in a Worker', async () => {
  const { key } = await newTenant(server())
  const script = `${await builtClient()}
    export default { async fetch() {
      const [baseUrl, apiKey] = ${JSON.stringify([server().url, key])}
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
  const { key } = await newTenant(server())
  const client = await builtClient()
  const page = await standIn(({ path }) =>
    path === '/client.js'
      ? { headers: { 'content-type': 'text/javascript' }, body: client }
      : { headers: { 'content-type': 'text/html' }, body: '<!doctype html><link rel="icon" href="data:,">' },
  )
  const chromium = await startChromium()
  onTestFinished(() => chromium.close())
  await chromium.open(page.url)
  const [baseUrl, apiKey] = [server().url, key].map((text) => JSON.stringify(text))
  const given = `const { Toolyard } = await import('${page.url}/client.js'); const baseUrl = ${baseUrl}; const apiKey = ${apiKey};`
  expect(await chromium.evaluate(`(async () => {${given}${PROGRAM}})()`)).toEqual(PRINTED)
})
