import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** By its path: two packages bring a program of this name. */
const TSC = 'node_modules/typescript-native/bin/tsc'

/**
 * Builds a library that the package exports: `src/NAME/index.ts` into `dist/NAME`, as one module for every runtime, since Node strips
 * no types below node_modules, and its declarations. The process exits as the compiler does.
 * @param external packages that its users install
 * @param parts folders of it that are modules of their own, and have nothing at run time of each other
 */
export async function buildLibrary(name, { external = [], parts = [] } = {}) {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  const entries = [`src/${name}`, ...parts.map((part) => `src/${name}/${part}`)].map((folder) => `${folder}/index.ts`)
  const outdir = `dist/${name}`
  rmSync(outdir, { recursive: true, force: true })
  await build({
    entryPoints: entries,
    outbase: `src/${name}`,
    outdir,
    bundle: true,
    external,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  })
  const declarations = [
    TSC,
    ...[...entries, '--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--outDir', outdir],
    ...['--target', 'es2024', '--lib', 'es2024,esnext,dom', '--module', 'esnext', '--moduleResolution', 'bundler'],
    ...[
      '--strict',
      '--exactOptionalPropertyTypes',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--types',
      'node',
    ],
  ]
  const { status } = spawnSync(process.execPath, declarations, { stdio: 'inherit' })
  process.exit(status ?? 1)
}
