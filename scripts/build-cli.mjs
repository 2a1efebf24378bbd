/**
 * Builds the command line into dist/cli: `npm run build:cli`. `npm pack` runs it. Each command is a chunk of its own, which is loaded when
 * it is used.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist/cli', { recursive: true, force: true })
await build({
  entryPoints: ['src/cli/main.ts'],
  outdir: 'dist/cli',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
})
