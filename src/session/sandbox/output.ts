import { MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Output } from '../../ports/runner.ts'
import type { Captured } from './exec-script.ts'

/** An output channel for the answer: capped, and with secrets masked. */
export function toOutput(
  { head, tail, bytes, capped, isPart }: Captured,
  log: WorkspacePath | null,
  secrets: readonly string[],
): Output {
  if (!capped) return { text: mask(head, secrets), bytes }
  if (isPart) {
    const left = `${bytes - utf8Length(head)} of ${bytes} bytes or more left out here; they were not fetched in time`
    return { text: `${mask(head, secrets)}\n[… ${left} …]\n`, bytes }
  }
  const whole = bytes > MAX_OUTPUT_FILE_BYTES ? `the first ${MAX_OUTPUT_FILE_BYTES} bytes are` : 'the whole is'
  const left = log ? `${whole} in ${log}` : 'they were not kept'
  const text = `${mask(head, secrets)}\n[… ${bytes - utf8Length(head) - utf8Length(tail)} of ${bytes} bytes left out here; ${left} …]\n${mask(tail, secrets)}`
  return log ? { text, bytes, file: log } : { text, bytes }
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => (secret === '' ? masked : masked.replaceAll(secret, '***')), text)
}
