import { endOf, shownLength, startOf } from '../../core/cut-text.ts'
import { MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Output } from '../../ports/runner.ts'
import type { Captured } from './exec-script.ts'

/**
 * An output channel for the answer: cut, and with secrets masked.
 * @param maxChars length of its text; null for all that was fetched
 */
export function toOutput(
  captured: Captured,
  log: WorkspacePath | null,
  secrets: readonly string[],
  maxChars: number | null = null,
): Output {
  const { bytes, isPart } = captured
  const [head, tail] = ends(captured, secrets, maxChars)
  if (tail === null) return { text: head, bytes }
  if (isPart) {
    const left = `${bytes - utf8Length(head)} of ${bytes} bytes or more left out here; they were not fetched in time`
    return { text: `${head}\n[… ${left} …]\n`, bytes, isCut: true }
  }
  const whole = bytes > MAX_OUTPUT_FILE_BYTES ? `the first ${MAX_OUTPUT_FILE_BYTES} bytes are` : 'the whole is'
  const left = log ? `${whole} in ${log}` : 'they were not kept'
  const text = `${head}\n[… ${Math.max(0, bytes - utf8Length(head) - utf8Length(tail))} of ${bytes} bytes left out here; ${left} …]\n${tail}`
  return { text, bytes, isCut: true, ...(log && { file: log }) }
}

/** Head and tail of an output; no tail when it is shown whole. */
function ends(
  { head, tail, capped, isPart }: Captured,
  secrets: readonly string[],
  maxChars: number | null,
): readonly [string, string | null] {
  // Masked first: a cut could leave half of a secret.
  const [first, last] = [mask(head, secrets), mask(tail, secrets)]
  if (maxChars === null || shownLength(first) + shownLength(last) <= maxChars) return [first, capped ? last : null]
  if (isPart) return [startOf(first, maxChars), '']
  const half = Math.floor(maxChars / 2)
  return [startOf(first, half), endOf(capped ? last : first, half)]
}

/** Secrets in the order in which they are masked: of one that begins another, the rest would stay. */
export const longestFirst = (secrets: readonly string[]) =>
  secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length)

function mask(text: string, secrets: readonly string[]): string {
  return longestFirst(secrets).reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}
