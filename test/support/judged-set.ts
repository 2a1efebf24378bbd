import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach } from 'vitest'

/**
 * Judged set in a directory of its own for each test, and the bench that measures it.
 * @param files files of the set, by name
 */
export function judgedSet(bench: string, files: Readonly<Record<string, string>>) {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'judged-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  })
  afterEach(() => rm(directory, { recursive: true }))

  const run = (...parameters: string[]) => promisify(execFile)(process.execPath, [bench, ...parameters])
  return {
    directory: () => directory,
    run,
    /** Exit of the bench when it refuses to measure. */
    refused: (...parameters: string[]) =>
      run(...parameters).then(
        ({ stdout }) => ({ stderr: `was not refused: ${stdout}` }),
        (thrown: { stderr: string }) => thrown,
      ),
  }
}
