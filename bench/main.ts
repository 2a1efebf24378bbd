/**
 * Compares tool calls with the least that the platform and the sandbox host can do, in one run:
 * `npm run bench [-- --quick] [--huge] [--only workspaces|large|many|undo|large-files|finding|mcp|code-mode|kept|warm-pool|console]`. Prints a table; milliseconds depend
 * on the machine, the ratios hardly do. `--huge` measures workspaces at their limits too; `--only` measures one of these alone:
 * workspaces of many or large files, undoing with a sandbox, the memory that large files take, searches in many files, MCP, a task as code that calls
 * tools, the memory and disk that calls and sessions keep, first commands of a tenant with a warm pool, or how soon the console is
 * painted.
 */

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReader } from '../test/support/reader-host.ts'
import { startSandboxd } from '../test/support/sandboxd.ts'
import { besideAFlood } from './beside-a-flood.ts'
import { caller } from './caller.ts'
import { codeModeTimes, printCodeMode } from './code-mode.ts'
import { consolePaint } from './console.ts'
import { type DirectWorker, startDirectWorker } from './direct-worker.ts'
import { type EdgeCost, edgeCosts } from './edge-calls.ts'
import { findingCalls } from './finding.ts'
import { isolateStart } from './isolate-start.ts'
import { whatIsKept } from './kept.ts'
import { keyedCosts } from './keyed-calls.ts'
import { largeFiles } from './large-files.ts'
import { largeWorkspaces } from './large-workspaces.ts'
import { manyFiles } from './many-files.ts'
import { MANY_TOOLS, questionsAmongMany } from './many-tools.ts'
import { mcpCosts } from './mcp-calls.ts'
import { compare, type Work } from './measure.ts'
import { PRICES_OF } from './prices.ts'
import { printCosts, printIsolate, printKept, printLargeFiles, printRows, printStart, type Row } from './print.ts'
import { progress } from './progress.ts'
import { sandboxCalls } from './sandbox-calls.ts'
import { secondStart } from './second-start.ts'
import { printShells, shellCalls } from './shells.ts'
import { type SpareTimes, spareSandboxes } from './spare.ts'
import { toolCalls } from './tool-calls.ts'
import { undoAndPush } from './undo-and-push.ts'
import { warmPool } from './warm-pool.ts'

const ADMIN_TOKEN = 'admin-token-of-the-bench'
const quick = process.argv.includes('--quick')
const huge = process.argv.includes('--huge')
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
/** Parts that `--only` measures. */
const ALONE: Readonly<Record<string, (running: DirectWorker) => Promise<void>>> = {
  workspaces,
  'large-files': ofLargeFiles,
  'code-mode': async (running) => printCodeMode(await codeModeTimes(caller(running.url), quick)),
  large: async (running) => printRows(await largeWorkspaces(caller(running.url), running.processorMs, { quick, huge })),
  many: async (running) => printRows(await manyFiles(caller(running.url), { quick, huge })),
  undo: async (running) => printRows(await undoAndPush(caller(running.url), quick)),
  finding: async (running) => printRows(await findingCalls(caller(running.url), quick, progress)),
  sandbox: async ({ url }) => printRows(await sandboxCalls(caller(url), quick)),
  mcp: async (running) => printRows(await mcpCalls(running)),
  'warm-pool': ofWarmPool,
  console: async () => printRows(await consolePaint(quick, progress('console'))),
  kept: async () => printKept(await whatIsKept(quick, progress('memory and disk')), null),
}
const measured = only === undefined ? all : ALONE[only]
if (!measured) throw new Error(`--only takes one of ${Object.keys(ALONE).join(', ')}`)
// On a disk, as a server's: files in memory would count as the sandbox's memory, and a GiB of them ends it.
const sandboxd = await startSandboxd({ state: await mkdtemp(join(tmpdir(), 'toolyard-bench-')) })
const reader = await startReader()

let worker: DirectWorker | null = null
try {
  worker = await startDirectWorker({ ADMIN_TOKEN, ...sandboxd.vars, ...reader.vars })
  await measured(worker)
} finally {
  await worker?.stop()
  await reader.stop()
  await sandboxd.stop()
}
if (only === undefined) {
  const spare = await spareSandboxes(quick, progress('spare sandboxes'))
  printRows(spareRows(spare))
  printKept(await whatIsKept(quick, progress('memory and disk')), spare)
  printIsolate(await isolateStart(quick, progress('isolate start')))
  printStart(await secondStart())
}

async function all(running: DirectWorker): Promise<void> {
  const { url } = running
  const costs = await edgeCosts(running, caller(url), quick, progress)
  printCosts(costs)
  printRows([
    ...edgeRows(costs),
    ...(await keyedCalls(running)),
    ...(await mcpCalls(running)),
    ...(await foundTools(url)),
    ...(await floodedCalls(url)),
    ...(await questions(url)),
    ...(await sandboxCalls(caller(url), quick)),
    ...(await registeredCalls()),
  ])
  await ofWarmPool(running)
  await workspaces(running)
  printShells(await shellCalls(caller(url), quick, progress('commands side by side')))
  printCodeMode(await codeModeTimes(caller(url), quick))
}

/** Prints each table when it is there: the largest workspaces take many minutes. */
async function workspaces(running: DirectWorker): Promise<void> {
  const call = caller(running.url)
  printRows(await largeWorkspaces(call, running.processorMs, { quick, huge }))
  printRows(await manyFiles(call, { quick, huge }))
  printRows(await undoAndPush(call, quick))
  printRows(await findingCalls(call, quick, progress))
  if (!quick) await ofLargeFiles(running)
}

/** First commands with a warm pool and without, and what one sandbox of it costs. */
async function ofWarmPool({ url }: DirectWorker): Promise<void> {
  const times = await warmPool(url, ADMIN_TOKEN, sandboxd.url, quick, progress('warm pool'))
  const { warm, cold, dollarsAnHour } = times
  const what = 'first command of a session, warm pool'
  printRows([{ what, ms: warm, floor: 'the same without one', floorMs: cold, limit: { ratio: 0.5 } }])
  console.log(`A warm sandbox costs $${dollarsAnHour.toFixed(3)} an hour, by the list prices of ${PRICES_OF}.`)
}

/** Says each step when it is over: with a GiB they take minutes. */
async function ofLargeFiles(running: DirectWorker): Promise<void> {
  const gibibytes = quick ? null : huge ? 2 : 1
  printLargeFiles(await largeFiles(caller(running.url), running, gibibytes, (step) => console.error(step)))
}

function edgeRows(costs: readonly EdgeCost[]): Row[] {
  return costs.map(({ what, callers, cost, floor }) => ({
    what: `${what}, ${callers} at once`,
    ms: cost.p50,
    floor: 'bare route + object + insert',
    floorMs: floor.p50,
    limit: { ratio: callers === 1 ? 1.3 : 1.5 },
  }))
}

/** Rows for calls with an idempotency key, by their processor time. */
async function keyedCalls(worker: DirectWorker): Promise<Row[]> {
  const { keyed, plain } = await keyedCosts(worker, caller(worker.url), quick, progress('calls with a key'))
  return [
    {
      what: 'file_write with an Idempotency-Key, CPU',
      ms: keyed.processor,
      floor: 'file_write without, CPU',
      floorMs: plain.processor,
      limit: { ratio: 1.3 },
    },
  ]
}

/** Rows for MCP, in the newest revision and by a connection of the older ones: times, and processor time. */
async function mcpCalls(worker: DirectWorker): Promise<Row[]> {
  const costs = await mcpCosts(worker, caller(worker.url), quick, progress('MCP'))
  const revisions = { '2026-07-28': ['modern', 'modernList'], '2025-11-25': ['legacy', 'legacyList'] } as const
  return Object.entries(revisions).flatMap(([revision, [call, list]]) =>
    (['p50', 'processor'] as const).flatMap((cost): Row[] => {
      const suffix = cost === 'p50' ? '' : ', CPU'
      return [
        {
          what: `file_read by MCP ${revision}${suffix}`,
          ms: costs[call][cost],
          floor: `file_read by /v1${suffix}`,
          floorMs: costs.v1[cost],
          limit: { ratio: 1.3 },
        },
        {
          what: `tools/list of all by MCP ${revision}${suffix}`,
          ms: costs[list][cost],
          floor: `bare route + object + insert${suffix}`,
          floorMs: costs.floor[cost],
          limit: { ratio: 2 },
        },
      ]
    }),
  )
}

async function foundTools(url: URL): Promise<Row[]> {
  const call = caller(url)
  const node = await call.node()
  const works = {
    floor: () => call.post('/floor/insert', { text: 'x'.repeat(100) }),
    retrieval: () => node.post('/retrieving_tools', { question: 'read the lines of a text file' }),
  } satisfies Record<string, Work>
  const size = { rounds: quick ? 4 : 16, perRound: 50, concurrent: 1 }
  const times = await compare(works, size, progress('retrieving tools'))
  const floor = 'bare route + object + insert'
  return [{ what: 'retrieving_tools', ms: times.retrieval, floor, floorMs: times.floor, limit: { moreMs: 20 } }]
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

/** Rows for XAgent's questions where the tenant has thousands of tools of its own. */
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

/**
 * Rows for Toolcore's API, and for the steps between: a Worker that only calls the service, and one that keeps a row of it
 * too.
 */
async function registeredCalls(): Promise<Row[]> {
  const times = await toolCalls(quick, progress)
  return times.flatMap(({ service, callers, direct, fetched, kept, tool }) => {
    const about = { what: `a registered tool, service ${service}, ${callers} at once`, ms: tool, limit: { moreMs: 3 } }
    return [
      { ...about, floor: 'the service itself', floorMs: direct },
      { ...about, floor: 'a Worker that asks it', floorMs: fetched },
      { ...about, floor: 'one that keeps a row too', floorMs: kept, limit: { ratio: 1.5 } },
    ]
  })
}

function spareRows({ spare, cold, warm }: SpareTimes): Row[] {
  return [
    { what: 'first command, spare sandbox', ms: spare, floor: 'second command', floorMs: warm, limit: { moreMs: 50 } },
    { what: 'the same', ms: spare, floor: 'first command, none spare', floorMs: cold, limit: { ratio: 0.33 } },
  ]
}
