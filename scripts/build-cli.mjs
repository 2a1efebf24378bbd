/**
 * Builds the command line into dist/cli, or the directory that is given: `npm run build:cli`. `npm pack` runs it. Each command is a chunk
 * of its own, which is loaded when it is used.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = process.argv[2] ? resolve(process.argv[2]) : join(root, 'dist/cli')
rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  absWorkingDir: root,
  outdir,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
})
