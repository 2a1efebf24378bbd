/**
 * Counts what calls cost on a bill, in real workerd, and multiplies it by list prices: `npm run bench:cost [-- --only TEXT]
 * [--statements] [--in-use]`. Prints dollars for 1,000 calls by part; `--only` counts the works with this text in their names,
 * `--statements` says which statements write the rows. `--in-use` measures instead for how long objects are in use for a call.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startReader } from '../../test/support/reader-host.ts'
import { startSandboxd } from '../../test/support/sandboxd.ts'
import { caller } from '../caller.ts'
import { bundleTo, startDirectWorker } from '../direct-worker.ts'
import { PRICES_OF } from '../prices.ts'
import { countCosts } from './count-costs.ts'
import { measureInUse } from './measure-in-use.ts'
import { printCounts, printDollars, printInUse, printStatements } from './print-costs.ts'
import { type CostedWork, costedWorks } from './works.ts'

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const service = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end('{"projects":[]}'))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => service.once('listening', resolve))
const host = `127.0.0.1:${(service.address() as AddressInfo).port}`
const sandboxd = await startSandboxd()
const reader = await startReader()
try {
  const vars = { DANGEROUSLY_ALLOW_HOSTS: host, ...sandboxd.vars, ...reader.vars }
  const worker = await startDirectWorker(vars, (directory) => bundleTo(directory, 'bench/cost/worker.ts'))
  try {
    const call = caller(worker.url)
    const works = costedWorks(call, `http://${host}/tool`).filter(({ what }) => what.includes(only ?? ''))
    if (process.argv.includes('--in-use')) printInUse(await each(works, (work) => measureInUse(call, work)))
    else {
      const costs = await each(works, (work) => countCosts(call, work))
      console.log(`Prices of ${PRICES_OF}.\n`)
      printDollars(costs)
      printCounts(costs)
      if (process.argv.includes('--statements')) printStatements(costs)
    }
  } finally {
    await worker.stop()
  }
} finally {
  await reader.stop()
  await sandboxd.stop()
  service.close()
}

async function each<Result>(
  works: readonly CostedWork[],
  count: (work: CostedWork) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const work of works) {
    console.error(work.what)
    results.push(await count(work))
  }
  return results
}
