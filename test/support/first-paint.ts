import type { ConsoleBrowser } from './console-browser.ts'

/** Milliseconds from navigation to first contentful paint, of a page that is opened so many times in one new profile. */
export async function firstPaints(
  browser: Pick<ConsoleBrowser, 'newPage'>,
  url: string,
  times: number,
): Promise<number[]> {
  const { page, context } = await browser.newPage()
  const painted: number[] = []
  for (let time = 0; time < times; time++) {
    await page.goto(url)
    painted.push(Number(await page.evaluate(PAINTED)))
  }
  await context.close()
  return painted
}

const PAINTED = `new Promise((painted) => new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName('first-contentful-paint')) painted(entry.startTime)
}).observe({ type: 'paint', buffered: true }))`

/** Middle one of some measurements; 0 of none. */
export const median = (measured: readonly number[]): number =>
  measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 0
