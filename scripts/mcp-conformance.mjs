/**
 * Runs the official conformance suite of MCP against the handler alone and against the whole server: `npm run mcp:conformance`
 * (docs/dialects/mcp-conformance.md). `-- --product=URL` takes a server that runs, by the address that a client is given, and starts none;
 * `--lane=wire` or `--lane=product` runs one lane. Progress is on the error output; the last lines are counts, as JSON. Exits with 1 where
 * anything is not as expected.
 */
import { parseArgs } from 'node:util'
import { runLane } from '../test/conformance/lanes.ts'
import { startProduct } from '../test/conformance/product.ts'
import { startWire } from '../test/support/mcp-wire/start.ts'

const { values } = parseArgs({ options: { lane: { type: 'string' }, product: { type: 'string' } } })
const given = values.product
const LANES = {
  wire: startWire,
  product: given === undefined ? startProduct : async () => ({ mcp: given, stop: async () => {} }),
}
const lanes = Object.keys(LANES).filter((lane) => values.lane === undefined || values.lane === lane)
if (lanes.length === 0) {
  console.error('Usage: npm run mcp:conformance -- [--lane=wire|product] [--product=URL]')
  process.exit(2)
}

const outcomes = await Promise.all(
  lanes.map(async (lane) => {
    const server = await LANES[lane]()
    try {
      return await runLane(lane, server.mcp, console.error)
    } finally {
      await server.stop()
    }
  }),
)
const problems = outcomes.flatMap((outcome) => outcome.problems)
for (const problem of problems) console.error(`NOT AS EXPECTED: ${problem}`)
for (const line of outcomes.flatMap(({ lines }) => lines)) console.log(JSON.stringify(line))
process.exitCode = problems.length > 0 ? 1 : 0
