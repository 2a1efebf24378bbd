import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

const run = promisify(execFile)
/** Characters that a shell, JavaScript, Python and JSON each take for something else when they are not quoted. */
const CONTENT = `$HOME \`id\` it's "quoted" \\n \\u0041 %s {x} </script> 'é' \u{1F41D}\u2028 end\nsecond line`

let bench: ConsoleBench
let key: string

beforeAll(async () => {
  bench = await startConsole({ OPEN_TENANT: '' })
  key = (await bench.newTenant('copies')).key
})
afterAll(() => bench?.end())

/** What the console writes for a call of `file_write` in a session, as a language says it. */
async function copied(session: string, language: string): Promise<string> {
  await bench.ask('POST', '/v1/sessions', { name: session }, { key })
  const { page, errors } = await bench.newPage()
  await bench.signIn(page, key)
  await page.goto(`${bench.url}/console/tools/file_write?session=${session}`)
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  const args = { file_path: "it's a file.txt", content: CONTENT }
  await page.getByLabel('Arguments as JSON').fill(JSON.stringify(args))
  const panel = page.getByRole('region', { name: 'Copy as' })
  await panel.getByRole('button', { name: language, exact: true }).click()
  const text = (await panel.locator('pre').textContent()) ?? ''
  expect(text).not.toContain(key)
  expect(errors).toEqual([])
  return text
}

async function inFile(name: string, text: string) {
  const directory = await mkdtemp(join(tmpdir(), 'copied-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, name)
  await writeFile(path, text)
  return path
}

async function expectWritten(session: string) {
  const headers = { Authorization: `Bearer ${key}` }
  const path = `/v1/sessions/${session}/files/${encodeURIComponent("it's a file.txt")}`
  expect(await (await fetch(bench.url + path, { headers })).text()).toBe(CONTENT)
}

describe('a call of the console, copied', () => {
  it.each([
    ['curl', 'call.sh', 'sh'],
    ['TypeScript', 'call.mts', process.execPath],
    ['Python', 'call.py', 'python3'],
    ['MCP', 'mcp.sh', 'sh'],
  ])('as %s does what the form would', async (language, file, program) => {
    const session = `as-${language.toLowerCase()}`
    const path = await inFile(file, await copied(session, language))
    // Where clients and the command line look for it, too.
    await run(program, [path], { env: { ...process.env, TOOLYARD_API_KEY: key } })
    await expectWritten(session)
  })
})
