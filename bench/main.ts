/**
 * Compares tool calls with the least that the platform and the sandbox host can do, in one run:
 * `npm run bench [-- --quick]`. Prints a table; milliseconds depend on the machine, the ratios hardly do.
 */
import { createTestHarness } from 'wrangler'
import { startReader } from '../test/support/reader-host.ts'
import { startSandboxd } from '../test/support/sandboxd.ts'
import { besideAFlood } from './beside-a-flood.ts'
import { type Kept, whatIsKept } from './kept.ts'
import { MANY_TOOLS, questionsAmongMany } from './many-tools.ts'
import { compare, type Work } from './measure.ts'
import { printShells, shellCalls } from './shells.ts'
import { type SpareTimes, spareSandboxes } from './spare.ts'
import { toolCalls } from './tool-calls.ts'

const ADMIN_TOKEN = 'admin-token-of-the-bench'
const quick = process.argv.includes('--quick')
const sandboxd = await startSandboxd()
const reader = await startReader()
const harness = createTestHarness({
  workers: [
    {
      configPath: './bench/wrangler.toml',
      vars: { ADMIN_TOKEN, ...sandboxd.vars, ...reader.vars },
    },
  ],
})

interface Row {
  readonly what: string
  readonly ms: number
  readonly floor: string
  readonly floorMs: number
  /** What the architecture promises: a ratio, or milliseconds more. */
  readonly limit: { readonly ratio: number } | { readonly moreMs: number }
}

try {
  const { url } = await harness.listen()
  await harness.getWorker().applyD1Migrations('DB' as never)
  print([
    ...(await edgeCalls(url)),
    ...(await floodedCalls(url)),
    ...(await questions(url)),
    ...(await sandboxCalls(url)),
    ...(await registeredCalls()),
  ])
  printShells(await shellCalls(caller(url), quick, progress('commands side by side')))
} finally {
  await harness.close()
  await reader.stop()
  await sandboxd.stop()
}
const spare = await spareSandboxes(quick, progress('spare sandboxes'))
print(spareRows(spare))
printKept(await whatIsKept(quick, progress('memory and disk')), spare)

async function edgeCalls(url: URL): Promise<Row[]> {
  const call = caller(url)
  await call.create('bench')
  await call.tool('bench', 'file_write', { file_path: 'notes/read.txt', content: 'x'.repeat(100) })
  const content = 'x'.repeat(100)
  let written = 0
  const node = await call.node()
  await node.execute('FileSystemEnv_write_to_file', { filepath: 'notes/read.txt', content })
  const works = {
    floor: () => call.post('/floor/insert', { text: content }),
    file_write: () => call.tool('bench', 'file_write', { file_path: `notes/w${written++ % 50}.txt`, content }),
    file_read: () => call.tool('bench', 'file_read', { file_path: 'notes/read.txt' }),
    dir_list: () => call.tool('bench', 'dir_list', { dir_path: 'config' }),
    write_to_file: () => node.execute('FileSystemEnv_write_to_file', { filepath: 'w.txt', content, truncating: true }),
    read_from_file: () => node.execute('FileSystemEnv_read_from_file', { filepath: 'notes/read.txt' }),
    retrieving_tools: () => node.post('/retrieving_tools', { question: 'read the lines of a text file' }),
  } satisfies Record<string, Work>

  const rows: Row[] = []
  for (const concurrent of [1, 32]) {
    const size = { rounds: quick ? 4 : 16, perRound: concurrent === 1 ? 50 : 320, concurrent }
    const times = await compare(works, size, progress(`edge calls, ${concurrent} at once`))
    for (const name of ['file_write', 'file_read', 'dir_list', 'write_to_file', 'read_from_file'] as const) {
      rows.push({
        what: `${name}, ${concurrent} at once`,
        ms: times[name],
        floor: 'bare route + object + insert',
        floorMs: times.floor,
        limit: { ratio: 1.3 },
      })
    }
    if (concurrent > 1) continue
    rows.push({
      what: 'retrieving_tools',
      ms: times.retrieving_tools,
      floor: 'bare route + object + insert',
      floorMs: times.floor,
      limit: { moreMs: 20 },
    })
  }
  return rows
}

/** Rows for a tenant beside which another one has 32 callers. */
async function floodedCalls(url: URL): Promise<Row[]> {
  const admin = caller(url, ADMIN_TOKEN)
  const { id } = (await admin.post('/admin/tenants', { name: 'calm' })) as { readonly id: string }
  const { key } = (await admin.post(`/admin/tenants/${id}/keys`, { name: 'calm' })) as { readonly key: string }
  const times = await besideAFlood(caller(url), caller(url, key), quick, progress)
  return times.map(({ tool, quiet, flooded }) => ({
    what: `file_read beside another tenant's ${tool}, 32 at once`,
    ms: flooded,
    floor: 'file_read, nobody else',
    floorMs: quiet,
    limit: { ratio: 5 },
  }))
}

/** XAgent's questions where the tenant has thousands of tools of its own. */
async function questions(url: URL): Promise<Row[]> {
  const call = caller(url)
  const node = await call.node()
  const { floor, question, fresh } = await questionsAmongMany({ ...call, node }, quick, progress('many tools'))
  const row = (what: string, ms: number): Row => ({
    what: `retrieving_tools among ${MANY_TOOLS}${what}`,
    ms,
    floor: 'bare route + object + insert',
    floorMs: floor,
    limit: { moreMs: 20 },
  })
  return [row('', question), row(', five of them new', fresh)]
}

async function sandboxCalls(url: URL): Promise<Row[]> {
  const call = caller(url)
  const shell = (task: string, command: string) => call.tool(task, 'execute_shell', { command })
  await call.create('small')
  await call.create('large')
  await shell('small', 'true')
  await shell('large', 'mkdir -p many && cd many && for i in $(seq 1 10000); do echo $i > $i.txt; done')
  await shell('large', 'true')
  const node = await call.node()
  const cell = () => node.execute('PythonNotebook_execute_cell', { code: '1', cell_index: 0 })
  const command = () => node.execute('shell_command_executor', { command: 'true' })
  await node.post('/register_new_tool', { tool_name: 'one', code: '@toolwrapper()\ndef one(): return 1' })
  const python = () => node.execute('one', {})
  await cell()
  await command()
  await python()
  const times = await compare(
    {
      sdk: () => call.post('/floor/run/warm', { command: 'true' }),
      shell: () => shell('small', 'true'),
      large: () => shell('large', 'true'),
      cell,
      command,
      python,
    },
    { rounds: quick ? 4 : 12, perRound: 25, concurrent: 1 },
    progress('warm commands'),
  )
  await call.remove('/floor/run/warm')
  const cold = await coldCalls(call)
  return [
    {
      what: 'execute_shell true, warm',
      ms: times.shell,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { ratio: 1.15 },
    },
    {
      what: 'the same among 10,000 files',
      ms: times.large,
      floor: 'execute_shell true, warm',
      floorMs: times.shell,
      limit: { moreMs: 5 },
    },
    {
      what: 'execute_cell 1, warm',
      ms: times.cell,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { moreMs: 8 },
    },
    {
      what: 'shell_command_executor true, warm',
      ms: times.command,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { moreMs: 8 },
    },
    {
      what: 'a tool of the node that is Python, warm',
      ms: times.python,
      floor: 'shell_command_executor true, warm',
      floorMs: times.command,
      limit: { ratio: 1 },
    },
    {
      what: 'a tool of the node that is Python, warm',
      ms: times.python,
      floor: 'execute_cell 1, warm',
      floorMs: times.cell,
      limit: { ratio: 1 },
    },
    ...cold,
  ]
}

async function coldCalls(call: Caller): Promise<Row[]> {
  let made = 0
  const times = await compare(
    {
      sdk: async () => {
        await call.post('/floor/run/cold', { command: 'true' })
        await call.remove('/floor/run/cold')
      },
      create: () => call.create(`cold-${made}`),
      node: () => call.node(),
      first: () => call.tool(`cold-${made++}`, 'execute_shell', { command: 'true' }),
      remove: () => call.remove(`/api/task/cold-${made - 1}`),
    },
    { rounds: quick ? 3 : 6, perRound: 1, concurrent: 1 },
    progress('cold commands'),
  )
  return [
    {
      what: 'execute_shell true, cold',
      ms: times.first,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { moreMs: 250 },
    },
    {
      what: 'a new task (no sandbox)',
      ms: times.create,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { ratio: 1 },
    },
    {
      what: 'a new node of XAgent (no sandbox)',
      ms: times.node,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { ratio: 1 },
    },
  ]
}

/** Rows for Toolcore's API, with what lies between: a Worker that only asks the service, and one that keeps a row of it too. */
async function registeredCalls(): Promise<Row[]> {
  const times = await toolCalls(quick, progress)
  return times.flatMap(({ service, callers, direct, fetched, kept, tool }) => {
    const about = { what: `a registered tool, service ${service}, ${callers} at once`, ms: tool, limit: { moreMs: 3 } }
    return [
      { ...about, floor: 'the service itself', floorMs: direct },
      { ...about, floor: 'a Worker that asks it', floorMs: fetched },
      { ...about, floor: 'one that keeps a row too', floorMs: kept },
    ]
  })
}

type Caller = ReturnType<typeof caller>

/** @param key of the tenant; without one it is the open one */
function caller(url: URL, key?: string) {
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { readonly success?: boolean; readonly error?: string }
    if (!response.ok || answer.success === false)
      throw new Error(`${method} ${path}: ${answer.error ?? response.status}`)
    return answer
  }
  /** A node of XAgent's API. */
  async function node() {
    const made = await fetch(new URL('/get_cookie', url), { method: 'POST' })
    await made.json()
    const Cookie = made.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    async function post(path: string, body: object) {
      const response = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { Cookie },
        body: JSON.stringify(body),
      })
      const answer = await response.text()
      if (!response.ok) throw new Error(`${path}: ${answer}`)
    }
    return { post, execute: (tool_name: string, args: object) => post('/execute_tool', { tool_name, arguments: args }) }
  }
  return {
    node,
    post: (path: string, body: unknown) => send('POST', path, body),
    remove: (path: string) => send('DELETE', path),
    create: (task: string) => send('POST', `/api/task/create?task_id=${task}&task_name=${task}`),
    tool: (task_id: string, tool_name: string, params: object) =>
      send('POST', '/api/tool/execute', { task_id, tool_name, params }),
  }
}

function progress(what: string): (done: number) => void {
  return (done) => {
    if (!process.stderr.isTTY) return
    const width = Math.round(done * 30)
    process.stderr.write(
      `\r${what.padEnd(28)} [${'#'.repeat(width)}${' '.repeat(30 - width)}]${done === 1 ? '\n' : ''}`,
    )
  }
}

function spareRows({ spare, cold, warm }: SpareTimes): Row[] {
  return [
    { what: 'first command, spare sandbox', ms: spare, floor: 'second command', floorMs: warm, limit: { moreMs: 50 } },
    { what: 'the same', ms: spare, floor: 'first command, none spare', floorMs: cold, limit: { ratio: 0.33 } },
  ]
}

function printKept({ callKb, workerMb, sessionKb }: Kept, { memoryKb }: SpareTimes): void {
  const rows = [
    [`memory that a call leaves, of a Worker of ${workerMb.toFixed(0)} MiB`, callKb, 1],
    ['disk that a new task takes', sessionKb, 128],
    ['memory that a spare sandbox takes', memoryKb, 96 * 1024],
  ] as const
  console.log('\n| kept | KiB | limit | |')
  console.log('|---|---|---|---|')
  for (const [what, kb, limit] of rows) {
    console.log(`| ${what} | ${kb.toFixed(2)} | ${limit} | ${kb <= limit ? 'ok' : 'over'} |`)
  }
}

function print(rows: readonly Row[]): void {
  console.log('| call | p50 ms | compared with | p50 ms | result | limit | |')
  console.log('|---|---|---|---|---|---|---|')
  for (const { what, ms, floor, floorMs, limit } of rows) {
    const [result, bound, ok] =
      'ratio' in limit
        ? [`${(ms / floorMs).toFixed(2)}×`, `${limit.ratio}×`, ms / floorMs <= limit.ratio]
        : [`${(ms - floorMs).toFixed(1)} ms more`, `${limit.moreMs} ms more`, ms - floorMs <= limit.moreMs]
    console.log(
      `| ${what} | ${ms.toFixed(2)} | ${floor} | ${floorMs.toFixed(2)} | ${result} | ${bound} | ${ok ? 'ok' : 'over'} |`,
    )
  }
}
