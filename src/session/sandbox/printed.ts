import { DEADLINE_ANSWER_MS, DEADLINE_FETCH_MS, MAX_OUTPUT_BYTES } from '../../core/limits/sandbox.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { type Captured, type Ended, outputFiles } from './exec-script.ts'

type Printed = Pick<Ended, 'exitCode' | 'stdout' | 'stderr'>

export const NOTHING: Captured = { head: '', tail: '', bytes: 0, capped: false }
export const NOTHING_PRINTED: Promise<Printed> = Promise.resolve({ exitCode: -1, stdout: NOTHING, stderr: NOTHING })

/** Time for fetching the heads of both output files. */
const FETCH_MS = DEADLINE_ANSWER_MS - DEADLINE_FETCH_MS - 50

/** Fetches the output of an overdue command in time for its answer, unless the command has ended by then. */
export async function fetchPrinted(sandbox: Sandbox, callId: string, hasEnded: () => boolean): Promise<Printed> {
  await new Promise((resolve) => setTimeout(resolve, DEADLINE_FETCH_MS))
  return hasEnded() ? NOTHING_PRINTED : fetchOutputs(sandbox, callId)
}

/** Reads a command's output until now from its files; empty where they cannot be read at once. */
export async function fetchOutputs(sandbox: Sandbox, callId: string): Promise<Printed> {
  const [stdout = NOTHING, stderr = NOTHING] = await Promise.all(
    outputFiles(callId).map((file) => fetchHead(sandbox, file)),
  )
  return { exitCode: -1, stdout, stderr }
}

/** Content of a file that may be growing: the whole of a small one, of a larger one half of what an answer holds. */
async function fetchHead(sandbox: Sandbox, file: string): Promise<Captured> {
  const reading = new AbortController()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const read = async () => {
    const reader = (await sandbox.readStream(file, reading.signal))?.getReader()
    while (reader && bytes <= MAX_OUTPUT_BYTES) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
      text += decoder.decode(value, { stream: true })
    }
    await reader?.cancel()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FETCH_MS)
  })
  // A sandbox without an answer is discarded anyway: its output is a courtesy.
  await Promise.race([read().catch(() => undefined), tooLate])
  clearTimeout(timer)
  reading.abort()
  if (bytes <= MAX_OUTPUT_BYTES) return { head: text, tail: '', bytes, capped: false }
  const head = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, MAX_OUTPUT_BYTES / 2))
  return { head: head.replace(/\ufffd{1,3}$/, ''), tail: '', bytes, capped: true, isPart: true }
}
