import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench
let webhook: string

beforeAll(async () => {
  bench = await startConsole()
  await bench.ask('POST', '/v1/sessions', { name: 'otters' })
  await bench.call('otters', 'file_write', { file_path: 'a.md', content: 'a' })
  const address = 'https://93.184.215.14/events'
  webhook = (await bench.ask<{ id: string }>('POST', '/v1/webhooks', { url: address, events: ['call.ended'] })).id
})
afterAll(() => bench?.end())

const at = (page: Page, place: string) => page.goto(`${bench.url}/console/${place}`)

/** States of pages that an address alone does not show. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the list of keys': async (page) => {
    await at(page, 'sessions')
    await page.getByRole('link', { name: /^otters/ }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  },
  'the dialog of a snapshot': async (page) => {
    await at(page, 'sessions/otters/files')
    await page.getByRole('button', { name: 'Snapshot' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
  },
  'signing up by a link': async (page) => {
    await at(page, 'sign-up#token')
    await page.getByRole('button', { name: 'Sign up' }).waitFor()
  },
  'signing up without a link, refused': async (page) => {
    await at(page, 'sign-up')
    await page.getByLabel('Invitation').fill('none')
    await page.getByLabel('Name').fill('nobody')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('alert').waitFor()
  },
  webhooks: async (page) => {
    await at(page, 'settings/webhooks')
    await page.getByRole('button', { name: 'Make the webhook' }).waitFor()
    await page.getByText('93.184.215.14', { exact: false }).first().waitFor()
  },
  'one webhook': async (page) => {
    await at(page, `settings/webhooks/${webhook}`)
    await page.getByRole('button', { name: 'Send a test' }).waitFor()
  },
  'a terminal that was used': async (page) => {
    await at(page, 'sessions/otters/terminal')
    await page
      .getByLabel('Line for the shell')
      .fill(String.raw`printf '\033[31mred \033[32mgreen \033[34mblue\033[0m\n'`)
    await page.keyboard.press('Enter')
    await page.getByText('blue').first().waitFor()
    await page.getByText('The shell waits for a line.').waitFor()
  },
}

describe.each(Object.entries(STATES))('axe-core objects to nothing in %s', (_, reach) => {
  it.each(['light', 'dark'] as const)('in the %s theme', async (colorScheme) => {
    const { page } = await bench.newPage({ colorScheme })
    await reach(page)
    expect(await violationsOn(page)).toEqual([])
  })
})
