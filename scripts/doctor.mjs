/**
 * Looks whether this machine can run `npm start`: one line of JSON for each check, with `name`, `state` (good, warning, bad), `found` and
 * `advice`. `toolyard doctor` shows them. Nothing is changed: the sandbox that is tried has a state of its own, which is removed.
 *
 * It reads the variables that `npm start` reads.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { isolated, missingNeeds, unfitSystem } from './needs.mjs'
import { checkMachine, checkPort } from './start/machine.mjs'
import { home, port, state } from './start/settings.mjs'
import { checkTables } from './start/tables.mjs'

/** Free space below which the sandbox host ends sandboxes (SANDBOXD_RESERVE_MB). */
const RESERVE_MB = Number(process.env.SANDBOXD_RESERVE_MB || 1024)
/** Free space below which the reserve is near. */
const ROOMY_MB = 4 * RESERVE_MB
/** Time in which a sandbox host and a sandbox start, on a busy machine. */
const SANDBOX_MS = 90_000
const HEALTH_MS = 5_000

const good = (found) => ({ state: 'good', found, advice: '' })
const warning = (found, advice) => ({ state: 'warning', found, advice })
const bad = (found, advice) => ({ state: 'bad', found, advice })

/** Checks by their names. What one throws is bad, and its message says what to do. */
const CHECKS = {
  node: () => {
    checkMachine()
    return good(process.version)
  },
  programs: () => {
    const unfit = unfitSystem()
    if (unfit !== null) return bad(`${process.platform} has no isolated sandboxes`, unfit.replaceAll('\n', ' '))
    const missing = missingNeeds()
    if (missing.length === 0) return good('all there')
    const names = missing.map(({ apt, why }) => `${apt} (${why})`).join(', ')
    return bad(
      `missing: ${names}`,
      `apt-get install ${missing.map(({ apt }) => apt).join(' ')}, or npm start, which offers it`,
    )
  },
  port: async () => {
    if (await answersHealth()) return good(`a server answers on ${port}`)
    await checkPort()
    return good(`${port} is free`)
  },
  'state folder': () => {
    if (!existsSync(state)) return good(`${state} is made at the first start`)
    accessSync(state, constants.R_OK | constants.W_OK | constants.X_OK)
    checkTables()
    const others = statSync(state).mode & 0o066
    if (others !== 0) return bad(`${state} can be read by others, and has secrets`, `chmod go-rw ${state}`)
    const open = ['admin-token', 'secrets-key', 'sandboxd-key'].filter(
      (name) => existsSync(join(state, name)) && statSync(join(state, name)).mode & 0o077,
    )
    if (open.length > 0) return bad(`${open.join(', ')} can be read by others`, `chmod 600 ${join(state, open[0])}`)
    return good(state)
  },
  disk: () => {
    let directory = state
    while (!existsSync(directory)) directory = dirname(directory)
    const { bavail, bsize } = statfsSync(directory)
    const freeMb = Math.floor((bavail * bsize) / 1024 ** 2)
    if (freeMb < RESERVE_MB)
      return bad(
        `${freeMb} MB are free, and below ${RESERVE_MB} sandboxes are ended`,
        'make room, or set TOOLYARD_STATE to a directory on another disk',
      )
    if (freeMb < ROOMY_MB) return warning(`${freeMb} MB are free`, `below ${RESERVE_MB} sandboxes are ended: make room`)
    return good(`${freeMb} MB are free`)
  },
  sandboxes: async () => {
    const isolation = await triedSandbox()
    if (isolation === 'none')
      return warning('they start, and are NOT isolated', 'take ISOLATION=none away where strangers use it')
    return good('one started, isolated by bubblewrap')
  },
}

let worst = 'good'
for (const [name, check] of Object.entries(CHECKS)) {
  let finding
  try {
    finding = await check()
  } catch (error) {
    finding = bad(error.message, '')
  }
  if (finding.state === 'bad') worst = 'bad'
  console.log(JSON.stringify({ name, ...finding }))
}
process.exit(worst === 'bad' ? 1 : 0)

async function answersHealth() {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(HEALTH_MS) })
    return (await answer.json()).service === 'tool_server'
  } catch {
    return false
  }
}

/** Starts a sandbox host of its own, and a sandbox in it. @returns its isolation @throws Error with what the host says */
async function triedSandbox() {
  const own = mkdtempSync(join(tmpdir(), 'toolyard-doctor-'))
  const key = randomBytes(24).toString('base64url')
  const host = spawn(
    process.execPath,
    [join(home, 'src/sandboxd/main.ts'), '--port', '0', '--state', own, '--until-stdin-ends'],
    {
      cwd: home,
      env: { ...process.env, ISOLATION: isolated ? 'bwrap' : 'none', SANDBOXD_API_KEY: key },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise((resolve) => host.once('close', resolve))
  let messages = ''
  host.stderr.setEncoding('utf8').on('data', (text) => {
    messages = (messages + text).slice(-4_000)
  })
  host.on('error', (error) => {
    messages += `sandboxd: ${error.message}\n`
  })
  const late = setTimeout(() => host.kill('SIGKILL'), SANDBOX_MS)
  try {
    for await (const line of createInterface({ input: host.stdout })) {
      if (!line.startsWith('{')) continue
      const ready = JSON.parse(line)
      await trySandbox(`http://127.0.0.1:${ready.port}`, key)
      return ready.isolation
    }
    await ended
    const reasons = messages.split('\n').filter((line) => line.startsWith('sandboxd: '))
    throw new Error(
      reasons.map((line) => line.slice('sandboxd: '.length)).join('; ') || 'the sandbox host did not start',
    )
  } finally {
    clearTimeout(late)
    host.stdin.end()
    const impatience = setTimeout(() => host.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(impatience)
    rmSync(own, { recursive: true, force: true })
  }
}

async function trySandbox(url, key) {
  const headers = { 'X-API-Key': key, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(SANDBOX_MS)
  const body = JSON.stringify({ templateID: 'base', timeout: 60 })
  const answer = await fetch(`${url}/v2/sandboxes`, { method: 'POST', headers, body, signal })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`a sandbox did not start (${answer.status}): ${text.slice(0, 500)}`)
  const { sandboxID } = JSON.parse(text)
  await fetch(`${url}/sandboxes/${sandboxID}`, { method: 'DELETE', headers, signal })
}
