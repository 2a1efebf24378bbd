import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startConsoleBrowser } from '../test/support/console-browser.ts'
import { firstPaints, median } from '../test/support/first-paint.ts'
import { startOwnServer } from './own-server.ts'
import type { Row } from './print.ts'

/** Pages that are opened of each kind, after one that warms up. */
const PAGES = { quick: 5, whole: 25 }
const BARE = '<!doctype html><html lang="en"><title>bare</title><p>A page without style or script.</p></html>'

/**
 * Measures the console's first contentful paint, from the beginning of its navigation, beside that of a page of one line; in turns, so that
 * what else the machine does meets both.
 */
export async function consolePaint(quick: boolean, progress: (done: number) => void): Promise<Row[]> {
  const server = await startOwnServer({ ISOLATION: 'none', SANDBOX_SPARES: '0' })
  const bare = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(BARE))
  const browser = await startConsoleBrowser()
  try {
    await new Promise<void>((listens) => bare.listen(0, '127.0.0.1', listens))
    const bareUrl = `http://localhost:${(bare.address() as AddressInfo).port}/`
    const consoleUrl = `${server.url.replace('127.0.0.1', 'localhost')}/console/sessions`
    const times: { readonly bare: number; readonly first: number; readonly again: number }[] = []
    const pages = quick ? PAGES.quick : PAGES.whole
    for (let page = 0; page <= pages; page++) {
      const [bareMs = 0] = await firstPaints(browser, bareUrl, 1)
      const [first = 0, again = 0] = await firstPaints(browser, consoleUrl, 2)
      // The first one warms up.
      if (page > 0) times.push({ bare: bareMs, first, again })
      progress((page + 1) / (pages + 1))
    }
    const row = (what: string, kind: 'first' | 'again'): Row => ({
      what,
      ms: median(times.map((time) => time[kind])),
      floor: 'a page of one line',
      floorMs: median(times.map((time) => time.bare)),
      limit: { moreMs: 300 },
    })
    return [
      row('first contentful paint of the console, nothing cached', 'first'),
      row('first contentful paint of the console, its files cached', 'again'),
    ]
  } finally {
    await browser.close()
    await new Promise((closed) => bare.close(closed))
    await server.remove()
  }
}
