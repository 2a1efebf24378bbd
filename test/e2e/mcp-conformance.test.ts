import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mcpAddress } from '../conformance/product.ts'
import { type KillableWorker, startKillableWorker } from '../support/killable-worker.ts'
import { scratchDirectory } from '../support/sandboxd.ts'

const ADMIN_TOKEN = 'admin-token-of-the-tests'
const PATIENCE_MS = 480_000

let state: string
let product: KillableWorker | undefined

// No scenario of the suite runs anything: the server needs no sandboxes.
beforeAll(async () => {
  state = await scratchDirectory()
  product = await startKillableWorker(state, { ADMIN_TOKEN })
})
afterAll(async () => {
  await product?.kill()
  if (state) await rm(state, { recursive: true, force: true })
})

it(
  'the official conformance suite passes on the wire, and fails on the product for the reasons that are written down',
  async () => {
    const address = await mcpAddress(product?.url ?? '', ADMIN_TOKEN)
    const { code, lines, errors } = await runScript([`--product=${address}`])
    expect.soft(errors.filter((line) => line.startsWith('NOT AS EXPECTED'))).toEqual([])
    expect.soft(code).toBe(0)
    expect(lines).toEqual([
      '{"lane":"wire","revision":"2026-07-28","scenarios":37,"passed":37,"checks":120,"failed":0}',
      '{"lane":"wire","revision":"2025-11-25","scenarios":30,"passed":30,"checks":70,"failed":0}',
      '{"lane":"wire","revision":"2025-06-18","scenarios":27,"passed":27,"checks":56,"failed":0}',
      '{"lane":"wire","revision":"2025-03-26","scenarios":1,"passed":1,"checks":3,"failed":0}',
      '{"lane":"wire","revision":"tasks","scenarios":9,"passed":9,"checks":44,"failed":0}',
      '{"lane":"wire","revision":"unscored","scenarios":6,"passed":6,"checks":46,"failed":0}',
      '{"lane":"product","revision":"2026-07-28","scenarios":37,"passed":9,"checks":109,"failed":31}',
      '{"lane":"product","revision":"2025-11-25","scenarios":30,"passed":7,"checks":62,"failed":23}',
      '{"lane":"product","revision":"2025-06-18","scenarios":27,"passed":6,"checks":56,"failed":21}',
      '{"lane":"product","revision":"2025-03-26","scenarios":1,"passed":1,"checks":3,"failed":0}',
      '{"lane":"product","revision":"tasks","scenarios":9,"passed":0,"checks":42,"failed":27}',
      '{"lane":"product","revision":"unscored","scenarios":6,"passed":2,"checks":30,"failed":8}',
    ])
  },
  PATIENCE_MS,
)

/** Runs the script as `npm run mcp:conformance` does. */
function runScript(args: readonly string[]) {
  return new Promise<{ code: unknown; lines: string[]; errors: string[] }>((resolve) => {
    const program = ['--disable-warning=ExperimentalWarning', 'scripts/mcp-conformance.mjs', ...args]
    execFile(process.execPath, program, (error, output, errors) =>
      resolve({
        code: error?.code ?? 0,
        lines: output.trim().split('\n'),
        errors: errors.split('\n'),
      }),
    )
  })
}
