import { shownLength, startOf } from '../core/cut-text.ts'
import { MAX_ANSWER_CHARS } from '../core/limits/answers.ts'
import type { Result } from '../core/outcome.ts'
import { maxChars } from './answer-budget.ts'
import type { AnyTool } from './registry.ts'

/** The tool with the argument `max_chars`, and its results within that. */
export const budgeted = (tool: AnyTool): AnyTool => ({
  ...tool,
  input: tool.input.extend({ max_chars: maxChars() }),
  uses: [...tool.uses, 'results'],
  async run({ max_chars, ...input }, context) {
    const answer = await tool.run(input, context)
    return 'next' in answer ? answer : withinBudget(answer, max_chars, () => context.ports.results.keep(answer))
  },
})

/**
 * A result cut to a length: of lists that are too long the first entries are kept, of texts the beginning, and small fields
 * whole. `notes` says what is left out.
 * @param chars length of `data` as JSON, and of `text`
 * @param keep keeps the whole, and gives its handle; null where it is not kept
 */
function withinBudget(result: Result, chars: number, keep: () => string | null): Result {
  if (lengthOf(result.data) <= chars && shownLength(result.text) <= chars) return result
  const { text } = result
  const data = withoutRepeats(result.data)
  if (lengthOf(data) <= chars && shownLength(text) <= chars) return { ...result, data }
  const cuts: string[] = []
  const cut = fitting(data, chars, '', cuts) as Result['data']
  const parts = cuts.length > 0 ? `: ${cuts.slice(0, MAX_NAMED_CUTS).join(', ')}` : ''
  const handle = keep()
  const rest = handle === null ? '' : `; result_query shows any part of ${handle}, which is the whole`
  const note = `cut to ${chars} characters${parts}; max_chars shows more, at most ${MAX_ANSWER_CHARS}${rest}`
  const notes = [...(Array.isArray(cut.notes) ? cut.notes : []), note]
  return {
    text: shownLength(text) <= chars ? `${text}\n[${note}]` : `${startOf(text, chars)}\n[${note}]`,
    data: cuts.length > 0 ? { ...cut, truncated: true, notes } : data,
  }
}

/** Fields with a long text that another one has, too, name that one instead: a paper without a text has its abstract twice. */
function withoutRepeats(data: Result['data']): Result['data'] {
  const fields = Object.entries(data)
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const [first = name] = fields.find(([, other]) => other === value) ?? []
      return [name, first !== name && lengthOf(value) > LONG_CHARS ? `(the same as ${first})` : value]
    }),
  )
}

/** Length of a text that is not worth repeating. */
const LONG_CHARS = 100

/** Cuts that a note names. */
const MAX_NAMED_CUTS = 5

const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0

/** @param at the value's name, for what is noted in `cuts` */
function fitting(value: unknown, chars: number, at: string, cuts: string[]): unknown {
  if (lengthOf(value) <= chars) return value
  if (typeof value === 'string') {
    const start = startOf(value, Math.max(0, chars - QUOTES))
    cuts.push(`${at} has ${value.length} characters, shown ${start.length}`)
    return start
  }
  if (Array.isArray(value)) return fittingEntries(value, chars, at, cuts)
  if (typeof value === 'object' && value !== null) return fittingFields(value, chars, at, cuts)
  return value
}

function fittingEntries(list: readonly unknown[], chars: number, at: string, cuts: string[]): unknown[] {
  let left = chars - QUOTES
  const end = list.findIndex((entry) => {
    left -= lengthOf(entry) + 1
    return left < 0
  })
  if (end === 0) return [fitting(list[0], chars - QUOTES, `${at}.0`, cuts)]
  cuts.push(`${at} has ${list.length} entries, shown ${end}`)
  return list.slice(0, end)
}

/** Fields of an object, the small ones whole; the large ones share what these leave. */
function fittingFields(object: object, chars: number, at: string, cuts: string[]): Record<string, unknown> {
  const fields = Object.entries(object).map(([name, value]) => ({ name, value, length: lengthOf({ [name]: value }) }))
  const shares = new Map<string, number>()
  let left = chars - QUOTES
  for (const [index, { name, length }] of [...fields].sort((one, two) => one.length - two.length).entries()) {
    const share = Math.max(0, Math.min(length, Math.floor(left / (fields.length - index))))
    shares.set(name, share - lengthOf(name) - QUOTES)
    left -= share
  }
  const inner = (name: string) => (at === '' ? name : `${at}.${name}`)
  return Object.fromEntries(
    fields.map(({ name, value }) => [name, fitting(value, shares.get(name) ?? 0, inner(name), cuts)]),
  )
}

/** Characters around a text, a list or an object. */
const QUOTES = 2
