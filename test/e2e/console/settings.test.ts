import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
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

const webhooks = async () => {
  const answer = await fetch(`${url}/v1/webhooks`)
  return ((await answer.json()) as { readonly data: readonly Record<string, unknown>[] }).data
}

// Of the addresses for documentation: nothing is there that answers, and a guarded request refuses it.
const ADDRESS = 'https://93.184.215.14/events'
const HOSTILE = '<img src=x onerror="top.hacked=1">'

describe('webhooks in the settings', () => {
  it('are made with a secret shown once, changed, switched off, and deleted', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/settings`)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await page.getByLabel('Address').fill(ADDRESS)
    await page.getByLabel('Words for people').fill(HOSTILE)
    await page.getByRole('checkbox', { name: 'budget.reached' }).check()
    await page.getByText('Some calls and sessions alone').click()
    await page.getByRole('checkbox', { name: 'done', exact: true }).uncheck()
    await page.getByRole('textbox', { name: /^Sessions/ }).fill('reports, nightly')
    await page.getByRole('button', { name: 'Make the webhook' }).click()
    await page.getByText('Copy it now.').waitFor()
    const secret = (await page.locator('code.secret').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    expect(await webhooks()).toMatchObject([
      {
        url: ADDRESS,
        description: HOSTILE,
        events: ['call.ended', 'budget.reached'],
        states: ['failed', 'refused', 'lost'],
        sessions: ['reports', 'nightly'],
        tools: null,
      },
    ])

    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('heading', { name: HOSTILE }).waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await page.evaluate('window.hacked ?? null')).toBe(null)
    expect(await violationsOn(page)).toEqual([])
    await page.getByLabel('Words for people').fill('Nightly reports')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Nightly reports' }).waitFor()
    await page.getByRole('button', { name: 'Switch it off' }).click()
    await page.getByText('It is switched off.').waitFor()
    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByText('It is switched on.').waitFor()
    expect(await webhooks()).toMatchObject([{ enabled: true, description: 'Nightly reports' }])

    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByText('Copy it now.').waitFor()
    expect(await page.locator('code.secret').textContent()).not.toBe(secret)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    expect(await webhooks()).toEqual([])
    expect(errors).toEqual([])
  })

  it('are tested, and show what was sent to them', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const made = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url: ADDRESS }) })
    const { id } = (await made.json()) as { readonly id: string }
    const { page, errors } = await browser.newPage({ viewport: { width: 375, height: 700 } })
    await page.goto(`${url}/console/settings/webhooks/${id}`)
    await page.getByText('Nothing was sent to it yet.').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem')
    await delivery.getByText('webhook.test').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(errors).toEqual([])
  })

  it('have their place in the settings, beside the browsers that are signed in', async () => {
    const { page } = await browser.newPage()
    await page.goto(`${url}/console/settings`)
    await page.getByRole('list', { name: 'Browsers' }).getByText('this one').waitFor()
    expect(await violationsOn(page)).toEqual([])
  })
})
