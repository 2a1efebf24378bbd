/**
 * Runs the official conformance suite of MCP against the handler alone and against the whole server: `npm run mcp:conformance`
 * (docs/dialects/mcp-conformance.md). `-- --product=URL` takes a server that runs, by the address that a client is given, and starts none;
 * `--only=wire` or `--only=product` runs it against one of them. Progress is on the error output; the last lines are counts, as JSON. Exits with 1 where
 * anything is not as expected.
 */
import { parseArgs } from 'node:util'
import { startProduct } from '../test/conformance/product.ts'
import { runAgainst } from '../test/conformance/run-against.ts'
import { startWire } from '../test/support/mcp-wire/start.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, product: { type: 'string' } } })
const given = values.product
const SERVERS = {
  wire: startWire,
  product: given === undefined ? startProduct : async () => ({ mcp: given, stop: async () => {} }),
}
const targets = Object.keys(SERVERS).filter((target) => values.only === undefined || values.only === target)
if (targets.length === 0) {
  console.error('Usage: npm run mcp:conformance -- [--only=wire|product] [--product=URL]')
  process.exit(2)
}

const outcomes = await Promise.all(
  targets.map(async (target) => {
    const server = await SERVERS[target]()
    try {
      return await runAgainst(target, server.mcp, console.error)
    } finally {
      await server.stop()
    }
  }),
)
const problems = outcomes.flatMap((outcome) => outcome.problems)
for (const problem of problems) console.error(`NOT AS EXPECTED: ${problem}`)
for (const { target, ...counts } of outcomes.flatMap(({ lines }) => lines)) {
  console.log(JSON.stringify({ lane: target, ...counts }))
}
process.exitCode = problems.length > 0 ? 1 : 0
