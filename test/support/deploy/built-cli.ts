import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')

/** The command line, built for the tests of a file as it is for users. @returns a function that gives its program, once tests run */
export function builtCommandLine(): () => string {
  let directory = ''
  beforeAll(async () => {
    // Within the checkout, as `dist/cli` is.
    const cache = join(ROOT, 'node_modules/.cache')
    await mkdir(cache, { recursive: true })
    directory = await mkdtemp(join(cache, 'toolyard-cli-'))
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-cli.mjs'), directory])
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return () => join(directory, 'main.js')
}
