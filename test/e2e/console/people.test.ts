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
  return (await answer.json()) as { readonly text?: string; readonly state?: string }
}
const ask = (session: string, human_task: string) =>
  post(`/${session}/calls`, { tool: 'human_in_loop', arguments: { human_task } })

describe('questions of agents in the console', () => {
  it('appear by themselves, and the call that waits ends with what is typed', async () => {
    await post('', { name: 'reports' })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/people`)
    await page.getByRole('heading', { name: 'Nobody is asked anything' }).waitFor()
    await page.getByText('human_in_loop').first().waitFor()

    const waits = ask('reports', 'May I delete the old reports?')
    await page.getByRole('link', { name: /May I delete the old reports/ }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) People · Toolyard')
    await page.getByRole('link', { name: 'People 1' }).waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByLabel('Your answer').fill('Those of 2024, yes.')
    // What was begun is there after a reload.
    await page.reload()
    await expect.poll(() => page.getByLabel('Your answer').inputValue()).toBe('Those of 2024, yes.')
    await page.getByLabel('Your answer').focus()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Answered: the agent gets it as the result of its call.').waitFor()
    expect((await waits).text).toBe('the person answered: Those of 2024, yes.')
    await page.getByRole('heading', { name: 'Nobody is asked anything' }).waitFor()
    await expect.poll(() => page.title()).toBe('People · Toolyard')

    await page.goBack()
    await page.getByRole('region', { name: 'The answer' }).getByText('Those of 2024, yes.').waitFor()
    expect(errors).toEqual([])
  })

  it('end the call that did not wait for the answer, too, and leave the focus in the page', async () => {
    await post('', { name: 'later' })
    const request = (human_task: string) =>
      post('/later/calls', { tool: 'human_in_loop', arguments: { human_task, wait_seconds: 0 } })
    const [first] = [await request('Which colour?'), await request('Which size?')]
    expect(first?.state).toBe('pending')
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/people`)
    await page.getByRole('link', { name: /Which colour/ }).click()
    await page.getByLabel('Your answer').fill('blue')
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByText('Answered: the agent gets it').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true)
    await page.goto(`${url}/console/sessions/later/calls?state=pending`)
    await page.getByRole('link', { name: /Which size/ }).waitFor()
    expect(await page.getByRole('link', { name: /Which colour/ }).count()).toBe(0)
    await page.goto(`${url}/console/sessions/later/calls`)
    await page.getByRole('link', { name: /Which colour.*the person answered: blue/ }).waitFor()
    expect(errors).toEqual([])
  })

  it('are text, whatever they hold', async () => {
    const hostile = '<img src=x onerror="top.hacked=1"><script>top.hacked=1</script> \u001b]0;title\u0007 **bold**'
    await post('', { name: 'hostile' })
    const waits = ask('hostile', hostile)
    const { page, errors } = await browser.newPage({ viewport: { width: 375, height: 700 } })
    await page.goto(`${url}/console/people`)
    await page.getByRole('link', { name: /<img src=x/ }).click()
    await page.getByRole('region', { name: 'Question' }).getByText('<script>top.hacked=1</script>').waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.evaluate('[window.hacked ?? null, document.documentElement.scrollWidth > innerWidth]')).toEqual([
      null,
      false,
    ])
    await page.getByLabel('Your answer').fill('<b>no</b>')
    await page.getByRole('button', { name: 'Answer' }).click()
    expect((await waits).text).toBe('the person answered: <b>no</b>')
    expect(errors).toEqual([])
  })
})
