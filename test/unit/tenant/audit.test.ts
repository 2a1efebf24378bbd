import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AUDIT_RETENTION_DAYS,
  MAX_AUDITED_REFUSALS_PER_MINUTE,
  MAX_WATCHED_ACTORS,
} from '../../../src/core/limits/audit.ts'
import { MAX_LINKS_PER_MINUTE } from '../../../src/core/limits/files.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { failureOf } from '../../support/failure-of.ts'
import { startStandIn } from '../../support/stand-in.ts'
import { openTenant } from './open.ts'
import { Caller, OWNER, register } from './registry-tools.ts'

type Tenant = ReturnType<typeof openTenant>['tenant']
interface Entry {
  readonly seq: number
  readonly action: string
  readonly hash: string
  readonly [field: string]: unknown
}

const exported = async (tenant: Tenant, after = 0) => (await tenant.audit.page({ after, limit: 100_000 })).lines
const entries = async (tenant: Tenant) => (await exported(tenant)).map((line) => JSON.parse(line) as Entry)

async function open() {
  const opened = openTenant()
  await register(opened.tenant, ['one', 'two'])
  await register(opened.tenant, ['closed'], { allowed_agents: ['pm'] })
  return { ...opened, caller: new Caller(opened.tenant) }
}

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audit-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** What the command says. */
const run = (...given: string[]) =>
  new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(process.execPath, ['scripts/audit-verify.mjs', ...given], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  )

/** What it says of these lines. */
async function verify(lines: readonly string[], ...options: string[]) {
  const file = join(directory, `${crypto.randomUUID()}.jsonl`)
  await writeFile(file, lines.map((line) => `${line}\n`).join(''))
  return run(file, ...options)
}

/** A chain of its own making, whose hashes are good: its start is said to be dropped, and one of its entries says so too. */
function remade(through: number): string[] {
  const lines = [JSON.stringify({ checkpoint: through, hash: 'f'.repeat(64) })]
  let prev = 'f'.repeat(64)
  for (let seq = through + 1; seq < through + 9; seq++) {
    const detail = { through, hash: 'f'.repeat(64) }
    const entry = JSON.stringify({ seq, action: 'audit.checkpoint', detail, prev })
    prev = createHash('sha256').update(entry).digest('hex')
    lines.push(`${entry.slice(0, -1)},"hash":"${prev}"}`)
  }
  return lines
}

describe('the audit log of a tenant', () => {
  it('says who called, changed and was refused what, and nothing of what was given, of results or secrets', async () => {
    const { tenant, caller } = await open()
    await tenant.tools.change([{ op: 'stable', id: 'one', version: 1 }], OWNER) // so it was before
    await tenant.tools.change(
      [{ op: 'policy', id: 'one', policy: { enabled: true, allowed_agents: ['sofia'] } }],
      OWNER,
    )
    await tenant.secrets.put('TOKEN', 'the secret itself', OWNER)
    await tenant.secrets.remove('TOKEN', OWNER)
    await tenant.limits.put(LimitSettings.parse({}), OWNER)
    await tenant.audit.noteKey({ action: 'key.create', id: 'k2', name: 'agents', scopes: ['execute'] }, OWNER)
    const begun = await caller.begin('one')
    if ('end' in begun) await begun.end({ failure: 'timeout' })
    await caller.begin('closed')
    await caller.begin('nothing')
    await tenant.tools.change([{ op: 'delete', id: 'two' }], OWNER)
    const log = await entries(tenant)
    expect(log.map(({ action, subject, decision, reason }) => [action, subject, decision, reason])).toEqual([
      ['tool.create', 'one', 'done', null],
      ['tool.create', 'two', 'done', null],
      ['tool.create', 'closed', 'done', null],
      ['tool.policy', 'one', 'done', null],
      ['secret.put', 'TOKEN', 'done', null],
      ['secret.remove', 'TOKEN', 'done', null],
      ['limits.put', null, 'done', null],
      ['key.create', 'k2', 'done', null],
      ['tool.call', 'one', 'failed', 'timeout'],
      ['tool.refused', 'closed', 'refused', 'forbidden'],
      ['tool.refused', 'nothing', 'refused', 'not_found'],
      ['tool.delete', 'two', 'done', null],
    ])
    expect(log[3]).toMatchObject({ key: 'owner', agent: null, detail: { enabled: true, allowed_agents: ['sofia'] } })
    expect(log[7]).toMatchObject({ key: 'owner', detail: { name: 'agents', scopes: ['execute'] } })
    expect(log[8]).toMatchObject({
      key: 'k1',
      agent: 'sofia',
      session: `s-${caller.node}`,
      detail: { version: 1, ms: 10 },
    })
    expect(JSON.stringify(log)).not.toContain('the secret itself')
  })

  it('has nothing of changes that were taken back', async () => {
    const { tenant } = await open()
    const before = await tenant.audit.head()
    const changes = [
      { op: 'delete', id: 'one' },
      { op: 'delete', id: 'nothing' },
    ] as const
    expect(await failureOf(tenant.tools.change(changes, OWNER))).toMatchObject({ code: 'not_found' })
    expect(await tenant.audit.head()).toEqual(before)
  })

  it('is read page by page', async () => {
    const { tenant } = await open()
    const whole = await exported(tenant)
    const first = await tenant.audit.page({ after: 0, limit: 2 })
    const second = await tenant.audit.page({ after: first.next ?? 0, limit: 2 })
    expect([...first.lines, ...second.lines]).toEqual(whole)
    expect(second.next).toBeNull()
  })
})

describe('a flood of refusals', () => {
  it('is told once at once, and how many more there were when the minute is over', async () => {
    const { tenant, caller, time, alarm } = await open()
    for (let time = 0; time < 1_000; time++) await caller.begin('closed')
    const refused = async () => (await entries(tenant)).filter(({ action }) => action === 'tool.refused')
    expect(await refused()).toMatchObject([{ count: 1 }])
    time.now = alarm.at ?? 0
    await tenant.wake()
    time.now += 60_000
    await tenant.wake()
    expect(await refused()).toMatchObject([{ count: 1 }, { count: 999, subject: 'closed', reason: 'forbidden' }])
  })

  it('with ever new names takes a bounded number of entries', async () => {
    const { tenant, caller, time } = await open()
    const { seq } = await tenant.audit.head()
    for (let n = 0; n < 1_000; n++) await caller.begin(`tool-${n}`, { agent: `agent-${n}` })
    const atOnce = (await tenant.audit.head()).seq - seq
    expect(atOnce).toBeLessThanOrEqual(MAX_AUDITED_REFUSALS_PER_MINUTE + MAX_WATCHED_ACTORS)
    time.now += 60_000
    await tenant.wake()
    const log = await entries(tenant)
    expect(log.at(-1)).toMatchObject({ agent: '*', subject: '*', count: 1_000 - MAX_AUDITED_REFUSALS_PER_MINUTE })
  })
})

describe('security.suspicious', () => {
  const suspicious = async (tenant: Tenant) =>
    (await entries(tenant)).filter(({ action }) => action === 'security.suspicious')

  it('is noted of more than five denials a minute, once in that minute', async () => {
    const { tenant, caller, time } = await open()
    for (let denial = 0; denial < 5; denial++) await caller.begin('closed')
    expect(await suspicious(tenant)).toEqual([])
    for (let denial = 0; denial < 5; denial++) await caller.begin('closed')
    expect(await suspicious(tenant)).toMatchObject([{ agent: 'sofia', key: 'k1', reason: 'repeated_denials' }])
    time.now += 60_000
    for (let denial = 0; denial < 6; denial++) await caller.begin('closed')
    expect(await suspicious(tenant)).toHaveLength(2)
  })

  it('is noted of a key whose agents have another name each time', async () => {
    const { tenant, caller } = await open()
    for (let n = 0; n < 8; n++) await caller.begin('closed', { agent: `a${n}` })
    expect(await suspicious(tenant)).toMatchObject([{ key: 'k1', agent: null, reason: 'many_agents_denied' }])
  })

  it('is not noted of calls that come too fast', async () => {
    const { tenant, caller } = await open()
    await tenant.limits.put(LimitSettings.parse({ rules: [{ scope: 'tool', per_minute: 1 }] }), OWNER)
    for (let time = 0; time < 20; time++) await caller.begin('one')
    expect(await suspicious(tenant)).toEqual([])
  })
})

describe('the chain of entries', () => {
  async function chain(length = 12) {
    const opened = await open()
    for (let n = 0; n < length - 3; n++)
      await opened.tenant.secrets.put('S', `${n}`, { key: 'ünïcode "k"', agent: '😀' })
    return { ...opened, lines: [...(await exported(opened.tenant))] }
  }

  it('is whole as it is exported, also when the object was made anew in between', async () => {
    const { reopen, lines } = await chain()
    expect(await verify(lines)).toMatchObject({ code: 0, output: expect.stringContaining('12 entries') })
    const anew = reopen()
    await anew.secrets.put('S', 'more', OWNER)
    const head = await anew.audit.head()
    expect(await verify(await exported(anew))).toMatchObject({ output: expect.stringContaining(`13:${head.hash}`) })
    expect(await verify([])).toMatchObject({ code: 0 })
  })

  const at = (lines: readonly string[], index: number) => lines[index] ?? ''
  it.each<[string, (lines: string[]) => string[], string]>([
    ['a word is changed', (lines) => lines.with(4, at(lines, 4).replace('secret.put', 'secret.rot')), 'line 5'],
    ['a blank is put in', (lines) => lines.with(4, at(lines, 4).replace('{', '{ ')), 'line 5'],
    ['a hash is changed', (lines) => lines.with(4, at(lines, 4).replace(/[0-9a-f]"\}$/, 'x"}')), 'line 5'],
    ['an entry is removed', (lines) => lines.toSpliced(5, 1), 'line 6'],
    ['entries in the middle are removed', (lines) => lines.toSpliced(3, 6), 'line 4'],
    ['two are exchanged', (lines) => lines.with(6, at(lines, 7)).with(7, at(lines, 6)), 'line 7'],
    ['one comes twice', (lines) => lines.toSpliced(6, 0, at(lines, 6)), 'line 8'],
    ['the start is removed', (lines) => lines.slice(3), 'line 1'],
    ['the start is said to be dropped', (lines) => [fakeCheckpoint(at(lines, 2)), ...lines.slice(3)], 'line 1'],
    ['a line is no JSON', (lines) => lines.with(2, 'x'), 'line 3'],
  ])('is broken when %s', async (_what, tamper, where) => {
    const { lines } = await chain()
    expect(await verify(tamper(lines))).toMatchObject({ code: 1, output: expect.stringContaining(where) })
  })

  it('tells that the end is missing to who knows it', async () => {
    const { tenant, lines } = await chain()
    const { seq, hash } = await tenant.audit.head()
    expect(await verify(lines, '--head', `${seq}:${hash}`)).toMatchObject({ code: 0 })
    expect(await verify(lines.slice(0, -1), '--head', `${seq}:${hash}`)).toMatchObject({ code: 1 })
    expect(await verify(lines.slice(0, -1))).toMatchObject({ code: 0 })
  })

  it('can be checked in parts, each from the end of the one before', async () => {
    const { tenant, lines } = await chain()
    const sixth = JSON.parse(at(lines, 5)) as Entry
    const rest = await exported(tenant, 6)
    expect(await verify(rest)).toMatchObject({ code: 1 })
    expect(await verify(rest, '--after', `6:${sixth.hash}`)).toMatchObject({ code: 0 })
    expect(await verify(rest, '--after', `6:${'1'.repeat(64)}`)).toMatchObject({ code: 1 })
    expect(await verify(remade(6), '--after', `6:${sixth.hash}`)).toMatchObject({ code: 1 })
    expect(await verify(remade(3), '--after', `6:${sixth.hash}`)).toMatchObject({ code: 1 })
  })

  it('is whole whatever agents call themselves and what they ask for', async () => {
    const { tenant, caller } = await open()
    const odd = 'a\u2028b\u2029c\u0085d\re\nf\u0000g\ud800'
    await caller.begin(odd, { agent: odd })
    const lines = await exported(tenant)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ agent: odd })
    expect(await verify(lines)).toMatchObject({ code: 0, output: expect.stringContaining('4 entries') })
    expect(await verify(lines.map((line) => `${line}\r`))).toMatchObject({ code: 0 })
    const head = await tenant.audit.head()
    const server = await startStandIn(({ url }) => ({
      body: url.pathname === '/v1/audit/export' ? lines.map((line) => `${line}\n`).join('') : JSON.stringify(head),
    }))
    try {
      expect(await run('--url', server.url)).toMatchObject({ code: 0 })
    } finally {
      await server.stop()
    }
  })

  it('is asked of a server in as many answers as it takes, up to the last entry', async () => {
    const { tenant, lines } = await chain()
    let kept: readonly string[] = lines
    const server = await startStandIn(({ url }) => {
      const after = Number(url.searchParams.get('after'))
      if (url.pathname === '/v1/audit/export')
        return {
          body: kept
            .slice(after, after + 5)
            .map((line) => `${line}\n`)
            .join(''),
        }
      return { body: JSON.stringify(head) }
    })
    const head = await tenant.audit.head()
    try {
      expect(await run('--url', server.url)).toMatchObject({ code: 0, output: expect.stringContaining('12 entries') })
      expect(server.requests).toHaveLength(4)
      kept = lines.slice(0, 10)
      expect(await run('--url', server.url)).toMatchObject({
        code: 1,
        output: expect.stringContaining('none after 10'),
      })
    } finally {
      await server.stop()
    }
  })

  it('is not said to be whole when nobody said what to check, or nothing answers', async () => {
    for (const words of [[], ['--wat'], ['file', '--url', 'http://localhost:1']]) {
      expect(await run(...words)).toEqual({ code: 2, output: expect.stringContaining('usage: npm run audit:verify') })
    }
    const nobody = 'http://127.0.0.1:9' // the port of "discard"
    expect(await run('--url', nobody)).toEqual({
      code: 1,
      output: expect.stringContaining(`${nobody}/v1/audit/head cannot`),
    })
  })

  it('stays whole when old entries go: one says up to which, and no other may', async () => {
    const { tenant, time, alarm } = await chain()
    time.now = alarm.at ?? 0
    expect(time.now).toBe((AUDIT_RETENTION_DAYS + 1) * 24 * 3_600_000)
    await tenant.secrets.put('S', 'new', OWNER)
    await tenant.wake()
    const lines = await exported(tenant)
    expect(lines.map((line) => (JSON.parse(line) as Entry).action)).toEqual([
      undefined,
      'secret.put',
      'audit.checkpoint',
    ])
    expect(await verify(lines)).toMatchObject({ code: 0, output: expect.stringContaining('2 entries') })
    expect(await verify(lines.slice(1))).toMatchObject({ code: 1, output: expect.stringContaining('line 1') })
    await tenant.secrets.put('S', 'newer', OWNER)
    expect(await verify(await exported(tenant))).toMatchObject({ code: 0 })
  })
})

it('links without end do not drive what came before out of the log: so many a minute are made by a key and those below it', async () => {
  const { tenant, time } = openTenant()
  const make = (key: string) =>
    tenant.audit.noteLink({ action: 'link.create', session: 's', id: 'lnk_1' }, { key, agent: null })
  for (let made = 0; made < MAX_LINKS_PER_MINUTE; made++) await make(`root.child${made % 3}`)
  expect(await failureOf(make('root'))).toMatchObject({ code: 'rate_limited' })
  expect((await tenant.audit.head()).seq).toBe(MAX_LINKS_PER_MINUTE)
  await make('other')
  time.now += 60_000
  await make('root.child1')
})

/** What would stand at the start if the entries up to this one had been dropped. */
function fakeCheckpoint(line: string): string {
  const { seq, hash } = JSON.parse(line) as Entry
  return JSON.stringify({ checkpoint: seq, hash })
}
