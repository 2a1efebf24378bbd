import { existsSync } from 'node:fs'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { StepReport } from '../../../src/cli/deploy/step.ts'
import { builtCommandLine } from '../../support/deploy/built-cli.ts'
import { type CommandEnd, newCheckout } from '../../support/deploy/checkout.ts'
import { API_TOKEN, type CloudflareAccount, startCloudflare } from '../../support/deploy/cloudflare.ts'
import { SANDBOX_HOST_KEY, startSandboxd } from '../../support/sandboxd.ts'
import { jsonAnswer, type StandIn, standIn } from '../../support/stand-in.ts'

/** The real wrangler runs up to a dozen times in a test, a second or two each on a machine that does nothing else. */
const DEPLOYMENTS_MS = 900_000

const SECRETS = {
  ADMIN_TOKEN: 'the-owner-keeps-this-one-for-the-admin-api',
  SECRETS_KEY: 'the-owner-keeps-this-one-for-secrets-of-tenants',
  E2B_API_KEY: 'e2b_0123456789abcdef0123456789abcdef01234567',
}

const WORKER = 'toolyard'
const READER = 'toolyard-reader'
const SECRET_VALUES = [...Object.values(SECRETS), API_TOKEN]

/** Changes after which the command is killed: the one that is the so-manieth of a pattern. The account has made it, and nobody knows. */
const KILLS: readonly (readonly [RegExp, number])[] = [
  [/^POST \/d1\/database$/, 1],
  [/^POST \/d1\/database\/.*\/query$/, 3],
  [/^PATCH .*\/toolyard\/secrets-bulk$/, 1],
  [/^PUT .*\/scripts\/toolyard$/, 1],
]

const main = builtCommandLine()

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

it('says what it would do, by which commands, and changes nothing', { timeout: DEPLOYMENTS_MS }, async () => {
  const { account, checkout, deploy } = await owner('small')
  const { code, stdout } = await deploy(['--dry-run'])
  expect(code, stdout).toBe(0)
  for (const command of [
    'npx wrangler r2 bucket create toolyard-blobs',
    'npx wrangler d1 create toolyard-papers',
    'npx wrangler d1 migrations apply PAPERS --remote --config wrangler.deploy.json --env production',
    'npx wrangler secret bulk --config wrangler.deploy.json --env production',
    'npx wrangler deploy --config wrangler.reader.toml --tag toolyard-',
    'npx wrangler deploy --config wrangler.deploy.json --env production --tag',
  ])
    expect(stdout).toContain(command)
  expect(account.changes()).toEqual([])
  expect(existsSync(join(checkout.path, 'wrangler.deploy.json'))).toBe(false)
})

it('brings this server to an empty account, and tells nobody a secret', { timeout: DEPLOYMENTS_MS }, async () => {
  const { account, checkout, deploy, doctor } = await owner('whole')
  const end = await deploy(['--json'])
  expect(end.code, end.stderr).toBe(0)
  expect(statesOf(end)).toMatchObject({
    [`template ${WORKER}`]: 'done',
    secrets: 'changed',
    server: 'changed',
    address: 'changed',
  })

  expect([...account.buckets]).toEqual(['toolyard-blobs'])
  const names = await readdir(join(checkout.path, 'migrations'))
  for (const database of ['toolyard', 'toolyard-papers']) expect(migrationsOf(account, database)).toEqual(names.sort())
  const worker = account.workers.get(WORKER)
  expect(Object.fromEntries(worker?.secrets ?? [])).toEqual(SECRETS)
  expect(worker?.versions.at(-1)?.bindings).toEqual(
    expect.arrayContaining(['SESSIONS', 'BLOBS', 'DB', 'PAPERS', 'READER']),
  )
  // Those of the account, where the configuration of the checkout has zeros.
  const written = JSON.parse(await readFile(join(checkout.path, 'wrangler.deploy.json'), 'utf8'))
  expect(written.env.production.d1_databases.map((one: { database_id: string }) => one.database_id)).toEqual(
    ['toolyard', 'toolyard-papers'].map((name) => account.databases.get(name)?.id),
  )

  const started = await checkout.startedPrograms()
  expect(started).toContain('secret\nbulk\n')
  for (const [name, value] of Object.entries(SECRETS)) expect(started, name).not.toContain(value)
  for (const value of SECRET_VALUES) {
    expect(end.stdout + end.stderr).not.toContain(value)
    expect(JSON.stringify(written)).not.toContain(value)
  }

  const changes = account.changes().length
  const again = await deploy(['--json'])
  expect(new Set(Object.values({ ...statesOf(again), address: 'done' }))).toEqual(new Set(['done']))
  expect(account.changes()).toHaveLength(changes)

  const good = await doctor()
  expect(new Set(Object.values(statesOf(good))), good.stdout).toEqual(new Set(['good']))
  expect(good.code).toBe(0)
  worker?.secrets.delete('SECRETS_KEY')
  const lacking = await doctor()
  expect(lacking.code).toBe(1)
  expect(lacking.stdout).toContain('"name":"secrets","state":"bad","found":"not there: SECRETS_KEY"')
})

it('goes on where it was killed, and makes nothing twice', { timeout: DEPLOYMENTS_MS }, async () => {
  const { account, deploy } = await owner('small')
  for (const [pattern, count] of KILLS) {
    let left = count
    const { code } = await deploy([], {}, (pid) => {
      account.onChange = (change) => {
        if (pattern.test(change) && --left === 0) process.kill(-pid, 'SIGKILL')
      }
    })
    expect({ pattern, left, code }).toEqual({ pattern, left: 0, code: null })
  }
  account.onChange = null
  const end = await deploy(['--json'])
  expect(end.code, end.stderr).toBe(0)
  expect(statesOf(end)).toMatchObject({ 'bucket toolyard-blobs': 'done', 'database toolyard': 'done', secrets: 'done' })
  const made = account.changes().filter((change) => change === 'POST /r2/buckets' || change === 'POST /d1/database')
  expect(made).toEqual(['POST /r2/buckets', 'POST /d1/database', 'POST /d1/database'])
  for (const name of ['toolyard', 'toolyard-papers']) {
    const applied = migrationsOf(account, name)
    expect(applied.length).toBeGreaterThan(0)
    expect(new Set(applied).size).toBe(applied.length)
  }
  expect(Object.fromEntries(account.workers.get(WORKER)?.secrets ?? [])).toEqual(SECRETS)
  expect(account.workers.get(WORKER)?.versions.at(-1)?.tag).toMatch(/^toolyard-[0-9a-f]{16}$/)
})

it('stops at the step that fails, says what to do, and goes on there later with what changed', {
  timeout: DEPLOYMENTS_MS,
}, async () => {
  const { account, checkout, deploy } = await owner('small')
  const refused = {
    success: false,
    errors: [{ code: 10042, message: 'Please enable R2 through the dashboard.' }],
    messages: [],
    result: null,
  }
  account.fail('POST /r2/buckets', jsonAnswer(refused, 403))
  const failed = await deploy()
  expect(failed.code).toBe(1)
  expect(failed.stdout).toMatch(/FAILED bucket toolyard-blobs/)
  expect(failed.stderr).toMatch(
    /error: step "bucket toolyard-blobs" failed: .*enable R2 through the dashboard.*run this again/,
  )
  expect(account.changes()).toEqual([])

  account.fail('POST /r2/buckets', null)
  const good = await deploy()
  expect(good.code, good.stderr).toBe(0)
  const uploads = (name: string) => account.workers.get(name)?.versions.filter(({ tag }) => tag !== null).length
  expect([uploads(READER), uploads(WORKER)]).toEqual([1, 1])

  await appendFile(join(checkout.path, 'src/index.ts'), '// a newer version\n')
  const newer = await deploy(['--json'])
  expect(newer.code, newer.stderr).toBe(0)
  expect(statesOf(newer)).toMatchObject({ secrets: 'done', 'tables of toolyard': 'done', server: 'changed' })
  expect(uploads(WORKER)).toBe(2)
})

it('changes nothing before all secrets are there, and never says a word of one', {
  timeout: DEPLOYMENTS_MS,
}, async () => {
  const { account, deploy } = await owner('small')
  const { code, stdout, stderr } = await deploy([], { ADMIN_TOKEN: 'much-too-short', SECRETS_KEY: '' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/nothing was changed/)
  expect(stdout).toMatch(/STOPS +secrets: ADMIN_TOKEN has 14 characters, and 32 are the least/)
  expect(stdout).toMatch(/SECRETS_KEY is not set: export SECRETS_KEY=/)
  expect(stdout + stderr).not.toContain('much-too-short')
  expect(account.changes()).toEqual([])
})

it('asks who is not signed in to sign in', { timeout: DEPLOYMENTS_MS }, async () => {
  const { deploy } = await owner('small')
  const { code, stderr } = await deploy([], { CLOUDFLARE_API_TOKEN: '' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/npx wrangler login, or set CLOUDFLARE_API_TOKEN/),
  })
})

it('builds the template of sandboxes where E2B has none that was built, and says what is in it', {
  timeout: DEPLOYMENTS_MS,
}, async () => {
  const sandboxd = await startSandboxd()
  cleanUps.push(() => sandboxd.stop())
  const { account, deploy, e2b } = await owner('small')
  e2b.builds = ['error']
  e2b.host = sandboxd.url
  // What follows the template is not what is looked at.
  account.fail(
    'POST /d1/database/',
    jsonAnswer({ success: false, errors: [{ code: 7500, message: 'not today' }] }, 400),
  )
  const { stdout, stderr } = await deploy(['--json'], { E2B_API_KEY: SANDBOX_HOST_KEY, E2B_SANDBOX_URL: sandboxd.url })
  const report = reportsOf(stdout).find(({ name }) => name === `template ${WORKER}`)
  expect(report, stderr).toMatchObject({
    state: 'changed',
    found: expect.stringMatching(/SANDBOX_ENVIRONMENT = '\{"python":"3/),
  })
  expect(e2b.builds).toEqual(['error', 'ready'])
})

it('tells by doctor what an empty account lacks, and changes nothing', { timeout: DEPLOYMENTS_MS }, async () => {
  const { doctor, account } = await owner('small')
  const end = await doctor()
  expect(end.code).toBe(1)
  expect(statesOf(end)).toMatchObject({
    account: 'good',
    'bucket toolyard-blobs': 'bad',
    secrets: 'bad',
    bindings: 'bad',
    address: 'bad',
  })
  expect(account.changes()).toEqual([])
})

/** State of the account at E2B: the template's builds, by their states. */
interface E2bState {
  builds: string[]
  /** Sandbox host that answers for its sandboxes. */
  host: string | null
}

/** An owner with an empty Cloudflare account, a template at E2B, and the address at which the server would answer. */
async function owner(server: 'whole' | 'small') {
  const account = await startCloudflare()
  cleanUps.push(account.stop)
  const checkout = await newCheckout(main(), server)
  cleanUps.push(checkout.remove)
  const e2b: E2bState = { builds: ['ready'], host: null }
  const address = await deployedServer(account)
  const e2bApi = await e2bStandIn(e2b)
  const env = {
    CLOUDFLARE_API_BASE_URL: account.standIn.url,
    CLOUDFLARE_API_TOKEN: API_TOKEN,
    E2B_API_URL: e2bApi.url,
    ...SECRETS,
  }
  return {
    account,
    checkout,
    e2b,
    deploy: (
      args: readonly string[] = [],
      more: Readonly<Record<string, string>> = {},
      onStart?: (pid: number) => void,
    ) =>
      checkout.toolyard(['deploy', '--url', address.url, ...args], { ...env, ...more }, ({ pid }) =>
        onStart?.(pid ?? 0),
      ),
    doctor: () => checkout.toolyard(['doctor', '--deployment', '--url', address.url, '--json'], env),
  }
}

/** Address of the server: it answers as a deployed one does as soon as the account has it below workers.dev. */
const deployedServer = (account: CloudflareAccount): Promise<StandIn> =>
  standIn(({ path, headers }) => {
    const worker = account.workers.get(WORKER)
    if (!worker?.onWorkersDev) return { status: 404 }
    if (path === '/health') return jsonAnswer({ status: 'healthy' })
    const isAdmin = headers.authorization === `Bearer ${worker.secrets.get('ADMIN_TOKEN')}`
    return jsonAnswer({}, path.startsWith('/admin') && isAdmin ? 200 : 401)
  })

/** E2B's API for templates; about sandboxes a sandbox host is asked. */
async function e2bStandIn(state: E2bState): Promise<StandIn> {
  const build = { templateID: 't1', buildID: 'b1', names: [WORKER], tags: [], public: false, aliases: [WORKER] }
  return standIn(({ method, path, url, headers, body }) => {
    const at = `${method} ${url.pathname}`
    if (at === `GET /templates/aliases/${WORKER}`) return jsonAnswer({ templateID: 't1', public: false })
    if (at === 'GET /templates/t1') return jsonAnswer({ ...build, builds: state.builds.map((status) => ({ status })) })
    if (at === 'POST /v3/templates') return jsonAnswer(build, 202)
    if (at === 'POST /v2/templates/t1/builds/b1') {
      state.builds.push('ready')
      return jsonAnswer({}, 202)
    }
    if (at === 'GET /templates/t1/builds/b1/status')
      return jsonAnswer({ templateID: 't1', buildID: 'b1', status: 'ready', logs: [], logEntries: [] })
    if (state.host === null) return jsonAnswer({ code: 404, message: `no ${at}` }, 404)
    const key = { 'X-API-Key': String(headers['x-api-key']), 'Content-Type': 'application/json' }
    const proxied = fetch(`${state.host}${path}`, { method, headers: key, ...(body !== '' && { body }) })
    return (response) => {
      void proxied.then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
        response.end(await answer.text())
      })
    }
  })
}

const reportsOf = (stdout: string): StepReport[] =>
  stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as StepReport] : []))

/** States by the names of steps or checks. */
const statesOf = ({ stdout }: CommandEnd): Readonly<Record<string, string>> =>
  Object.fromEntries(reportsOf(stdout).map(({ name, state }) => [name, state]))

/** Names of the migrations that a database of the account has, in the order in which they were applied. */
const migrationsOf = ({ databases }: CloudflareAccount, name: string): unknown[] =>
  databases
    .get(name)
    ?.sqlite.prepare('SELECT name FROM d1_migrations ORDER BY id')
    .all()
    .map((row) => row.name) ?? []
