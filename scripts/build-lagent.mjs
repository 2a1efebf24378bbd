/**
 * Builds what the package exports as `toolyard/lagent`, into dist/lagent: one module for every runtime, since Node strips no
 * types below node_modules, and its declarations. `npm pack` runs it.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist/lagent', { recursive: true, force: true })

await build({
  entryPoints: ['src/lagent/index.ts'],
  outdir: 'dist/lagent',
  bundle: true,
  external: ['zod'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'error',
})

const declarations = [
  ...['src/lagent/index.ts', '--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--outDir', 'dist/lagent'],
  ...['--target', 'es2024', '--lib', 'es2024,esnext,dom', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node'],
]
const { status } = spawnSync('node_modules/.bin/tsc', declarations, { stdio: 'inherit' })
process.exit(status ?? 1)
