import { MAX_HUMAN_TASK_CHARS } from '../../../../core/limits/sessions.ts'
import { redact } from '../../../../core/redact.ts'
import type { HumanTask } from '../../../../ports/people.ts'
import { parseJson } from '../../../json.ts'

/** A call that needs a person's confirmation. */
export interface ConfirmableCall {
  readonly tool_name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const QUESTION = 'Allow this call? Answer "approved" to allow it; any other answer is "rejected".'
const SECRET_NAMES = /^(?:.*_)?(?:token|key|password|secret)$/i
/** Lengths to which texts are cut, one after the other, until all of the call fits. */
const SHOWN_CHARS = [2_000, 500, 100, 20]

/** Text that a person reads: the question, and the call as JSON, cut to what a human task may have. */
export function wordsOf({ tool_name, arguments: given }: ConfirmableCall): string {
  for (const limit of SHOWN_CHARS) {
    const call = { tool_name: tool_name.slice(0, 100), arguments: shown(given, limit) }
    const words = redact(`${QUESTION}\n${JSON.stringify(call)}`)
    if (words.length <= MAX_HUMAN_TASK_CHARS) return words
  }
  return `${QUESTION}\n${JSON.stringify({ tool_name: tool_name.slice(0, 100), arguments: { '…': 'too much to be shown' } })}`
}

function shown(value: unknown, limit: number): unknown {
  if (typeof value === 'string') {
    return value.length <= limit ? value : `${value.slice(0, limit).toWellFormed()}… [${value.length} characters]`
  }
  if (Array.isArray(value)) return value.map((item) => shown(item, limit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, item && SECRET_NAMES.test(name) ? '***' : shown(item, limit)]),
  )
}

/** The call that a human task's words are about, as far as they show it. */
export function callIn({ words }: HumanTask): ConfirmableCall {
  const parsed = parseJson(words.slice(words.indexOf('\n') + 1))
  return parsed.ok ? (parsed.value as ConfirmableCall) : { tool_name: '', arguments: {} }
}

/** Result of a confirmation in the client's word; null while there is none. Only the word `approved` allows. */
export const resultOf = ({ completedAt, result }: HumanTask): 'approved' | 'rejected' | null =>
  completedAt === null ? null : result?.trim().toLowerCase() === 'approved' ? 'approved' : 'rejected'
