/**
 * Builds the console into `src/assets/console`, beside the other files that the Worker serves: a Worker has one directory of them.
 * `scripts/copy-assets.mjs` runs it after each install, and `scripts/setup.mjs` before each start and test, when sources may have changed.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export async function buildConsoleAssets() {
  const build = join(import.meta.dirname, 'build-console.mjs')
  if (!existsSync(build)) return
  const { buildConsole } = await import(build)
  await buildConsole(join(import.meta.dirname, '../src/assets/console'))
}
