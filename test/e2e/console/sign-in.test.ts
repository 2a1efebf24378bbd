import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole({ OPEN_TENANT: '' })
})
afterAll(() => bench?.end())

/** Opens a place, and signs in there. */
async function signInAt(page: Page, place: string, key: string) {
  await page.goto(`${bench.url}/console/${place}`)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
}

const signInForm = (page: Page) => page.getByRole('button', { name: 'Sign in' })

describe('signing in to the console', () => {
  it('says that a key is wrong, and then shows the place that was asked for', async () => {
    const { key, tenant } = await bench.newTenant('asked')
    await bench.ask('POST', '/v1/sessions', { name: 'wanted' }, { key })
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/wanted/history`)
    await page.getByLabel('Key', { exact: true }).fill(`${key.slice(0, -4)}0000`)
    await signInForm(page).click()
    await page.getByRole('alert').getByText('this key is not valid', { exact: false }).waitFor()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sessions / wanted' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/sessions/wanted/history')
    await page.locator('.bar-end').getByText(tenant).waitFor()
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
  })

  it('ends by signing out, in all tabs, and the way back shows nothing', async () => {
    const { key } = await bench.newTenant('leaves')
    await bench.ask('POST', '/v1/sessions', { name: 'private' }, { key })
    const { page, context } = await bench.newPage()
    await signInAt(page, 'sessions', key)
    await page.getByRole('link', { name: /^private/ }).waitFor()
    const other = await context.newPage()
    await other.goto(`${bench.url}/console/sessions`)
    await other.getByRole('link', { name: /^private/ }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [page, other]) {
      await signInForm(tab).waitFor()
      expect(await tab.getByText('private').count()).toBe(0)
    }
    await page.goBack()
    await signInForm(page).waitFor()
    expect(await page.getByText('private').count()).toBe(0)
    expect(await context.cookies()).toEqual([])
  })

  it('is over when the key is revoked: what was shown goes, and the person learns why', async () => {
    const { key, keyId } = await bench.newTenant('revoked')
    await bench.ask('POST', '/v1/sessions', { name: 'secret-plans' }, { key })
    const { page } = await bench.newPage()
    await signInAt(page, 'sessions', key)
    await page.getByRole('link', { name: /^secret-plans/ }).waitFor()
    await bench.ask('DELETE', `/v1/keys/${keyId}`, undefined, { key })
    await signInForm(page).waitFor()
    await page.getByRole('alert').getByText('ended after 8 hours, with its key, or by signing out').waitFor()
    expect(await page.getByText('secret-plans').count()).toBe(0)
  })

  it('is ended from another browser, which lists it', async () => {
    const { key } = await bench.newTenant('two-browsers')
    const { page: left } = await bench.newPage({ userAgent: 'Left/1' })
    const { page: right } = await bench.newPage({ userAgent: 'Right/1' })
    await signInAt(left, 'sessions', key)
    await signInAt(right, 'settings', key)
    const browsers = right.getByRole('list', { name: 'Browsers' }).getByRole('listitem')
    await browsers.filter({ hasText: 'Right/1' }).getByText('this one').waitFor()
    await browsers.filter({ hasText: 'Left/1' }).getByRole('button', { name: 'Sign out' }).click()
    await right.getByText('That browser is signed out.').waitFor()
    await signInForm(left).waitFor()
    await left.getByRole('alert').getByText('this session of the console is over').waitFor()
    await browsers.filter({ hasText: 'Left/1' }).waitFor({ state: 'detached' })
  })

  it('anew in one tab loads the others, which show nothing of whom they showed before', async () => {
    const [one, two] = [await bench.newTenant('one'), await bench.newTenant('two')]
    await bench.ask('POST', '/v1/sessions', { name: 'of-one' }, one)
    await bench.ask('POST', '/v1/sessions', { name: 'of-two' }, two)
    const { page, context } = await bench.newPage()
    await signInAt(page, 'sessions', one.key)
    await page.getByRole('link', { name: /^of-one/ }).waitFor()
    const tab = await context.newPage()
    await signInAt(tab, 'sign-in', two.key)
    await page.getByRole('link', { name: /^of-two/ }).waitFor()
    expect(await page.getByText('of-one').count()).toBe(0)
    await page.locator('.bar-end').getByText(two.tenant).waitFor()
  })

  it('anew lets a tab that did not hear of it change nothing as somebody else', async () => {
    const [one, two] = [await bench.newTenant('before'), await bench.newTenant('after')]
    const { page, context } = await bench.newPage()
    await page.addInitScript('window.BroadcastChannel = class { postMessage() {} }')
    await signInAt(page, 'secrets', one.key)
    await page.getByLabel('Name').fill('OF_ONE')
    await page.getByLabel('Value', { exact: true }).fill('worth much')
    const tab = await context.newPage()
    await signInAt(tab, 'sign-in', two.key)
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('Another key is signed in in this browser now, so nothing was done.').waitFor()
    for (const { key } of [one, two]) {
      expect(await bench.ask('GET', '/v1/secrets', undefined, { key })).toMatchObject({ data: [] })
    }
  })

  it('outlives a server that is gone for a while, and nothing that was typed is lost', async () => {
    const { key } = await bench.newTenant('patient')
    const { page } = await bench.newPage()
    await signInAt(page, 'secrets', key)
    await page.getByLabel('Name').fill('KEPT')
    await page.getByLabel('Value', { exact: true }).fill('worth keeping')
    await bench.stopServer()
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByRole('form', { name: 'Set a secret' }).getByText('The server does not answer.').waitFor()
    await page.getByRole('alert').getByText('What is shown may be old.', { exact: false }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('KEPT')
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('worth keeping')
    await bench.startServer()
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('KEPT is set.').waitFor()
    await page.getByRole('list', { name: 'Secrets' }).getByText('KEPT').waitFor()
    await page.getByText('What is shown may be old.', { exact: false }).waitFor({ state: 'detached' })
  })

  it('as the owner of the server shows nothing of a tenant', async () => {
    const { readFile } = await import('node:fs/promises')
    const token = (await readFile(`${bench.state}/admin-token`, 'utf8')).trim()
    const { page } = await bench.newPage()
    await signInAt(page, '', token)
    await page.locator('.bar-end').getByText('Operator').waitFor()
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sessions' }).count()).toBe(0)
  })
})
