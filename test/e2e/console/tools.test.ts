import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsoleBrowser } from '../../support/console-browser.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

let state: string
let url: string
let browser: ConsoleBrowser

beforeAll(async () => {
  state = await startedState()
  const server = await startServer('node', { TOOLYARD_STATE: state })
  url = `http://localhost:${server.port}`
  browser = await startConsoleBrowser()
})
afterAll(async () => {
  await browser.close()
  await endServers()
  await rm(state, { recursive: true, force: true })
})

const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as { readonly call_id: string }
}
const fileOf = async (session: string, path: string) =>
  (await fetch(`${url}/v1/sessions/${session}/files/${path}`)).text()

describe('the tools of the console', () => {
  it('opens the form with the arguments of an earlier call, and shows output while the call runs', async () => {
    await send('POST', '/sessions', { name: 'again' })
    const { call_id } = await send('POST', '/sessions/again/calls', {
      tool: 'execute_shell',
      arguments: { command: 'echo before' },
    })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/again/calls/${call_id}`)
    await page.getByRole('link', { name: 'Edit in the form' }).click()
    const command = page.getByRole('textbox', { name: 'command' })
    expect(await command.inputValue()).toBe('echo before')
    await command.fill('echo begun; until [ -e ../end ] || [ -e end ]; do sleep 0.1; done; echo ended')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByLabel('Answer').getByText('begun', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('writes a call as curl, whose line does what the form would', async () => {
    await send('POST', '/sessions', { name: 'copied' })
    const { page } = await browser.newPage()
    await page.goto(`${url}/console/tools/file_write?session=copied`)
    await page.getByRole('textbox', { name: 'file_path' }).fill("it's.txt")
    await page.getByRole('textbox', { name: 'content' }).fill("$HOME `id` it's")
    const line = (await page.getByLabel('Copy as').locator('pre').textContent()) ?? ''
    const { execFileSync } = await import('node:child_process')
    execFileSync('sh', ['-c', line])
    expect(await fileOf('copied', "it's.txt")).toBe("$HOME `id` it's")
  })

  it('shows what an import would make before it makes it', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/from/apis`)
    await page.getByLabel('Name').fill('Zoo')
    await page.getByLabel('OpenAPI description').fill(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Zoo', version: '1' },
        servers: [{ url: 'https://zoo.example' }],
        paths: { '/animals': { get: { operationId: 'listAnimals', summary: 'All animals' } } },
      }),
    )
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('link', { name: 'Zoo_listanimals' }).waitFor()
    const tools = async () => ((await (await fetch(`${url}/v1/apis`)).json()) as { data: object[] }).data
    expect(await tools()).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Zoo has 1 tool now.', { exact: false }).waitFor()
    expect(await tools()).toEqual([{ env: 'Zoo', tools: 1 }])
    expect(errors).toEqual([])
  })

  it('draws a chain, says by a dry run what it would do, and registers it', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/chains/draw`)
    await page.getByRole('img', { name: 'Steps: write by file_write; count by execute_shell' }).waitFor()
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('it can run').waitFor()
    await page.getByLabel('Register it as').fill('my.chain')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 1' }).waitFor()
    await page.getByRole('img', { name: /^Steps: write/ }).waitFor()
    expect(errors).toEqual([])
  })
})
