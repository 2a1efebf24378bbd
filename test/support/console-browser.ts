import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFailed, TestRunner } from 'vitest'

/** How long a page may take to show something, as other tests wait for what comes by itself. */
const PATIENCE_MS = 100_000

/** A browser with which tests look at the console. */
export interface ConsoleBrowser {
  /** A page in a profile of its own, and what went wrong in it: errors, and refusals of the content security policy. */
  newPage(
    options?: Parameters<Browser['newContext']>[0],
  ): Promise<{ page: Page; errors: string[]; context: BrowserContext }>
  close(): Promise<void>
}

/** Starts a Chromium that reaches this machine and nothing else. */
export async function startConsoleBrowser(): Promise<ConsoleBrowser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-proxy-server'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE toolyard.localhost',
    ],
  })
  return {
    async newPage(options) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        // A page that is opened asks first whether somebody is signed in, or needs no key.
        const isSignInCheck = /\/console\/(session|login)$/.test(message.location().url)
        if (message.type() === 'error' && !isSignInCheck)
          errors.push(`${message.text()} ${message.location().url}`.trim())
      })
      if (TestRunner.getCurrentTest()) onTestFailed(() => tellWhatIsShown(page, errors))
      return { page, errors, context }
    },
    close: () => browser.close(),
  }
}

/** Prints what a failed test had before it: a missing locator alone does not tell why it was missing. */
async function tellWhatIsShown(page: Page, errors: readonly string[]) {
  if (page.isClosed()) return
  const text = await page.locator('body').innerText()
  process.stderr.write([`The page was ${page.url()}`, ...errors, text.slice(0, 3_000), ''].join('\n'))
}
