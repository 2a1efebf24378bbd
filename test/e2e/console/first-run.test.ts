import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

const run = promisify(execFile)
let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole({ OPEN_TENANT: '' })
})
afterAll(() => bench?.end())

/** Opens the console of a new tenant, and has a key made for its lines. */
async function newConsole(name: string) {
  const { key } = await bench.newTenant(name)
  const { page, errors } = await bench.newPage()
  await bench.signIn(page, key)
  await page.getByRole('heading', { name: 'Make the first call' }).waitFor()
  expect(await lineOf(page, 'curl')).toContain('Bearer YOUR_KEY')
  await page.getByRole('button', { name: 'Make a key for these lines' }).click()
  await page.getByText('The key is in the lines.', { exact: false }).waitFor()
  return { page, errors, key }
}

/** The line below a heading. */
const lineOf = async (page: Page, heading: string) =>
  (await page
    .locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })
    .locator('pre')
    .textContent()) ?? ''

/** Waits for word of the first call, and for what it leads to. */
async function expectFirstCall(page: Page) {
  const notice = page.getByRole('status').filter({ hasText: 'The first call is here: execute_shell.' })
  await notice.waitFor()
  await notice.getByRole('link', { name: 'Look at it' }).click()
  await page.getByRole('heading', { name: 'execute_shell' }).waitFor()
  await page.getByText('hello', { exact: false }).first().waitFor()
}

describe('the console of a tenant that has called nothing yet', () => {
  it.each(['curl', 'Python'])(
    'has a line of %s that makes the first call as it stands, and tells of it',
    async (way) => {
      const { page, errors } = await newConsole(`with-${way.toLowerCase()}`)
      const line = await lineOf(page, way)
      for (let time = 0; time < 2; time++) expect((await run('sh', ['-c', line])).stdout).toContain('hello')
      await expectFirstCall(page)
      expect(errors).toEqual([])
    },
  )

  it('has a line of Claude Code whose address and header make the first call', async () => {
    const { page, errors } = await newConsole('with-claude')
    const line = await lineOf(page, 'Claude Code')
    const words = (await run('sh', ['-c', `set -- ${line.slice('claude '.length)}; printf '%s\\n' "$@"`])).stdout.split(
      '\n',
    )
    expect(words.slice(0, 5)).toEqual(['mcp', 'add', '--transport', 'http', 'toolyard'])
    const [url = '', flag, header = ''] = words.slice(5)
    expect(flag).toBe('--header')
    const [name = '', value = ''] = header.split(': ')
    const ask = async (id: number, method: string, params: object, more: Record<string, string> = {}) => {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        [name]: value,
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
      return { text: await answer.text(), session: answer.headers.get('Mcp-Session-Id') }
    }
    const begun = await ask(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '1' },
    })
    expect(begun.text).toContain('"protocolVersion"')
    const more = { 'MCP-Protocol-Version': '2025-06-18', ...(begun.session && { 'Mcp-Session-Id': begun.session }) }
    const params = { name: 'execute_shell', arguments: { command: 'echo hello' } }
    expect((await ask(2, 'tools/call', params, more)).text).toContain('hello')
    await expectFirstCall(page)
    expect(errors).toEqual([])
  })

  it('waits for a call, and not for a session alone', async () => {
    const { page, key } = await newConsole('with-a-session')
    await bench.ask('POST', '/v1/sessions', { name: 'bare' }, { key })
    await page.getByRole('link', { name: /^bare/ }).waitFor()
    await page.getByText('Waiting for the first call').waitFor()
    await bench.call('bare', 'file_write', { file_path: 'a', content: 'a' }, { key })
    await page.getByRole('status').getByText('The first call is here: file_write.').waitFor()
    await page.getByText('Waiting for the first call').waitFor({ state: 'detached' })
  })

  it.each(['light', 'dark'] as const)('has nothing that axe-core objects to in the %s theme', async (colorScheme) => {
    const { key } = await bench.newTenant(`new-${colorScheme}`)
    const { page } = await bench.newPage({ colorScheme })
    await bench.signIn(page, key)
    await page.getByRole('button', { name: 'Make a key for these lines' }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Make a key for these lines' }).click()
    await page.getByText('The key is in the lines.', { exact: false }).waitFor()
    expect(await violationsOn(page)).toEqual([])
  })
})
