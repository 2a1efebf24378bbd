import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const here = (name: string) => join(import.meta.dirname, name)

/** Takes {@link here no-core.ts} for what knows the product's tenants and tools: nothing of it is built or bound. */
const withoutCore: Plugin = {
  name: 'without-core',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/(?:config|services)\.ts$/ }, () => ({ path: here('no-core.ts') }))
  },
}

/**
 * Starts the wire Worker: the product's MCP handler over the server that the conformance suite describes.
 * @returns its address for a client of MCP
 */
export async function startWire() {
  const { outputFiles } = await build({
    entryPoints: [here('worker.ts')],
    plugins: [withoutCore],
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:*', 'node:*'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    write: false,
    logLevel: 'error',
  })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      modules: true,
      script: outputFiles[0]?.text ?? '',
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['enable_request_signal'],
      durableObjects: { CONNECTIONS: { className: 'WireConnectionObject', useSQLite: true } },
    }),
  )
  await miniflare.ready
  const { origin } = await miniflare.unsafeGetDirectURL()
  return { mcp: `${origin}/mcp`, stop: () => miniflare.dispose() }
}
