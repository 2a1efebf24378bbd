/**
 * Builds what the package exports as `toolyard/lagent`, into dist/lagent: one module for every runtime, since Node strips no
 * types below node_modules, and its declarations. `npm pack` runs it.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** By its path: two packages bring a program of this name. */
const TSC = 'node_modules/typescript-native/bin/tsc'

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
  TSC,
  ...['src/lagent/index.ts', '--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--outDir', 'dist/lagent'],
  ...['--target', 'es2024', '--lib', 'es2024,esnext,dom', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node'],
]
const { status } = spawnSync(process.execPath, declarations, { stdio: 'inherit' })
process.exit(status ?? 1)
