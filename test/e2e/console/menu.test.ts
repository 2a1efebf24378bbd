import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

const PHONE = { width: 375, height: 700 }
const PLACES = ['Tools', 'People', 'Usage', 'Keys', 'Secrets', 'Audit', 'Settings', 'Sessions']

async function openMenu(colorScheme: 'light' | 'dark' = 'light') {
  const { page, errors } = await bench.newPage({ viewport: PHONE, colorScheme })
  await page.goto(`${bench.url}/console/sessions`)
  await page.getByText('Menu', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  return { page, errors }
}

describe('the menu on a telephone', () => {
  it('leads to each place, and is closed there', async () => {
    const { page, errors } = await openMenu()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    for (const name of PLACES) {
      await menu.getByRole('link', { name: new RegExp(`^${name}`) }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await menu.waitFor({ state: 'hidden' })
      await page.getByText('Menu', { exact: true }).click()
    }
    expect(errors).toEqual([])
  })

  it('has the keyboard’s keys and the way out, below its places', async () => {
    const { page, errors } = await openMenu()
    const last = await page.getByRole('link', { name: 'Settings' }).boundingBox()
    const out = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
    expect(out?.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0))
    await page.getByRole('button', { name: /^Shortcuts/ }).click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(errors).toEqual([])
  })

  it('is closed by Escape, and by a touch beside it', async () => {
    const { page } = await openMenu()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.getByText('Menu', { exact: true }).click()
    await menu.waitFor()
    await page.mouse.click(PHONE.width / 2, PHONE.height - 10)
    await menu.waitFor({ state: 'hidden' })
  })

  it.each(['light', 'dark'] as const)('has nothing that axe-core objects to in the %s theme', async (colorScheme) => {
    const { page } = await openMenu(colorScheme)
    expect(await violationsOn(page)).toEqual([])
  })
})
