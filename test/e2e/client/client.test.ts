import { expect, it, onTestFinished } from 'vitest'
import {
  CallFailedError,
  ConflictError,
  NotFoundError,
  PreconditionFailedError,
  SessionNotFoundError,
  Toolyard,
  UnauthenticatedError,
} from '../../../src/client/index.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'

const server = runningToolyard(async () => ({}))
const client = () => new Toolyard({ baseUrl: `${server().url}/` })

/** PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

it('makes a session that is deleted at the end of its block, unless it is to be kept or was there', async () => {
  const toolyard = client()
  const name = `kept-${crypto.randomUUID()}`
  let gone = ''
  {
    await using session = await toolyard.sessions.create({ labels: { team: 'otters' } })
    gone = session.name
    expect(await session.info()).toMatchObject({ name: gone, state: 'ready', labels: { team: 'otters' } })
    await using kept = await toolyard.sessions.create({ name, keep: true })
    await using again = await toolyard.sessions.create({ name, if_exists: 'return' })
    expect(again.name).toBe(kept.name)
    await expect(toolyard.sessions.create({ name })).rejects.toBeInstanceOf(ConflictError)
  }
  const missing = await toolyard.sessions
    .open(gone)
    .info()
    .catch((error: unknown) => error)
  expect(missing).toBeInstanceOf(SessionNotFoundError)
  expect(missing).toBeInstanceOf(NotFoundError)
  expect(missing).toMatchObject({
    code: 'session_not_found',
    status: 404,
    retryable: false,
    name: 'SessionNotFoundError',
  })
  expect((await toolyard.sessions.open(name).update({ title: 'Kept' })).title).toBe('Kept')
  await toolyard.sessions.open(name).delete()
})

it('runs a command and gives its output while it comes, with an exit code other than 0 as a result', async () => {
  await using session = await client().sessions.create()
  const printed: string[] = []
  const complaints: string[] = []
  const result = await session.run('for n in 1 2 3; do echo lake $n; sleep 0.3; done; echo no >&2; exit 3', {
    onStdout: (text) => printed.push(text),
    onStderr: (text) => complaints.push(text),
  })
  expect(result).toMatchObject({ exitCode: 3, stdout: 'lake 1\nlake 2\nlake 3\n', stderr: 'no\n' })
  expect([printed.join(''), complaints.join('')]).toEqual([result.stdout, result.stderr])
  expect(printed.length).toBeGreaterThan(1)
  const env = { MODE: 'test' }
  expect((await session.run('echo $MODE; cat', { env, stdin: 'in', workdir: 'sub' })).stdout).toBe('test\nin')
})

it('runs Python that keeps its variables, with its value, its pictures and its exception', async () => {
  await using session = await client().sessions.create()
  const code = `import base64\nclass Picture:\n  def _repr_png_(self):\n    return base64.b64decode("${PIXEL}")\nx = 6\nprint("six")\nPicture()`
  const shown = await session.python(code)
  expect(shown.images.map(({ mediaType, bytes }) => [mediaType, Buffer.from(bytes).toString('base64')])).toEqual([
    ['image/png', PIXEL],
  ])
  expect(shown.stdout).toBe('six\n')
  expect(await session.python('x * 7')).toMatchObject({ value: '42', images: [], error: null })
  const failed = await session.python('1 / 0')
  expect(failed.error?.traceback).toContain('ZeroDivisionError')
})

it('cancels what it runs when the signal is aborted, and throws its reason', async () => {
  await using session = await client().sessions.create()
  const stop = new AbortController()
  const running = session.run('echo begun; sleep 600', {
    signal: stop.signal,
    onStdout: () => stop.abort(new Error('enough')),
  })
  await expect(running).rejects.toThrow('enough')
  const [call] = await session.calls.list().take(1)
  expect((await session.calls.get(call?.call_id ?? '', { wait: 60 })).state).toBe('failed')
})

it('reads, writes, edits, lists and deletes files, on the condition that they are as known', async () => {
  await using session = await client().sessions.create()
  const { files } = session
  const first = await files.write('a b/ü#?.txt', 'otters: 3\n', { ifNoneMatch: '*' })
  expect(first.created).toBe(true)
  expect(await files.read('a b/ü#?.txt')).toBe('otters: 3\n')
  await expect(files.write('a b/ü#?.txt', '', { ifNoneMatch: '*' })).rejects.toBeInstanceOf(PreconditionFailedError)
  const edit = { old_text: '3', new_text: '4' }
  await files.edit('a b/ü#?.txt', edit, { ifMatch: first.etag ?? '' })
  await expect(files.edit('a b/ü#?.txt', edit, { ifMatch: first.etag ?? '' })).rejects.toBeInstanceOf(
    PreconditionFailedError,
  )
  expect(await files.read('a b/ü#?.txt', { as_of: first.commit })).toBe('otters: 3\n')
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
  await files.write('raw.bin', new Blob([bytes]))
  await files.write('streamed.bin', new Blob([bytes]).stream())
  expect([await files.bytes('raw.bin'), await files.bytes('streamed.bin')]).toEqual([bytes, bytes])
  await files.copy('raw.bin', 'a b/copy.bin')
  await files.move('a b/copy.bin', 'a b/moved.bin')
  const paths = []
  for await (const { path } of files.list('./a b/', { limit: 1 })) paths.push(path)
  expect(paths).toEqual(['a b/moved.bin', 'a b/ü#?.txt'])
  expect((await files.list('.', { limit: 1 }).page()).next_cursor).not.toBeNull()
  expect(JSON.stringify(await files.glob('a b/*.txt'))).toContain('"a b/ü#?.txt"')
  expect(JSON.stringify(await files.search('otters', { file_path: 'a b/ü#?.txt' }))).toContain('otters: 4')
  await files.delete('a b', { recursive: true })
  await expect(files.read('a b/moved.bin')).rejects.toBeInstanceOf(NotFoundError)
  const archive = await files.archive({ format: 'zip' })
  expect(await files.unpack(await archive.arrayBuffer(), { path: 'copy' })).toMatchObject({ files: 2 })
})

it('tells of each commit as it is made, and of the end of the session', async () => {
  const session = await client().sessions.create()
  await session.files.write('notes/a.txt', 'one')
  const seen = []
  for await (const { type, tool, changes } of session.files.watch({ path: 'notes', from: 0 })) {
    seen.push([type, tool, ...changes.map(({ path }) => path)])
    if (seen.length === 1) await session.tool('file_write', { file_path: 'notes/b.txt', content: 'two' })
    if (seen.length === 2) await session.delete()
  }
  expect(seen).toEqual([
    ['commit', null, 'notes', 'notes/a.txt'],
    ['commit', 'file_write', 'notes/b.txt'],
  ])
})

it('calls a tool, and throws what it could not do', async () => {
  await using session = await client().sessions.create()
  expect((await session.tool('dir_list')).data).toMatchObject({ tree: { name: '.' } })
  const failed = await session.tool('file_read', { file_path: 'absent.txt' }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(CallFailedError)
  expect(failed).toMatchObject({ code: 'not_found', call: { state: 'failed' } })
  const followed = await session
    .tool('file_read', { file_path: 'absent.txt' }, { onEvent() {} })
    .catch((error: unknown) => error)
  expect(followed).toMatchObject({ name: 'CallFailedError', call: { state: 'failed' } })
  await expect(session.tool('my_own_tool', { any: 1 })).rejects.toBeInstanceOf(NotFoundError)
  const data = await session.calls.batch([{ tool: 'dir_list' }, { tool: 'none' }], { mode: 'parallel' })
  expect(data.map(({ status }) => status)).toEqual([200, 404])
  const begun = await session.calls.begin('execute_shell', { command: 'echo far' })
  const types = []
  for await (const { type } of session.calls.follow(begun)) types.push(type)
  expect([types[0], types.at(-1)]).toEqual(['call', 'result'])
})

it('shows who changed what, and goes back: undo, diff, snapshots, forks', async () => {
  await using session = await client().sessions.create()
  await session.files.write('plan.txt', 'first\n')
  await session.snapshots.create('before')
  await session.files.write('plan.txt', 'second\n')
  const [newest] = await session.history({ path: 'plan.txt' }).take(1)
  expect(newest?.changes).toMatchObject([{ path: 'plan.txt', change: 'modified' }])
  expect(await session.changes(newest?.commit ?? 0).take(9)).toMatchObject([{ path: 'plan.txt' }])
  expect(await session.diff().take(9)).toMatchObject([{ path: 'plan.txt' }])
  expect(await session.unifiedDiff({ from: 'before' })).toContain('-first\n+second\n')
  await session.undo()
  expect(await session.files.read('plan.txt')).toBe('first\n')
  await session.undo()
  expect(await session.files.read('plan.txt')).toBe('second\n')
  await session.files.write('other.txt', 'kept\n')
  expect(await session.undo(1, { path: 'plan.txt', dry_run: true })).toMatchObject({ restored: false, changed: 1 })
  await session.undo(2, { path: 'plan.txt' })
  expect(await session.files.read('plan.txt')).toBe('second\n')
  expect(await session.files.read('other.txt')).toBe('kept\n')
  await expect(session.undo(1_000)).rejects.toThrow(/there are no 1000 commits to take back/)
  expect(await session.snapshots.list().take(9)).toMatchObject([{ name: 'before' }])
  await using fork = await session.fork({ as_of: 'before' })
  expect(await fork.files.read('plan.txt')).toBe('first\n')
  await session.snapshots.delete('before')
  expect((await session.snapshots.list().page()).data).toEqual([])
})

it('undoes nothing when somebody changes files in between', async () => {
  const other = await client().sessions.create()
  onTestFinished(() => other.delete())
  await other.files.write('plan.txt', 'first\n')
  await other.files.write('plan.txt', 'second\n')
  // The moment between the history that undo reads and its restore.
  const onRequest = async ({ url }: { url: string }) => {
    if (url.endsWith('/restore')) await other.files.write('mine.txt', 'new\n')
  }
  const session = new Toolyard({ baseUrl: server().url, onRequest }).sessions.open(other.name)
  await expect(session.undo()).rejects.toBeInstanceOf(PreconditionFailedError)
  await expect(session.undo(1, { path: 'plan.txt' })).rejects.toBeInstanceOf(PreconditionFailedError)
  expect(await other.files.read('plan.txt')).toBe('second\n')
  await expect(session.restore(1, {}, { ifCommit: 2 })).rejects.toBeInstanceOf(PreconditionFailedError)
})

it('asks any operation of the API by its route, and any list by pages', async () => {
  const toolyard = client()
  expect(await toolyard.request('GET /v1/keys/current')).toMatchObject({ scopes: expect.any(Array) })
  const names = []
  for await (const { name } of toolyard.pages('GET /v1/toolkits', { query: { limit: 5 } })) names.push(name)
  expect(names.length).toBeGreaterThan(5)
  expect((await toolyard.tools({ q: 'find text in files' }).take(3)).map(({ name }) => name)).toContain('file_search')
})

it('sends its key, and never where a hook would see it', async () => {
  const seen: string[] = []
  const apiKey = async () => 'no-such-key'
  const onRequest = ({ headers }: { headers: Headers }) => void seen.push(JSON.stringify([...headers]))
  const toolyard = new Toolyard({ baseUrl: server().url, apiKey, onRequest })
  await expect(toolyard.sessions.list().page()).rejects.toBeInstanceOf(UnauthenticatedError)
  expect(seen).toHaveLength(1)
  expect(seen.join()).not.toContain('no-such-key')
})

it('refuses names that would lead to another path, before anything is sent', async () => {
  const sent: unknown[] = []
  const toolyard = new Toolyard({ baseUrl: server().url, onRequest: (attempt) => void sent.push(attempt) })
  for (const name of ['', '.', '..']) await expect(toolyard.sessions.open(name).info()).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
})
