import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A jump of what was drawn, and the elements that it moved. */
export interface Shift {
  readonly value: number
  readonly moved: readonly string[]
}

const OBSERVE = `
  window.shifts = []
  const wordsOf = (node) => node ? node.nodeName.toLowerCase() + ' ' + (node.className || (node.textContent ?? '').slice(0, 40)) : 'gone'
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(({ node }) => wordsOf(node)) })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))'
const LOADING = '.loading, .files-place, .session-facts:empty'

/**
 * Watches a page for layout shifts. Answers of the API come one after the other, each when what the one before changed is drawn: so
 * that no state between is left out.
 * @returns the shifts of what is shown now, when nothing is on its way any more
 */
export async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.addInitScript(OBSERVE)
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  await page.route('**/{v1,admin}/**', (route) => {
    if (route.request().headers().accept === 'text/event-stream') return route.continue()
    waiting += 1
    turn = turn
      .then(async () => {
        await route.continue()
        await (await route.request().response())?.finished()
        await page.evaluate(DRAWN)
      })
      // The page was left meanwhile.
      .catch(() => undefined)
      .finally(() => (waiting -= 1))
  })
  return async () => {
    await expect.poll(() => waiting, { timeout: 100_000 }).toBe(0)
    await expect.poll(() => page.locator(LOADING).count(), { timeout: 100_000 }).toBe(0)
    await page.evaluate(DRAWN)
    return (await page.evaluate('window.shifts')) as readonly Shift[]
  }
}
