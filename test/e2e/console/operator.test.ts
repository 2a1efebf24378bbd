import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../../support/console-browser.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

let state: string
let url: string
let browser: ConsoleBrowser
let token: string

beforeAll(async () => {
  state = await startedState()
  const server = await startServer('node', { TOOLYARD_STATE: state })
  url = `http://localhost:${server.port}`
  browser = await startConsoleBrowser()
  token = (await readFile(join(state, 'admin-token'), 'utf8')).trim()
})
afterAll(async () => {
  await browser.close()
  await endServers()
  await rm(state, { recursive: true, force: true })
})

/** Asks the server with a key: the operator's if not given. */
async function ask(method: string, path: string, body?: object, key = token) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, json: (await answer.json().catch(() => null)) as Record<string, unknown> }
}

/** A page in which the operator is signed in. */
async function operatorPage(options?: Parameters<ConsoleBrowser['newPage']>[0]) {
  const made = await browser.newPage(options)
  await made.page.goto(`${url}/console/sign-in`)
  await made.page.getByLabel('Key').fill(token)
  await made.page.getByRole('button', { name: 'Sign in' }).click()
  await made.page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor()
  return made
}

const secretOf = async (page: Page, name: string) =>
  (await page.getByRole('region', { name, exact: true }).locator('code.secret').textContent()) ?? ''

const HOSTILE = '<img src=x onerror="top.hacked=1"><script>top.hacked=1</script>'

describe('the console of the operator', () => {
  it('makes a tenant, whose first key is shown once, and works', async () => {
    const { page, errors } = await operatorPage()
    await page.getByRole('link', { name: 'New tenant' }).click()
    await page.getByLabel('Name').fill('Riverside')
    await page.getByRole('textbox', { name: /^Id/ }).fill('river')
    await page.getByRole('button', { name: 'Make the tenant' }).click()
    await page.getByRole('heading', { name: 'Riverside' }).waitFor()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('Copy it now.').waitFor()
    const key = await secretOf(page, 'Key')
    expect((await ask('GET', '/v1/keys/current', undefined, key)).json).toMatchObject({ tenant: 'river' })

    await page.reload()
    await page.getByRole('list', { name: 'Keys of the tenant' }).getByText('first key').waitFor()
    expect(await page.content()).not.toContain(key)
    expect(errors).toEqual([])
  })

  it('sets what a tenant is given: internet, warm sandboxes, lifetimes and a plan', async () => {
    await ask('POST', '/admin/tenants', { id: 'given', name: 'Given' })
    await ask('PUT', '/admin/plans/team', { currency: 'EUR', month: '49.00' })
    const { page, errors } = await operatorPage()
    await page.goto(`${url}/console/operator/tenants/given`)
    const settings = page.getByRole('form', { name: 'Settings' })
    await settings.getByLabel('Warm sandboxes').fill('1')
    const ceiling = settings.getByRole('group', { name: 'The most that any of its sandboxes reaches' })
    await ceiling.getByLabel('Reaches').selectOption('hosts')
    await ceiling.getByRole('textbox', { name: 'Hosts' }).fill('pypi.org, *.example.org')
    const usual = settings.getByRole('group', { name: 'What sessions reach that say nothing themselves' })
    await usual.getByLabel('Reaches').selectOption('none')
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect((await ask('GET', '/admin/tenants/given')).json).toMatchObject({
      internet: { default: false, ceiling: ['*.example.org', 'pypi.org'] },
      warm_sandboxes: 1,
    })

    const lifetimes = page.getByRole('form', { name: 'Lifetime of new sessions' })
    await lifetimes.getByLabel('Days without use after which it is deleted').fill('30')
    await lifetimes.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sessions that are there stay as they are.').waitFor()
    expect((await ask('GET', '/admin/tenants/given/session-defaults')).json).toEqual({
      lifetime_seconds: null,
      idle_lifetime_seconds: 2_592_000,
    })

    const plan = page.getByRole('form', { name: 'Plan' })
    await plan.getByLabel('Plan').selectOption('team')
    await plan.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The plan holds for this month too.').waitFor()
    expect((await ask('GET', '/admin/tenants/given/plan')).json).toMatchObject({ plan: 'team' })
    expect(errors).toEqual([])
  })

  it('disables and deletes a tenant only after its name is typed, and shows the receipt', async () => {
    await ask('POST', '/admin/tenants', { id: 'leaving', name: 'Leaving' })
    const { page, errors } = await operatorPage()
    await page.goto(`${url}/console/operator/tenants/leaving`)
    await page.getByRole('button', { name: 'Disable the tenant' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type leaving').fill('leavin')
    expect(await dialog.getByRole('button', { name: 'Disable the tenant' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type leaving').fill('leaving')
    await dialog.getByRole('button', { name: 'Disable the tenant' }).click()
    await page.getByText('leaving is disabled.').waitFor()
    await page.getByRole('button', { name: 'Enable it again' }).click()
    await page.getByText('leaving is enabled again.').waitFor()
    expect((await ask('GET', '/admin/tenants/leaving')).json).toMatchObject({ disabled: false })

    const [archive] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export all of it' }).click(),
    ])
    expect(archive.suggestedFilename()).toBe('leaving.tar')
    expect(await archive.failure()).toBeNull()

    await page.getByRole('button', { name: 'Delete the tenant' }).click()
    await dialog.getByText('are removed for good').waitFor()
    await dialog.getByLabel('Type leaving').fill('leaving')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing is left of it' }).waitFor()
    await page.getByRole('region', { name: 'Deletion' }).getByText('0 of 0').waitFor()
    expect(errors).toEqual([])
  })

  it('invites somebody by a link shown once, by which a tenant is made; a withdrawn one makes none', async () => {
    const { page, errors } = await operatorPage()
    await page.getByRole('link', { name: 'Invitations' }).click()
    for (const name of ['Otters', 'Beavers']) {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Make the link' }).click()
      await page.getByRole('list', { name: 'Invitations' }).getByText(name).waitFor()
    }
    const withdrawn = await secretOf(page, 'Sign-up link')
    await page.getByRole('button', { name: 'I have it' }).click()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('listitem').filter({ hasText: 'Beavers' }).getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The invitation Beavers is withdrawn.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Beavers' }).getByText('withdrawn').waitFor()

    await page.getByLabel('Name').fill('More otters')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByText('Copy it now.').waitFor()
    const link = await secretOf(page, 'Sign-up link')
    expect(link.startsWith(`${url}/console/sign-up#`)).toBe(true)

    const invited = await browser.newPage()
    const requested: string[] = []
    invited.page.on('request', (request) => requested.push(request.url()))
    await invited.page.goto(link)
    await invited.page.getByLabel('Name').fill('The otters')
    await invited.page.getByRole('textbox', { name: /^Id/ }).fill('otters')
    await invited.page.getByRole('button', { name: 'Sign up' }).click()
    await invited.page.getByRole('heading', { name: 'The otters is made' }).waitFor()
    const key = await secretOf(invited.page, 'Key')
    expect((await ask('GET', '/v1/keys/current', undefined, key)).json).toMatchObject({ tenant: 'otters' })
    expect(requested.filter((address) => address.includes(link.split('#')[1] ?? '-'))).toEqual([])

    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'More otters' }).getByText('used up').waitFor()
    await page.getByRole('link', { name: 'otters', exact: true }).click()
    await page.getByRole('heading', { name: 'The otters' }).waitFor()
    expect(errors).toEqual([])

    await invited.page.goto(withdrawn)
    await invited.page.getByLabel('Name').fill('Late')
    await invited.page.getByRole('button', { name: 'Sign up' }).click()
    await invited.page.getByRole('alert').getByText('this invitation cannot be used').waitFor()
  })

  it('shows the use of all tenants and of one, by day and tenant, and what they owe', async () => {
    await ask('POST', '/admin/tenants', { id: 'busy', name: 'Busy' })
    const key = String((await ask('POST', '/admin/tenants/busy/keys', { name: 'one' })).json.key)
    await ask('POST', '/v1/sessions', { name: 's' }, key)
    for (let at = 0; at < 3; at++) {
      const call = { tool: 'file_read', arguments: { file_path: 'absent' } }
      await ask('POST', '/v1/sessions/s/calls', call, key)
    }
    await ask('PUT', '/admin/plans/solo', { currency: 'EUR', month: '9.00' })
    await ask('PUT', '/admin/tenants/busy/plan', { plan: 'solo' })
    await expect
      .poll(async () => JSON.stringify((await ask('GET', '/admin/usage?tenant=busy&by=day')).json))
      .toContain('"calls":3')

    const { page, errors } = await operatorPage()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('img', { name: 'Calls by day' }).locator('canvas').waitFor()
    const row = page.getByRole('region', { name: 'Use by tenant' }).getByRole('row', { name: /Busy/ })
    await row.getByRole('cell', { name: '3', exact: true }).first().waitFor()
    const invoice = page.getByRole('region', { name: 'Invoices' }).getByRole('listitem').filter({ hasText: 'Busy' })
    await invoice.getByText('9.00 EUR').waitFor()
    await page.getByLabel('Chart').selectOption('running')
    await page.getByRole('img', { name: 'Sandboxes ran (min) by day' }).locator('canvas').waitFor()

    await row.getByRole('link', { name: 'Busy' }).click()
    await page.getByRole('link', { name: 'What it used' }).click()
    await page.getByRole('link', { name: 'tenant: busy ✕' }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Use by tenant' }).getByRole('row').count()).toBe(2)
    expect(errors).toEqual([])
  })

  it('gives the invoices of all tenants as one table, however many pages they have', async () => {
    await ask('PUT', '/admin/plans/many', { currency: 'EUR', month: '1.00' })
    const ids = Array.from({ length: 26 }, (_, at) => `many-${at}`)
    for (const id of ids) {
      await ask('POST', '/admin/tenants', { id, name: id })
      await ask('PUT', `/admin/tenants/${id}/plan`, { plan: 'many' })
    }
    const { page, errors } = await operatorPage()
    await page.goto(`${url}/console/operator/usage`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(head).toMatch(/^month,complete,tenant,/)
    expect(lines.filter((line) => line === head)).toEqual([])
    const billed = lines.map((line) => line.split(',')[2])
    expect(ids.filter((id) => !billed.includes(id))).toEqual([])
    expect(errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'shows names as text, on a telephone too, and has nothing that axe-core objects to in the %s theme',
    async (colorScheme) => {
      await ask('POST', '/admin/tenants', { id: 'hostile', name: HOSTILE })
      await ask('POST', '/admin/tenants/hostile/keys', { name: HOSTILE })
      await ask('POST', '/admin/invitations', { name: HOSTILE })
      const places = ['tenants', 'tenants/hostile', 'invitations', 'usage', 'new-tenant']
      const { page, errors } = await operatorPage({ colorScheme, viewport: { width: 375, height: 700 } })
      for (const place of places) {
        await page.goto(`${url}/console/operator/${place}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (place !== 'new-tenant') await page.getByRole('main').getByText(HOSTILE).first().waitFor()
        expect(await violationsOn(page)).toEqual([])
        expect(await page.locator('main img, main script').count()).toBe(0)
        const found = await page.evaluate('[window.hacked ?? null, document.documentElement.scrollWidth > innerWidth]')
        expect([place, found]).toEqual([place, [null, false]])
      }
      expect(errors).toEqual([])
    },
  )
})
