/**
 * Builds the console, `src/console`, into src/assets/console, where the server has its files: index.html, and hashed names below assets/ which never change their
 * content. Fails when what the first page loads is larger than its budget. `scripts/console-assets.mjs` runs it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Bytes that a browser fetches before it shows the first page, compressed: page, style, application, without lazy parts. */
export const FIRST_LOAD_BYTES_MAX = 30 * 1024

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = 'src/console'

/** Source of the worker that reads PDFs: its built name has a hash, which the application has to know. */
const PDF_WORKER = `${SOURCE}/pages/session/files/views/pdf/worker.ts`

/** Options of all that is built into the directory. */
const optionsFor = (outdir) => ({
  absWorkingDir: ROOT,
  outdir,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  // Where stylesheets know light-dark(), scripts know this.
  target: 'es2023',
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
})

/**
 * Builds the console.
 * @returns bytes of the first load and of all files, compressed with gzip
 * @throws Error for source that does not build, or a first load over its budget
 */
export async function buildConsole(target = join(ROOT, 'src/assets/console')) {
  const assets = join(target, 'assets')
  const worker = await build({
    ...optionsFor(assets),
    entryPoints: { 'pdf-worker': PDF_WORKER },
    banner: { js: '/* With pdf.js, Copyright Mozilla Foundation, Apache License 2.0 */' },
  })
  const workerName = Object.entries(worker.metafile.outputs).find(([, { entryPoint }]) => entryPoint === PDF_WORKER)[0]
  const application = await build({
    ...optionsFor(assets),
    entryPoints: [`${SOURCE}/main.tsx`, `${SOURCE}/style.css`],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { PDF_WORKER: JSON.stringify(`/console/assets/${basename(workerName)}`) },
  })
  const { metafile } = application
  const outputFiles = [...application.outputFiles, ...worker.outputFiles]
  const sizes = new Map(outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents).length]))
  const outputs = Object.entries(metafile.outputs)
  const builtFrom = (source) => basename(outputs.find(([, { entryPoint }]) => entryPoint === source)[0])
  const script = builtFrom(`${SOURCE}/main.tsx`)
  const style = builtFrom(`${SOURCE}/style.css`)
  const page = readFileSync(join(ROOT, SOURCE, 'index.html'), 'utf8')
    .replace('"style.css"', `"/console/assets/${style}"`)
    .replace('"main.tsx"', `"/console/assets/${script}"`)

  const byName = new Map(outputs.map(([path, output]) => [basename(path), output]))
  const first = new Set([script, style])
  for (const name of first) {
    for (const { path, kind } of byName.get(name).imports) if (kind === 'import-statement') first.add(basename(path))
  }
  const firstBytes = [...first].reduce((sum, name) => sum + sizes.get(name), gzipSync(page).length)
  if (firstBytes > FIRST_LOAD_BYTES_MAX) {
    throw new Error(
      `The console's first load has ${firstBytes} bytes compressed, ${FIRST_LOAD_BYTES_MAX} at most: load more of it lazily`,
    )
  }

  // A server may serve the directory meanwhile: the page changes when its files are there, what it left goes last.
  mkdirSync(assets, { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  writeFileSync(join(target, 'index.html'), page)
  for (const name of readdirSync(assets)) if (!sizes.has(name)) rmSync(join(assets, name))
  return { firstBytes, allBytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { firstBytes, allBytes } = await buildConsole()
  console.log(
    `src/assets/console: first load ${firstBytes} bytes compressed of ${FIRST_LOAD_BYTES_MAX}, all ${allBytes}`,
  )
}
