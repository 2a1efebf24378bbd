import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FailureError } from '../../../src/core/failure.ts'
import { fewEntries, safeRead } from '../../../src/core/safe-read.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { describeIssues } from '../../../src/tools/registry.ts'
import { grownMib } from '../../support/grown-memory.ts'
import { expectCost } from '../../support/processor-time.ts'

/** Bound on memory, in MiB: little beside that of an isolate. */
const LITTLE_MEMORY = { below: () => 150, measure: grownMib }

/** What a tool says of arguments that do not fit it. */
function refusal(tool: string, args: unknown): string {
  try {
    catalog.prepare({ tool, args } as Parameters<typeof catalog.prepare>[0])
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure.message
    throw thrown
  }
  throw new Error('the arguments fit')
}

const MANY = 900_000

describe('safeRead()', () => {
  const schema = z.object({ a: z.string(), list: z.array(z.string()) })

  it('tells all that does not fit where there is little', () => {
    const paths = safeRead(schema, { list: [1, 'x', 2] }).error?.issues.map(({ path }) => path.join('.'))
    expect(paths).toEqual(['a', 'list.0', 'list.2'])
  })

  it('takes what fits, however much it is', () => {
    const list = Array<string>(MANY).fill('x')
    expect(safeRead(schema, { a: '', list })).toEqual({ success: true, data: { a: '', list } })
    const either = z.array(z.union([z.array(z.number()), z.array(z.string()).transform((words) => words.join(''))]))
    expect(safeRead(either, Array(20_000).fill(['a', 'b'])).data?.at(-1)).toBe('ab')
  })

  it('tells the first thing that does not fit where there is much, also at its end', () => {
    const list: unknown[] = [...Array(MANY).fill('x'), 1, 2]
    const { error } = safeRead(schema, { a: '', list })
    expect(error?.issues.map(({ path }) => path)).toEqual([['list', MANY]])
  })
})

describe('fewEntries()', () => {
  it('counts entries before it looks at any', () => {
    const schema = fewEntries(z.record(z.string(), z.number()), 2, 'MAX_X')
    expect(schema.parse({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    expect(schema.safeParse({ a: 'x' }).success).toBe(false)
    expect(schema.safeParse(null).success).toBe(false)
    expect(schema.safeParse({ a: 1, b: 2, c: 'x' }).error?.issues).toMatchObject([
      { message: 'has more than 2 entries (MAX_X)' },
    ])
  })
})

describe('very many values that do not fit', () => {
  it('are refused by tools without taking the memory of an isolate', async () => {
    const wrong = Array<number>(MANY).fill(1)
    const message = await expectCost(() => refusal('pip_install', { packages: wrong }), LITTLE_MEMORY)
    expect(message).toMatch(/packages\.0: /)
  })

  it('are refused in the parts of a registered tool', async () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`field${at}`, 1]))
    const fields = { id: 'a', name: 'a', description: '', input_schema: {} }
    const http = { kind: 'http', target: 'https://a.example' }
    const executors = [
      ...['query', 'headers', 'cookies'].map((part) => ({ ...http, request: { [part]: many } })),
      { ...http, request: { method: 'POST', body: { as: 'json', fields: many } } },
      { kind: 'python', target: 'a:b', files: many },
    ]
    await expectCost(() => {
      for (const executor of executors) {
        const { error } = safeRead(ToolDefinition, { ...fields, executor })
        expect(JSON.stringify(error?.issues)).toMatch(/MAX_REQUEST_PARTS|MAX_PYTHON_FILES/)
      }
    }, LITTLE_MEMORY)
  })

  it('are not all named in the answer', () => {
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`.repeat(100), 1]))
    const { error } = safeRead(LimitSettings, { rules: [{ scope: 'tenant', ...names }], ...names })
    expect(error?.issues[0]?.message.length).toBeGreaterThan(100_000)
    expect(describeIssues(error ?? new z.ZodError([])).length).toBeLessThan(3_000)
  })
})
