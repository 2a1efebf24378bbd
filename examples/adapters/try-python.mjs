/**
 * Runs the Python examples with what PyPI has, against a real server and the stand-in for a model: `npm run adapters:python`.
 * Python is that of PYTHON, else python3, 3.10 at least; the server that of TOOLYARD_BASE_URL, else one that is started here.
 * Packages stay in dist/adapters-python. Exits with 1 where an example fails.
 */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startModels } from './stand-in/server.ts'

const run = promisify(execFile)
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const FOLDER = 'examples/adapters'
const VENV = 'dist/adapters-python'

console.log(`Installing the packages of ${FOLDER}/requirements.txt into ${VENV}, some 300 MB …`)
await run(process.env.PYTHON ?? 'python3', ['-m', 'venv', VENV])
const python = join(VENV, 'bin/python')
await run(python, ['-m', 'pip', 'install', '--quiet', '-r', `${FOLDER}/requirements.txt`, './clients/python'])

const models = await startModels()
const server = process.env.TOOLYARD_BASE_URL ? null : await startServer()
const url = process.env.TOOLYARD_BASE_URL ?? server.url
const { PATH, HOME } = process.env
const env = { PATH, HOME, ...models.env, TOOLYARD_BASE_URL: url }
let failed = 0
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.py'))) {
  process.stdout.write(`${name} … `)
  try {
    const { stdout } = await run(python, [join(FOLDER, name)], { env })
    if (!stdout.includes('I see a picture: ')) throw new Error(`it printed: ${stdout}`)
    console.log(stdout.trim())
  } catch (error) {
    failed++
    console.log(`failed\n${error.stderr || error.message}`)
    console.log(models.requests.flatMap(({ refused }) => refused ?? []).join('\n'))
  }
}
await server?.stop()
await models.stop()
process.exit(failed === 0 ? 0 : 1)

/** A server with a state of its own, which is removed at its end. */
async function startServer() {
  console.log('Starting a server …')
  const state = mkdtempSync(join(tmpdir(), 'toolyard-adapters-'))
  // Sandboxes have users of their own, who pass through.
  chmodSync(state, 0o711)
  const port = await freePort()
  const environment = { ...process.env, PORT: String(port), TOOLYARD_STATE: state }
  const child = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const running = new Promise((resolve) => {
    child.stdout.on('data', (printed) => String(printed).includes('Toolyard is running') && resolve(true))
  })
  if ((await Promise.race([running, ended])) !== true) throw new Error('npm start ended; what it printed says why')
  return {
    url: `http://localhost:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(state, { recursive: true, force: true })
    },
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}
