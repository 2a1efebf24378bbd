import { expect, it } from 'vitest'
import { MAX_OUTPUT_FILE_BYTES } from '../../../src/core/limits/sandbox.ts'
import type { WorkspacePath } from '../../../src/core/workspace-path.ts'
import { toOutput } from '../../../src/session/sandbox/output.ts'

const captured = (bytes: number) => ({ head: 'head', tail: 'tail', bytes, capped: true })
const LOG = 'logs/out.txt' as WorkspacePath

it('of a longer output than is kept, the answer says how much of it is in the file', () => {
  expect(toOutput(captured(MAX_OUTPUT_FILE_BYTES), LOG, []).text).toContain('the whole is in logs/out.txt')
  expect(toOutput(captured(MAX_OUTPUT_FILE_BYTES + 1), LOG, []).text).toContain(
    `the first ${MAX_OUTPUT_FILE_BYTES} bytes are in logs/out.txt`,
  )
})
