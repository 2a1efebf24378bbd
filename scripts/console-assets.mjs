/**
 * Builds the console into `src/assets/console`, beside the other files that the Worker serves: a Worker has one directory of them.
 * `scripts/copy-assets.mjs` runs it after each install, and `scripts/setup.mjs` before each start and test, when sources may have changed.
 */
import { join } from 'node:path'
import { buildConsole } from './build-console.mjs'

export async function buildConsoleAssets() {
  await buildConsole(join(import.meta.dirname, '../src/assets/console'))
}
