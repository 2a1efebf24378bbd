import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Toolyard } from '../../../src/client/index.ts'
import { type CommandLineSettings, commandLine, scratchOfTests } from '../../support/command-line.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { newOwner } from '../../support/tenants.ts'

const server = runningToolyard(async () => ({}))
const scratch = scratchOfTests()
const toolyard = () => new Toolyard({ baseUrl: server().url })

/** The command line against the server of the tests. */
const ty = (args: readonly string[], { env, ...settings }: CommandLineSettings = {}) =>
  commandLine(args, {
    cwd: scratch(),
    ...settings,
    env: { HOME: scratch(), TOOLYARD_BASE_URL: server().url, ...env },
  })

/** What a command prints, when it is good. */
async function good(args: readonly string[], settings?: CommandLineSettings): Promise<string> {
  const { code, stdout, stderr } = await ty(args, settings)
  expect([code, stderr.includes('error:')], stderr).toEqual([0, false])
  return stdout
}

const json = async (args: readonly string[], settings?: CommandLineSettings) =>
  JSON.parse(await good([...args, '--json'], settings))

/** Name of a new session, which ends with the server. */
const newSession = async () => (await toolyard().sessions.create({ keep: true })).name

it('makes, lists, shows, forks and deletes sessions, and takes changes back', async () => {
  const name = `lakes-${crypto.randomUUID()}`
  expect(await good(['sessions', 'create', name, '--label', `of=${name}`, '--title', 'North\x1b[31m'])).toBe(
    `${name}\n`,
  )
  expect(await ty(['sessions', 'create', name])).toMatchObject({ code: 5, stdout: '' })
  expect(await good(['sessions', 'create', name, '--if-absent'])).toBe(`${name}\n`)
  expect(await json(['sessions', '--label', `of=${name}`])).toMatchObject([{ name, labels: { of: name } }])
  const table = await good(['sessions', 'list', '-l', `of=${name}`], { columns: 200 })
  expect(table).toContain('North\\x1b[31m')
  expect(table).not.toContain('\x1b[31mNorth')

  await good(['cp', '-', `${name}:a.txt`], { stdin: 'one' })
  await good(['cp', '-', `${name}:a.txt`], { stdin: 'two' })
  expect(await good(['sessions', 'undo', name, '--dry-run'])).toContain('1 path would change')
  expect(await good(['sessions', 'undo', name])).toContain('a.txt')
  expect(await good(['cp', `${name}:a.txt`, '-'])).toBe('one')
  expect(await good(['sessions', 'fork', name, `${name}-2`])).toBe(`${name}-2\n`)
  expect(await good(['cp', `${name}-2:a.txt`, '-'])).toBe('one')
  expect(await good(['sessions', 'show', name])).toContain('3 B')
  expect(await json(['sessions', 'delete', name, `${name}-2`])).toEqual({ deleted: [name, `${name}-2`] })
  expect(await ty(['sessions', 'show', name])).toMatchObject({ code: 4 })
  expect(await json(['sessions', 'delete', '--force', name])).toEqual({ deleted: [] })
})

it('runs commands: streams, words, environment, standard input and exit codes', async () => {
  const name = await newSession()
  expect(await ty(['exec', name, 'echo out; echo no >&2; exit 3'])).toEqual({
    code: 3,
    stdout: 'out\n',
    stderr: 'no\n',
  })
  const words = ['exec', '-e', 'MODE=a b', name, '--', 'printf', '%s|', `it's`, '$MODE', '--json']
  expect(await good(words)).toBe(`it's|$MODE|--json|`)
  expect(await good(['exec', '-e', 'MODE=a b', name, 'echo $MODE'])).toBe('a b\n')
  expect(await good(['exec', '-i', name, '--', 'tr', 'a-z', 'A-Z'], { stdin: 'lake' })).toBe('LAKE')
  await good(['cp', '-', `${name}:dir/a.txt`], { stdin: 'here' })
  expect(await good(['exec', name, '--', 'cat', 'dir/a.txt'])).toBe('here')
  expect(await good(['exec', '-w', 'dir', name, '--', 'cat', 'a.txt'])).toBe('here')
  const answer = JSON.parse(await good(['exec', '--json', name, 'echo ok']))
  expect(answer).toMatchObject({ exit_code: 0, stdout: 'ok\n', call: { tool: 'execute_shell' } })
})

it('tells what did not run from what failed, and makes and throws away sessions', async () => {
  const missing = `missing-${crypto.randomUUID()}`
  const none = await ty(['exec', missing, '--', 'true'])
  expect([none.code, none.stderr]).toEqual([125, expect.stringMatching(/^error: .*\n$/)])
  expect(await ty(['exec', '--create', missing, '--', 'false'])).toMatchObject({ code: 1 })
  expect(await ty(['exec', '--timeout', '1', missing, '--', 'sleep', '600'])).toMatchObject({ code: 124 })
  const before = await toolyard().sessions.list().take(200)
  expect(await good(['exec', '--', 'echo', 'gone'])).toBe('gone\n')
  const after = await toolyard().sessions.list().take(200)
  expect(after.map((session) => session.name)).toEqual(before.map((session) => session.name))
  expect(await ty(['exec', missing])).toMatchObject({ code: 2 })
})

it('cancels the command when it is interrupted', async () => {
  const name = await newSession()
  const stop = new AbortController()
  const { code } = await ty(['exec', name, 'echo begun; sleep 600'], {
    signal: stop.signal,
    onStdout: () => stop.abort(new Error('interrupted')),
  })
  expect(code).toBe(130)
  await expect
    .poll(
      async () => (await toolyard().sessions.open(name).calls.list({ tool: 'execute_shell' }).page()).data[0]?.state,
    )
    .toBe('failed')
})

it('copies files and directories in both directions, and leaves links out', async () => {
  const name = await newSession()
  const from = join(scratch(), 'project')
  await mkdir(join(from, 'sub'), { recursive: true })
  const large = Buffer.alloc(3_000_000, 'lake')
  await writeFile(join(from, 'large.bin'), large)
  await writeFile(join(from, 'sub/ü b.txt'), 'small')
  await symlink('/etc/passwd', join(from, 'link'))
  const copied = await ty(['cp', from, `${name}:`, '--json'])
  expect(copied.stderr).toContain('left out')
  expect(JSON.parse(copied.stdout)).toMatchObject({ files: 2, bytes: 3_000_005 })
  await mkdir(join(scratch(), 'linked/project'), { recursive: true })
  await symlink(from, join(scratch(), 'linked/project/sub'))
  const refused = await ty(['cp', `${name}:project`, join(scratch(), 'linked')])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is a link')])
  const to = join(scratch(), 'back')
  expect(await json(['cp', `${name}:project`, to])).toMatchObject({ files: 2, bytes: 3_000_005 })
  expect(large.equals(await readFile(join(to, 'large.bin')))).toBe(true)
  expect(await readFile(join(to, 'sub/ü b.txt'), 'utf8')).toBe('small')

  await good(['cp', join(from, 'sub/ü b.txt'), `${name}:other.txt`])
  await good(['cp', `${name}:other.txt`, `${scratch()}/`])
  expect(await readFile(join(scratch(), 'other.txt'), 'utf8')).toBe('small')
  await good(['cp', join(scratch(), 'other.txt'), `${name}:project`])
  expect(await good(['cp', `${name}:project/other.txt`, '-'])).toBe('small')
  expect(await ty(['cp', `${name}:nothing.txt`, scratch()])).toMatchObject({ code: 4 })
  expect(await ty(['cp', join(scratch(), 'nothing'), `${name}:`])).toMatchObject({ code: 1 })
  expect(await ty(['cp', 'a', 'b'])).toMatchObject({ code: 2 })
})

it('shows progress where a terminal shows it, and nowhere else', async () => {
  const name = await newSession()
  const file = join(scratch(), 'progress.bin')
  await writeFile(file, Buffer.alloc(2_000_000))
  const { stderr } = await ty(['cp', file, `${name}:`], { columns: 200 })
  const bar = (words: string) =>
    new RegExp(`\\r\\x1b\\[K${words} \\[#*\\.*\\] \\d{1,3} % [\\d.]+ [KM]?i?B of 1\\.9 MiB`)
  expect(stderr).toMatch(bar(`progress\\.bin to ${name}`))
  // Nothing of it stays.
  expect(stderr.endsWith('\r\x1b[Kcopied 1 file, 1.9 MiB\n')).toBe(true)
  const taken = await ty(['cp', `${name}:progress.bin`, scratch()], { columns: 200 })
  expect(taken.stderr).toMatch(bar(`progress\\.bin from ${name}`))
  const narrow = await ty(['cp', file, `${name}:`], { columns: 30 })
  const pictures = narrow.stderr.split('\r\x1b[K').filter((text) => text !== '' && !text.startsWith('copied'))
  expect(pictures.filter((text) => text.length > 29)).toEqual([])
  expect((await ty(['cp', file, `${name}:`])).stderr).toBe('copied 1 file, 1.9 MiB\n')
})

it('edits a file in an editor, and keeps the text of who comes second', async () => {
  const name = await newSession()
  await good(['cp', '-', `${name}:notes.md`], { stdin: 'one\n' })
  const appends = { env: { EDITOR: `sh -c 'echo two >> "$1"' editor` } }
  await good(['edit', `${name}:notes.md`], appends)
  expect(await good(['cp', `${name}:notes.md`, '-'])).toBe('one\ntwo\n')
  await good(['edit', `${name}:new.md`], appends)
  expect(await good(['cp', `${name}:new.md`, '-'])).toBe('two\n')
  expect((await ty(['edit', `${name}:notes.md`], { env: { EDITOR: 'true' } })).stderr).toBe('unchanged\n')

  const url = `${server().url}/v1/sessions/${name}/files/notes.md`
  const meanwhile = `sh -c 'echo mine >> "$1"; curl -s -X PUT --data-binary theirs ${url} > /dev/null' editor`
  const refused = await ty(['edit', `${name}:notes.md`], { env: { EDITOR: meanwhile, PATH: process.env.PATH ?? '' } })
  expect(refused.code).toBe(5)
  expect(await good(['cp', `${name}:notes.md`, '-'])).toBe('theirs')
  const [, draft = ''] = /your text is (\S+):/.exec(refused.stderr) ?? []
  expect(await readFile(draft, 'utf8')).toBe('one\ntwo\nmine\n')
})

it('finds and shows tools, and calls them with typed arguments', async () => {
  const name = await newSession()
  expect(await json(['tools', 'run a shell command', '-n', '3'])).toHaveLength(3)
  expect(await good(['tools', '-n', '500'])).toContain('execute_shell')
  expect(await good(['tools', 'show', 'execute_shell'])).toContain('command')
  expect(await good(['call', name, 'file_write', '-a', 'file_path=a.txt', '-a', 'content=1'])).not.toBe('')
  expect(await good(['call', name, 'file_read', '--arg', 'file_path=a.txt'])).toContain('1')
  const timed = ['call', name, 'execute_shell', '-a', 'command=echo ok', '-a', 'timeout=300']
  expect(await json(timed)).toMatchObject({ state: 'done', data: { stdout: 'ok\n' } })
  expect(await good(['call', name, 'dir_list', '--json-args', '-'], { stdin: '{}' })).toContain('a.txt')
  expect(await ty(['call', name, 'file_read', '-a', 'file_path=none.txt'])).toMatchObject({ code: 1, stdout: '' })
  expect(await ty(['call', name, 'execute_shell', '-a', 'command=true', '-a', 'timeout=soon'])).toMatchObject({
    code: 2,
  })
  expect(await ty(['tools', 'show', 'execute_shel'])).toMatchObject({ code: 4 })
})

it('shows calls, and follows those that come with what they print', async () => {
  const name = await newSession()
  await good(['exec', name, '--', 'echo', 'past'])
  expect(await good(['logs', name])).toMatch(/execute_shell .*echo past[\s\S]*= done/)
  const { calls } = toolyard().sessions.open(name)
  const stop = new AbortController()
  let begun: Promise<string> | undefined
  let cancelled: Promise<unknown> | undefined
  const { code, stdout } = await ty(['logs', '-f', '-n', '1', name], {
    signal: stop.signal,
    onStdout(all) {
      begun ??= calls.begin('execute_shell', { command: 'echo first; sleep 600', timeout: 900 })
      if (/\| first\n/.test(all)) cancelled ??= begun.then((call) => calls.cancel(call))
      if (all.includes('= failed')) stop.abort(new Error('enough'))
    },
  })
  await cancelled
  expect(code).toBe(0)
  expect(stdout).toMatch(/echo past[\s\S]*= done[\s\S]*sleep 600[\s\S]*\| first\n[\s\S]*= failed/)
})

it('makes a child key, which is printed once, and revokes it', async () => {
  const made = await ty(['keys', 'create', 'helper', '--scope', 'read', '--expires-in', '1h'])
  expect(made.code).toBe(0)
  const key = made.stdout.trim()
  expect(key).toMatch(/^\S+$/)
  expect(made.stderr).not.toContain(key)
  const env = { TOOLYARD_API_KEY: key }
  expect(await json(['keys', 'show'], { env })).toMatchObject({ name: 'helper', scopes: ['read'] })
  expect(await ty(['sessions', 'create'], { env })).toMatchObject({ code: 5 })
  const listed = await json(['keys'])
  expect(JSON.stringify(listed)).not.toContain(key)
  const [{ id }] = listed.filter((one: { name: string }) => one.name === 'helper')
  expect(await good(['keys'])).toContain('helper')
  const narrow = ['keys', 'create', '--session', 'a', '--tool', 'file_read', '--calls', '5', '--calls-per-minute', '9']
  expect(await json(narrow)).toMatchObject({ sessions: { names: ['a'] }, tools: ['file_read'], budget: { calls: 5 } })
  expect(await json(['keys', 'create', '--session-prefix', 'job-'])).toMatchObject({ sessions: { prefixes: ['job-'] } })
  expect(await json(['keys', 'revoke', id])).toEqual({ revoked: [id] })
  expect(await good(['keys', 'list'])).toContain('revoked')
})

it('makes a key of the tenant, which no other option narrows', async () => {
  const admin = { env: { TOOLYARD_API_KEY: (await newOwner(server())).key } }
  const made = await ty(['keys', 'create', 'ci', '--tenant', '--scope', 'read', '--expires-in', '7d'], admin)
  expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^shown this once; good until .* UTC; .*revoke/)])
  const own = { env: { TOOLYARD_API_KEY: made.stdout.trim() } }
  expect(await json(['keys', 'show'], own)).toMatchObject({ name: 'ci', scopes: ['read'], parents: [] })
  const listed = (await json(['keys', 'list', '--tenant'], admin)) as { id: string; name: string }[]
  const { id = '' } = listed.find(({ name }) => name === 'ci') ?? {}
  expect(await good(['keys', 'list', '--tenant'], admin)).toContain(id)
  expect(await json(['keys'], admin)).toEqual([])
  expect(await ty(['keys', 'list', '--tenant'], own)).toMatchObject({ code: 5, stdout: '' })
  expect(await ty(['keys', 'create', '--tenant'], admin)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('NAME'),
  })
  expect(await ty(['keys', 'create', 'x', '--tenant', '--tool', 'file_read'], admin)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tool'),
  })
  expect(await json(['keys', 'revoke', id], admin)).toEqual({ revoked: [id] })
  expect(await good(['keys', 'list', '--tenant'], admin)).toMatch(new RegExp(`${id} .*revoked`))
  const without = await ty(['keys', 'create', 'ci', '--tenant'])
  expect([without.code, without.stdout, without.stderr]).toEqual([4, '', expect.stringContaining('without --tenant')])
})

it('tells by its exit code that a limit was met, and by its error which', async () => {
  const sessions = Array.from({ length: 5 }, (_, at) => ['--session', `${at}`.padEnd(500, 'x')])
  const { code, stdout, stderr } = await ty(['keys', 'create', 'long', ...sessions.flat()])
  expect([code, stdout, stderr]).toEqual([7, '', expect.stringMatching(/^error: .*MAX_CHILD_KEY_CHARS.*\n$/)])
})

it('signs in with a key that it tries, stores it for the user alone, and sends it to that server alone', async () => {
  const { stdout } = await ty(['keys', 'create', 'stored'])
  const key = stdout.trim()
  const home = join(scratch(), 'home')
  const env = { HOME: home, TOOLYARD_BASE_URL: '', XDG_CONFIG_HOME: '' }
  const wrong = await ty(['login', server().url], { env, stdin: 'ty_wrong\n' })
  expect(wrong.code).toBe(3)
  await expect(stat(join(home, '.config'))).rejects.toThrow('ENOENT')
  const signedIn = await ty(['login', `${server().url}/`, '--profile', 'work'], { env, stdin: `${key}\n` })
  expect([signedIn.code, signedIn.stdout.includes(key)], signedIn.stderr).toEqual([0, false])
  const file = join(home, '.config/toolyard/config.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.work).toEqual({ url: server().url, key })
  expect(await json(['keys', 'show'], { env })).toMatchObject({ name: 'stored' })
  const elsewhere = { ...env, TOOLYARD_BASE_URL: `${server().url.replace('127.0.0.1', 'localhost')}` }
  expect(await json(['keys', 'show'], { env: elsewhere })).toMatchObject({ name: null })
  expect(await ty(['keys', 'show', '--profile', 'play'], { env })).toMatchObject({ code: 2 })
  expect(await json(['logout', 'work'], { env })).toEqual({ forgotten: 'work', current: null })
  expect(await readFile(file, 'utf8')).not.toContain(key)
})

it('shows what was used', async () => {
  const name = await newSession()
  await good(['exec', name, '--', 'true'])
  await expect
    .poll(async () => (await json(['usage', '--session', name])).total.calls, { interval: 1_000 })
    .toBeGreaterThan(0)
  expect(await good(['usage', '--by', 'tool', '--session', name])).toMatch(/^TOOL .*\nexecute_shell /)
})

it('imports an API, in a dry run too, and adds an MCP server', async () => {
  const paths = { '/pandas': { get: { operationId: 'listPandas', summary: 'All pandas' } } }
  const zoo = JSON.stringify({ openapi: '3.1.0', info: {}, servers: [{ url: 'https://zoo.example/v1' }], paths })
  const file = join(scratch(), 'zoo.json')
  await writeFile(file, zoo)
  const dry = await good(['import', 'openapi', file, '--name', 'Zoo', '--dry-run'])
  expect(dry).toContain('dry run')
  expect(await json(['import', 'openapi', '-', '--name', 'Zoo'], { stdin: zoo })).toMatchObject({
    env: 'Zoo',
    tools: 1,
  })
  expect(await ty(['import', 'openapi', join(scratch(), 'none.json'), '--name', 'Zoo'])).toMatchObject({ code: 1 })

  const weather = ['mcp', 'add', 'weather', 'https://mcp.example/mcp', '--deny', 'erase', '--no-connect']
  expect(await json(weather)).toMatchObject({ name: 'weather', deny: ['erase'] })
  expect(await good(['mcp', 'list'])).toContain('weather')
  expect(await good(['mcp', 'show', 'weather'])).toContain('https://mcp.example/mcp')
  expect(await json(['mcp', 'remove', 'weather'])).toEqual({ removed: 'weather' })
})

it('imports tools of a file, and says what would change before', async () => {
  const tool = (id: string, description: string) => ({
    ...{ id, name: id, description, input_schema: {}, output_schema: {}, target: 'https://zoo.example/run' },
  })
  const file = join(scratch(), 'tools.json')
  const write = (...tools: object[]) => writeFile(file, JSON.stringify({ tools }))
  await write(tool('zebra', 'Shows a zebra.'), tool('gnu', 'Shows a gnu.'))
  const dry = await good(['import', 'tools', file, '--dry-run'])
  expect(dry).toBe('would be: 2 created, 0 updated, 0 deleted, 0 unchanged\n')
  expect(await ty(['tools', 'show', 'zebra'])).toMatchObject({ code: 4 })
  expect(await good(['import', 'tools', file])).toBe('2 created, 0 updated, 0 deleted, 0 unchanged\n')
  expect(await good(['tools', 'show', 'zebra'])).toContain('Shows a zebra.')
  await write(tool('zebra', 'Shows two zebras.'))
  expect(await json(['import', 'tools', file, '--replace'])).toMatchObject({ updated: 1, deleted: 1 })
  expect(await ty(['tools', 'show', 'gnu'])).toMatchObject({ code: 4 })
  const other = JSON.stringify([tool('gnu', 'Shows a gnu.')])
  const named = ['import', 'tools', '-', '--source', 'other', '--replace']
  expect(await json(named, { stdin: other })).toMatchObject({ created: 1, deleted: 0 })
  const wrong = await ty(['import', 'tools', '-'], { stdin: '{"tools": [{"id": "a"}]}' })
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: .*tools\[0\].*Nothing was changed.*\n$/),
  ])
})

it('puts the configuration of a client of MCP into its file, and leaves the rest of it', async () => {
  const project = join(scratch(), 'editor')
  await mkdir(project)
  const other = { url: 'https://other.example/mcp' }
  await writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { other }, more: 1 }), { mode: 0o600 })
  // A repository of strangers may have links beside it.
  await writeFile(join(scratch(), 'own.txt'), 'own')
  await symlink(join(scratch(), 'own.txt'), join(project, '.mcp.json.new'))
  await good(['mcp', 'config', 'claude', '--session', 'a b', '--write'], {
    cwd: project,
    env: { TOOLYARD_API_KEY: 'ty_secret' },
  })
  const written = await readFile(join(project, '.mcp.json'), 'utf8')
  expect(written).not.toContain('ty_secret')
  expect((await stat(join(project, '.mcp.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(scratch(), 'own.txt'), 'utf8')).toBe('own')
  const url = `${server().url}/mcp/s/a%20b`
  const headers = { Authorization: `Bearer \${TOOLYARD_API_KEY}` }
  expect(JSON.parse(written)).toEqual({ mcpServers: { other, toolyard: { type: 'http', url, headers } }, more: 1 })
  expect(await json(['mcp', 'config', 'vscode'])).toEqual({
    servers: { toolyard: { type: 'http', url: `${server().url}/mcp` } },
  })
})

it('says in one line that no server is there', async () => {
  const { code, stderr } = await ty(['sessions'], { env: { TOOLYARD_BASE_URL: 'http://127.0.0.1:1' } })
  expect([code, stderr]).toEqual([6, expect.stringMatching(/^error: no connection to http:\/\/127\.0\.0\.1:1: .*\n$/)])
})

it('completes names of sessions, of tools and of files of sessions', async () => {
  const name = await newSession()
  await good(['cp', '-', `${name}:dir/a.txt`], { stdin: 'a' })
  const env = { TOOLYARD_COMPLETION_MS: '100000' }
  const completed = async (...words: string[]) =>
    (await good(['__complete', '--', ...words], { env })).split('\n').map((line) => line.split('\t')[0])
  expect(await completed('exec', name.slice(0, 12))).toContain(name)
  expect(await completed('call', name, 'execute_sh')).toEqual(['execute_shell', ''])
  expect(await completed('cp', `${name}:dir/`)).toEqual([`${name}:dir/a.txt`, ''])
})

const NEXT_STEPS = [
  { args: ['exec', 'none', '--', 'true'], says: /there is no session none: make it with `toolyard sessions create`/ },
  { args: ['sessions', 'show', 'none'], says: /there is no session none: make it with `toolyard sessions create`/ },
  { args: ['tools', 'show', 'none'], says: /there is no tool none that may be called: check the name$/m },
  { args: ['mcp', 'show', 'none'], says: /there is no MCP server none: check the name$/m },
  { args: ['keys', 'revoke', 'none'], says: /list them first$/m },
  { args: ['usage', '--from', 'yesterday'], says: /--from cannot be "yesterday": write a day as 2026-11-01$/m },
  { args: ['cp', 'no.txt', 'none:'], says: /no\.txt cannot be read \(ENOENT\): check the path$/m },
  { args: ['import', 'openapi', '-', '--name', 'Zoo'], says: /standard input is empty: give an OpenAPI description/ },
] as const

it.each(NEXT_STEPS)('says what to do next, in words of the command line: toolyard $args', async ({ args, says }) => {
  const { code, stdout, stderr } = await ty(args)
  expect([code > 0, stdout, stderr]).toEqual([true, '', expect.stringMatching(says)])
  expect(stderr).toMatch(/^error: .*\n$/)
  expect(stderr).not.toMatch(/\b(GET|POST|PUT|DELETE) \/|\?\w+=|Idempotency/)
})

it('says what to do next where a name is taken, a file cannot be written, or an editor is not there', async () => {
  const name = await newSession()
  expect((await ty(['sessions', 'create', name])).stderr).toBe(
    `error: there is a session ${name} already: --if-absent takes it as it is\n`,
  )
  await good(['cp', '-', `${name}:a.txt`], { stdin: 'a' })
  const unwritten = await ty(['cp', `${name}:a.txt`, '/proc/a.txt'])
  expect(unwritten).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: \/proc\/a\.txt cannot be written \(\w+\): .+\n$/),
  })
  const unedited = await ty(['edit', `${name}:a.txt`], { env: { EDITOR: 'no-editor' } })
  expect(unedited.stderr.match(/your text is/g)).toHaveLength(1)
  expect(unedited.stderr).toMatch(/: set VISUAL or EDITOR to an editor that is there\n$/)
})
