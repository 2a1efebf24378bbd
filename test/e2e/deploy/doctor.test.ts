import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { builtCommandLine } from '../../support/deploy/built-cli.ts'
import { freePort } from '../../support/free-port.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { standIn } from '../../support/stand-in.ts'

const server = runningToolyard(async () => ({}))

const main = builtCommandLine()

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-doctor-test-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('finds nothing wrong with a machine and a server that work, and leaves no session', async () => {
  const before = await sessionNames()
  const { code, findings, stderr } = await doctor({ TOOLYARD_BASE_URL: server().url })
  expect(
    findings.filter(({ state }) => state !== 'good'),
    stderr,
  ).toEqual([])
  expect(findings.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'node',
      'programs',
      'port',
      'state folder',
      'disk',
      'sandboxes',
      'server',
      'key',
      'sandboxes of the server',
    ]),
  )
  expect(code).toBe(0)
  expect(await sessionNames()).toEqual(before)
})

it('says what is wrong with a machine and what to do, and ends with 1', async () => {
  const other = await standIn(() => ({ status: 404 }))
  const secret = join(directory, 'admin-token')
  await writeFile(secret, 'secret')
  await chmod(secret, 0o644)
  const { code, findings } = await doctor({
    PORT: new URL(other.url).port,
    TOOLYARD_STATE: directory,
    TOOLYARD_SYSTEM_PATH: directory,
    SANDBOXD_RESERVE_MB: '1000000000',
  })
  expect(code).toBe(1)
  const found = Object.fromEntries(findings.map(({ name, ...finding }) => [name, finding]))
  expect(found.programs).toMatchObject({
    state: 'bad',
    found: expect.stringContaining('bubblewrap'),
    advice: expect.stringContaining('apt-get install'),
  })
  expect(found.port).toMatchObject({ state: 'bad', found: expect.stringContaining('is in use') })
  expect(found['state folder']).toMatchObject({ state: 'bad', advice: `chmod 600 ${secret}` })
  expect(found.disk).toMatchObject({ state: 'bad', advice: expect.stringContaining('make room') })
})

it('tells a key that the server does not know from a server that is not there', async () => {
  const unknown = await doctor({ TOOLYARD_BASE_URL: server().url, TOOLYARD_API_KEY: 'nobody-has-this-key' })
  expect(unknown.code).toBe(1)
  expect(stateOf(unknown.findings, 'server')).toBe('good')
  expect(stateOf(unknown.findings, 'key')).toBe('bad')
  const nowhere = await doctor({ TOOLYARD_BASE_URL: `http://127.0.0.1:${await freePort()}` })
  expect(nowhere.code).toBe(1)
  expect(stateOf(nowhere.findings, 'server')).toBe('bad')
  // Nobody named a server: that there is none is no fault of the machine.
  const unnamed = await doctor({})
  expect(unnamed.findings.at(-1)).toMatchObject({ name: 'server', state: 'warning', advice: 'toolyard dev starts one' })
  expect(unnamed.code).toBe(0)
})

const stateOf = (findings: readonly Finding[], wanted: string) => findings.find(({ name }) => name === wanted)?.state

async function sessionNames(): Promise<readonly string[]> {
  const answer = await fetch(`${server().url}/v1/sessions`)
  const { data } = (await answer.json()) as { readonly data: readonly { readonly name: string }[] }
  return data.map(({ name }) => name)
}

/** Runs `toolyard doctor --json` as somebody without stored profiles. */
async function doctor(settings: Readonly<Record<string, string>>) {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    PORT: String(await freePort()),
    TOOLYARD_STATE: join(directory, 'state'),
    ...settings,
  }
  const args = [main(), 'doctor', '--json']
  return new Promise<{ code: number; findings: readonly Finding[]; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env: env as unknown as NodeJS.ProcessEnv }, (error, stdout, stderr) => {
      const findings = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Finding]))
      resolve({ code: Number(error?.code ?? 0), findings, stderr })
    })
  })
}
