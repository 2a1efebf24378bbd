import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { type ConfiguredTool, register } from '../toolcore/support.ts'
import { CALLERS, type Caller, type Heard, makeMistyped } from './clients.ts'
import { ANYTHING, BEGUN, type Call, type Try } from './task.ts'
import { TASKS, type TaskName } from './tasks.ts'
import { REGISTERED } from './toolcore.ts'
import { TRIES } from './tries.ts'

type Dialect = keyof typeof TRIES
const DIALECTS = Object.keys(TRIES) as Dialect[]

/** The server, whose package index is a port at which nobody answers. */
const toolyard = runningToolyard(async () => ({ vars: { PIP_INDEX_URL: 'http://127.0.0.1:9/simple' } }))

beforeAll(async () => {
  await register(toolyard(), REGISTERED as readonly ConfiguredTool[])
  const lines = (await readFile('corpus/starter.jsonl', 'utf8')).trim().split('\n')
  const response = await fetch(`${toolyard().url}/v1/papers?corpus=public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${toolyard().adminToken}` },
    body: `{"papers": [${lines}]}`,
  })
  expect(response.status).toBe(201)
  await makeMistyped(toolyard().url)
})

describe.each(DIALECTS)('a model that calls by %s', (dialect) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await CALLERS[dialect](toolyard().url)
  })

  it.each(triedOf(dialect))('reads what it needs: %s', async (_, tried) => {
    let begun: string | number = ''
    for (const call of tried.before ?? []) {
      const { fails, texts, data } = await caller.call(call)
      expect({ call, fails, texts }).toMatchObject({ fails: false })
      begun = idOfBegun(texts, data)
    }
    const heard = await caller.call(withId(tried.sends, begun), tried.session)
    expect({
      fails: heard.fails,
      says: tried.message === undefined || says(heard, tried.message),
      heard: shown(heard),
    }).toEqual({
      fails: tried.fails === true,
      says: true,
      heard: expect.anything(),
    })
    if (tried.data && heard.data !== null) expect(heard.data).toMatchObject(tried.data)
  })
})

it('the set has at least 40 tasks, and each dialect answers those that its tools can express', () => {
  expect(Object.keys(TASKS).length).toBeGreaterThanOrEqual(40)
  const counts = DIALECTS.map((dialect) => [dialect, triedOf(dialect).length])
  expect(Object.fromEntries(counts)).toEqual({ toolserver: 69, v1: 69, mcp: 69, lagent: 68, xagent: 42, toolcore: 43 })
})

it.each(DIALECTS)('each answer by %s is compared with something that a model reads', (dialect) => {
  const hasData = !['mcp', 'lagent', 'xagent'].includes(dialect)
  const compared = ([, { message, data }]: readonly [TaskName, Try]) => message !== undefined || (hasData && data)
  expect(triedOf(dialect).filter((entry) => !compared(entry))).toEqual([])
})

/** Tasks that a dialect's tools can express, each with its first try. */
function triedOf(dialect: Dialect): (readonly [TaskName, Try])[] {
  return [...TRIES[dialect]].flatMap(([name, tried]) => ('none' in tried ? [] : [[name, tried] as const]))
}

/** Whether an answer says what it must: as the whole error, or as whole lines of one of its texts. */
function says({ error, texts }: Heard, message: string): boolean {
  const pattern = message.split(ANYTHING).map(RegExp.escape).join('[^]*')
  return error === null
    ? texts.some((text) => new RegExp(`(^|\\n)${pattern}($|\\n)`).test(text))
    : new RegExp(`^${pattern}$`).test(error)
}

/** An answer at a length that a report can show. */
const shown = ({ error, texts }: Heard) => error ?? texts.map((text) => text.slice(-600))

/** Id of what a call began: the Tool Server's `job_id`, XAgent's `shell_id`. */
function idOfBegun(texts: readonly string[], data: unknown): string | number {
  const job = /job_id="([^"]+)"/.exec(texts.join('\n'))?.[1]
  if (job !== undefined) return job
  return Number(/"shell_id":(\d+)/.exec(JSON.stringify(data))?.[1])
}

const withId = ([tool, args]: Call, id: string | number): Call => [
  tool,
  JSON.parse(JSON.stringify(args).replaceAll(JSON.stringify(BEGUN), JSON.stringify(id))),
]
