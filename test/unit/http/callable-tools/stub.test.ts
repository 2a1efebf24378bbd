import { describe, expect, it } from 'vitest'
import { stubOf } from '../../../../src/http/callable-tools/stubs/stub.ts'
import type { ToolEntry } from '../../../../src/http/callable-tools/tool-entries.ts'

const entry = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): ToolEntry => ({
  name: 'make',
  kind: 'registered',
  title: null,
  toolkit: null,
  description: 'Makes.\nimport os; os.remove("x")\u2028x()',
  effect: null,
  inputSchema: { type: 'object', properties, ...more },
})

const SCHEMAS = {
  size: { type: ['integer', 'null'] },
  kind: { enum: ['a"b', 1, true, null] },
  rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  any: { $ref: '#/$defs/x' },
  either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
  from: { type: 'string', description: 'Where\nit begins' },
}

describe('a stub', () => {
  it('says the types of Python, required arguments first', () => {
    expect(
      stubOf(entry(SCHEMAS, { required: ['from', 'rows'] }), 'python'),
    ).toBe(`# Makes. import os; os.remove("x") x()
tools.make(
    rows: list[{"id": str}],
    **{"from": …}: str,  # Where it begins
    size: int | None = ...,
    kind: Literal["a\\"b"] | Literal[1] | Literal[True] | None = ...,
    any: Any = ...,
    either: str | list[float] = ...,
) -> dict`)
  })

  it('says the types of TypeScript', () => {
    expect(stubOf(entry(SCHEMAS, { required: ['rows'] }), 'typescript')).toBe(`// Makes. import os; os.remove("x") x()
tools.make(args: {
  rows: Array<{ "id": string }>
  size?: number | null
  kind?: "a\\"b" | 1 | true | null
  any?: any
  either?: string | number[]
  from?: string // Where it begins
}): Promise<Record<string, any>>`)
  })

  it('of a schema without end or bound is short', () => {
    const deep = Array.from({ length: 200 }).reduce<object>((items) => ({ type: 'array', items }), { type: 'string' })
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: 'string' }]))
    const stub = stubOf(entry({ deep, wide: { type: 'object', properties: wide } }), 'typescript')
    expect(stub).toContain('deep?: any[][][][][]\n')
    expect(stub).toContain('wide?: Record<string, any>\n')
  })

  it('of a tool that takes anything says so', () => {
    expect(stubOf(entry({}), 'python')).toContain('tools.make(\n    **others,\n) -> dict')
    expect(stubOf(entry({}, { additionalProperties: false }), 'typescript')).toContain('tools.make(): Promise')
  })
})
