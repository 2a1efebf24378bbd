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

const post = async (path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/v1/sessions${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as { readonly call_id: string }
}
const shell = (session: string, command: string) =>
  post(`/${session}/calls`, { tool: 'execute_shell', arguments: { command } })

describe('the console', () => {
  it('finds what a call did wrong, takes the file back, and calls the tool again with other arguments', async () => {
    await post('', { name: 'repair' })
    await shell('repair', 'echo good > report.txt')
    await shell('repair', 'echo bad > report.txt')
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/repair`)
    await page.getByRole('link', { name: /echo bad/ }).click()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('Set back: code_run/report.txt is as it was').waitFor()
    await page.getByRole('link', { name: 'code_run/report.txt' }).click()
    await page.getByLabel('Text of the file').getByText('good').waitFor()

    await page.goBack()
    const field = page.getByLabel('Arguments as JSON')
    await field.fill(JSON.stringify({ command: 'echo better > report.txt; echo said so' }))
    await page.getByRole('button', { name: 'Call again' }).click()
    await page.getByText('said so', { exact: false }).first().waitFor()
    const written = await fetch(`${url}/v1/sessions/repair/files/code_run/report.txt`)
    await expect.poll(async () => (await fetch(written.url)).text()).toBe('better\n')
    expect(errors).toEqual([])
  })

  it('keeps arguments that were edited on the way to other calls and back, and over a reload', async () => {
    await post('', { name: 'edited' })
    await shell('edited', 'echo first')
    const { call_id } = await shell('edited', 'echo second')
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/edited/calls/${call_id}`)
    const field = page.getByLabel('Arguments as JSON')
    await field.fill('{"command": "echo third"}')
    await page.getByRole('link', { name: 'Older' }).click()
    await expect.poll(() => field.inputValue()).toContain('echo first')
    await page.getByRole('link', { name: 'Newer' }).click()
    await expect.poll(() => field.inputValue()).toBe('{"command": "echo third"}')
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('{"command": "echo third"}')
    await field.fill('{"command": "echo fourth"}')
    await field.press('Tab')
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('{"command": "echo fourth"}')
    await page.getByRole('button', { name: 'As they were' }).click()
    expect(await field.inputValue()).toContain('echo second')
    expect(errors).toEqual([])
  })

  it('counts in the list what each call did to files', async () => {
    await post('', { name: 'counted' })
    await shell('counted', 'echo one > a.txt; echo one > b.txt')
    await shell('counted', 'echo two > a.txt; rm b.txt; echo new > c.txt')
    await shell('counted', 'echo looks around')
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/counted/calls`)
    const call = (words: RegExp) => page.getByRole('link', { name: words })
    await call(/one > a/)
      .getByRole('img', { name: '2 created', exact: true })
      .waitFor()
    await call(/two > a/)
      .getByRole('img', { name: '1 created, 1 modified, 1 deleted', exact: true })
      .waitFor()
    expect(
      await call(/looks around/)
        .getByRole('img')
        .count(),
    ).toBe(0)
    expect(errors).toEqual([])
  })

  it('says of a command that did not go well what it ended with, and has it among those that failed alone', async () => {
    await post('', { name: 'codes' })
    await shell('codes', 'echo fine')
    await shell('codes', 'echo exit code 0; exit 3')
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/codes?state=done`)
    await page.getByRole('link', { name: /echo fine/ }).waitFor()
    expect(await page.getByRole('link', { name: /exit 3/ }).count()).toBe(0)
    await page.getByLabel('State').selectOption('failed')
    await page.getByRole('link', { name: /exit 3/ }).waitFor()
    expect(await page.getByRole('link', { name: /echo fine/ }).count()).toBe(0)
    await page.goto(`${url}/console/sessions/codes`)
    await page
      .getByRole('link', { name: /echo fine/ })
      .getByText('done', { exact: true })
      .waitFor()
    const failed = page.getByRole('link', { name: /exit 3/ })
    await failed.locator('.badge.warn').getByText('exit 3', { exact: true }).waitFor()
    await failed.click()
    await page.getByRole('heading', { name: 'execute_shell' }).waitFor()
    await page.locator('.page-head .badge').getByText('exit 3', { exact: true }).waitFor()
    expect(errors).toEqual([])
  })

  it('keeps the filter on the way from call to call, with keys alone', async () => {
    await post('', { name: 'keys' })
    await shell('keys', 'echo one')
    await post('/keys/calls', { tool: 'file_read', arguments: { file_path: 'absent-a' } })
    await shell('keys', 'echo two')
    await post('/keys/calls', { tool: 'file_read', arguments: { file_path: 'absent-b' } })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/keys/calls?state=failed`)
    await page.getByRole('link', { name: /absent-b/ }).waitFor()
    // Before the next frame is drawn, as on a machine that is busy: Enter may follow at once.
    const row = await page.evaluate(`
      dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
      document.activeElement.closest('li')?.textContent`)
    expect(row).toContain('absent-b')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('j')
    await page.getByText('2 of 2').waitFor()
    expect(new URL(page.url()).search).toBe('?state=failed')
    await page.getByText('File not found: absent-a', { exact: false }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(errors).toEqual([])
  })

  it('finds a call by its text among those that were not read yet, and says how far it looked', async () => {
    await post('', { name: 'many' })
    await post('/many/calls', { tool: 'file_read', arguments: { file_path: 'needle.txt' } })
    for (let call = 0; call < 105; call++) {
      await post('/many/calls', { tool: 'file_read', arguments: { file_path: 'hay' } })
    }
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/many/calls`)
    await page.getByRole('link', { name: /hay/ }).first().waitFor()
    await page.getByRole('searchbox').fill('needle')
    await page.getByRole('link', { name: /needle\.txt/ }).waitFor()
    await page.getByText('Looked through all 106 calls.').waitFor()
    expect(await page.getByRole('list', { name: 'Calls' }).getByRole('link').count()).toBe(1)
    expect(errors).toEqual([])
  })
})
