/**
 * Measures a call of a Durable Object by native RPC and by itty-durable (docs/decisions/001): `npm run bench:itty-durable`.
 * The library is no dependency: it is fetched for this run, into a directory that is removed.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { compare } from './measure.ts'

const PACKAGES = ['itty-durable@2.4.1', 'itty-router@5.0.22']
const CALLS = 500
const ROUNDS = 16

const directory = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
try {
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', directory, ...PACKAGES])
  await measure(await bundled())
} finally {
  await rm(directory, { recursive: true })
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'itty-durable-worker.mjs')],
    nodePaths: [join(directory, 'node_modules')],
    external: ['cloudflare:workers'],
    bundle: true,
    format: 'esm',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

async function measure(script: string): Promise<void> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      modules: true,
      script,
      compatibilityDate: '2026-10-01',
      durableObjects: {
        NATIVE: { className: 'Native', useSQLite: true },
        ITTY: { className: 'Itty', useSQLite: true },
      },
    }),
  )
  try {
    await miniflare.ready
    const { href } = await miniflare.unsafeGetDirectURL()
    const ask = async (path: string) => (await fetch(new URL(path, href))).text()
    const works = {
      none: () => ask('/native/0'),
      native: () => ask(`/native/${CALLS}`),
      itty: () => ask(`/itty/${CALLS}`),
    }
    const times = await compare(works, { rounds: ROUNDS, perRound: 1, concurrent: 1 }, () => {})
    const [native, itty] = [times.native, times.itty].map((ms) => (ms - times.none) / CALLS) as [number, number]
    console.log(`native RPC    ${native.toFixed(3)} ms a call`)
    console.log(`itty-durable  ${itty.toFixed(3)} ms a call, ${(itty / native).toFixed(1)} times as long`)
    const kinds = JSON.parse(await ask('/arguments')) as Record<string, readonly string[]>
    console.log('\nbytes, a date and undefined arrive as')
    for (const [by, seen] of Object.entries(kinds)) console.log(`${by.padEnd(8)}${seen.join(', ')}`)
  } finally {
    await miniflare.dispose()
  }
}
