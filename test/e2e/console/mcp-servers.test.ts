import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'
import { type OlderServer, startOlderServer } from '../../support/older-mcp-server.ts'

let remote: OlderServer
let bench: ConsoleBench

beforeAll(async () => {
  remote = await startOlderServer()
  bench = await startConsole({ DANGEROUSLY_ALLOW_HOSTS: new URL(remote.url).host })
})
afterAll(async () => {
  await bench?.end()
  await remote?.stop()
})

it('an MCP server is added by its address, its tools are there with it, and one of them is called', async () => {
  await bench.ask('POST', '/v1/sessions', { name: 'remote' })
  const { page, errors } = await bench.newPage()
  await page.goto(`${bench.url}/console/tools/from/mcp-servers`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('older')
  await page.getByLabel('Address').fill(remote.url)
  await page.getByRole('button', { name: 'Add and ask for its tools' }).click()
  await page.getByRole('heading', { name: 'older' }).waitFor()
  await page.getByRole('link', { name: 'count', exact: true }).click()
  await page.getByText('Counts.').first().waitFor()
  await page.getByLabel('Session').fill('remote')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText('call 1', { exact: false }).first().waitFor()
  expect(errors).toEqual([])
})
