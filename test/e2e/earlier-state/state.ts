import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A copy of the state that an earlier version left, for one test. @returns its directory */
export function earlierState(): string {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-earlier-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  execFileSync('tar', ['-xzf', join(import.meta.dirname, 'state.tgz'), '-C', directory])
  return directory
}

/** What clients saw of it under that version, and the key of a tenant in it. */
export const seenThen = () =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'seen.json'), 'utf8')) as { readonly key: string } & Readonly<
    Record<string, unknown>
  >
