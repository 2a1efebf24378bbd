import { rm } from 'node:fs/promises'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../../support/console-browser.ts'
import { watchShifts } from '../../support/console-shifts.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

let state: string
let url: string
let browser: ConsoleBrowser
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
let call: string
let question: string

beforeAll(async () => {
  state = await startedState()
  const server = await startServer('node', { TOOLYARD_STATE: state })
  url = `http://localhost:${server.port}`
  browser = await startConsoleBrowser()
  await send('POST', '/v1/sessions', { name: 'otters' })
  const command = `seq 200; printf 'a,b\\n1,2\\n' > t.csv; echo 'return "a" + 1 # b' > x.py`
  const made = await send('POST', '/v1/sessions/otters/calls', { tool: 'execute_shell', arguments: { command } })
  call = made.call_id
  const ask = { tool: 'human_in_loop', arguments: { human_task: 'May I?', wait_seconds: 0 } }
  await send('POST', '/v1/sessions/otters/calls', ask)
  const definition = {
    name: 'Otters',
    description: 'Counts otters.',
    input_schema: { type: 'object', properties: { river: { type: 'string', enum: ['Elbe', 'Oder'] } } },
    executor: { kind: 'http', target: 'https://otters.example/count' },
  }
  await send('PUT', '/v1/tools/registered/my.otters', definition)
  const named = { ...definition, description: 'Counts otters, and beavers.' }
  await send('PUT', '/v1/tools/registered/my.otters', named)
  await send('POST', '/v1/marketplace/tools', { id: 'my.otters', publisher: 'rivers', readme: 'Use it.' })
  await send('POST', '/v1/mcp-servers', { name: 'far', url: 'https://mcp.example/mcp', connect: false })
  await send('PUT', '/v1/secrets/OTTER_KEY', { value: 'quiet' })
  await send('PUT', '/v1/limits', { rules: [{ scope: 'tenant', per_day: 1_000 }], prices: [] })
  const listed = await send('GET', '/v1/sessions/otters/questions')
  question = listed.data[0]?.id ?? ''
  const { page, context } = await browser.newPage()
  await page.goto(`${url}/console/sessions`)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  cookies = await context.cookies()
  await context.close()
})
afterAll(async () => {
  await browser.close()
  await endServers()
  await rm(state, { recursive: true, force: true })
})

async function send(method: string, path: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect(answer.ok, path).toBe(true)
  return JSON.parse((await answer.text()) || 'null') as {
    readonly call_id: string
    readonly data: readonly { readonly id: string }[]
  }
}

/** A page in a profile of its own, which is signed in: a server takes 30 sign-ins a minute. */
const newPage = (options?: Parameters<Browser['newContext']>[0]) =>
  browser.newPage({ ...options, storageState: { cookies, origins: [] } })

/** Sum of layout shifts that nobody sees; a tenth is where a page counts as one that jumps. */
const SHIFT_MAX = 0.02

type Places = Readonly<Record<string, string>>

/** Places of the console, and text that is there when a place is shown whole. */
const PLACES: Readonly<Record<string, () => Places>> = {
  'the sessions': () => ({ sessions: 'otters', people: 'May I?', [`people/otters/${question}`]: 'Your answer' }),
  'a session': () => ({
    'sessions/otters/calls': 'execute_shell',
    [`sessions/otters/calls/${call}`]: 'Call again',
    'sessions/otters/terminal': 'The shell starts',
    'sessions/otters/live': 'No change since you opened this page.',
    'sessions/otters/history': 'Choose a change',
    'sessions/otters/history?from=0&to=1': 'Fork from here',
  }),
  files: () => ({
    'sessions/otters/files': 'No file is open',
    'sessions/otters/files/code_run/x.py': 'return "a"',
    'sessions/otters/files/code_run/t.csv': 'Table',
  }),
  'the tools': () => ({
    tools: 'execute_shell',
    'tools/file_upload': 'Call',
    'tools/my.otters': 'river',
    'tools/registered': 'my.otters',
    'tools/registered/my.otters': 'Since version 1',
  }),
  'where tools come from': () => ({
    'tools/chains/draw': 'Dry run',
    'tools/from/apis': 'Preview',
    'tools/from/mcp-servers': 'far',
    'tools/from/mcp-servers/far': 'It has told of no tools yet.',
    'tools/from/marketplace': 'rivers/my.otters',
    'tools/from/marketplace/rivers/my.otters': 'Install',
  }),
  use: () => ({
    usage: 'execute_shell',
    'usage?by=session&days=30&show=latency': 'otters',
  }),
  'keys and secrets': () => ({
    keys: 'Child keys, for others, may do less.',
    'keys/new-child': 'Make the child key',
    secrets: 'OTTER_KEY',
  }),
  'the audit log and settings': () => ({
    audit: 'console.sign_in',
    settings: 'this one',
    'sign-in': 'A key of your tenant',
    'no-such-page': 'There is no such page',
  }),
}

describe('pages of the console', () => {
  describe.each(Object.entries(PLACES))('of %s', (_, places) => {
    it.each(['light', 'dark'] as const)(
      'have nothing that axe-core objects to in the %s theme',
      async (colorScheme) => {
        const { page, errors } = await newPage({ colorScheme })
        const found: Record<string, readonly string[]> = {}
        for (const [place, text] of Object.entries(places())) {
          await page.goto(`${url}/console/${place}`)
          await page.getByRole('main').getByText(text).first().waitFor()
          const violations = await violationsOn(page)
          if (violations.length > 0) found[place] = violations
        }
        expect(found).toEqual({})
        expect(errors).toEqual([])
      },
    )

    it('are no wider than a telephone', async () => {
      const { page } = await newPage({ viewport: { width: 375, height: 700 } })
      const wide: string[] = []
      for (const [place, text] of Object.entries(places())) {
        await page.goto(`${url}/console/${place}`)
        await page.getByRole('main').getByText(text).first().waitFor()
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(place)
      }
      expect(wide).toEqual([])
    })

    it.each([
      ['a desk', { width: 1280, height: 800 }],
      ['a telephone', { width: 375, height: 700 }],
    ])('do not jump while they load, at the width of %s', async (_, viewport) => {
      const jumps: Record<string, unknown> = {}
      for (const [place, text] of Object.entries(places())) {
        const { page, context } = await newPage({ viewport })
        const shifts = await watchShifts(page)
        await page.goto(`${url}/console/${place}`)
        await page.getByRole('main').getByText(text).first().waitFor()
        const found = await shifts()
        const sum = found.reduce((all, { value }) => all + value, 0)
        if (sum >= SHIFT_MAX) jumps[place] = [sum, ...found]
        await context.close()
      }
      expect(jumps).toEqual({})
    })
  })

  it('say what to do when the server does not answer, and go on when it does', async () => {
    const { page, context } = await browser.newPage()
    await page.goto(`${url}/console/sessions`)
    await page.locator('a[href="/console/sessions/otters/calls"]').waitFor()
    await context.setOffline(true)
    await page.getByRole('alert').getByText('Look whether it runs, then try again.').first().waitFor()
    await page.locator('a[href="/console/sessions/otters/calls"]').waitFor()
    await context.setOffline(false)
    await page.getByText('The server does not answer.').first().waitFor({ state: 'detached' })
  })

  it('make a snapshot by a name that is asked for, and a fork', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/otters/files`)
    await page.getByRole('button', { name: 'Snapshot' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('before-lunch')
    await page.keyboard.press('Enter')
    await page.getByText('Snapshot before-lunch is made.').waitFor()
    await page.getByRole('link', { name: 'Look at it' }).click()
    await page.getByText('as of before-lunch').waitFor()
    await page.getByRole('button', { name: /^Fork/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make the fork' }).click()
    await page.getByText('Forked: otters-fork is the new session.').waitFor()
    expect(new URL(page.url()).pathname).not.toContain('/otters/')
    expect(errors).toEqual([])
  })

  it('show why an upload was not taken', async () => {
    const { page } = await browser.newPage()
    await page.route('**/v1/sessions/otters/files/**', (route) => route.abort())
    await page.goto(`${url}/console/sessions/otters/files`)
    await page
      .getByLabel('Upload, or drop files here')
      .setInputFiles({ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('up') })
    await page.getByRole('region', { name: 'Files' }).getByRole('alert').waitFor()
    await page.unroute('**/v1/sessions/otters/files/**')
    await page
      .getByLabel('Upload, or drop files here')
      .setInputFiles({ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('up') })
    await page.getByText('Uploaded up.txt.').waitFor()
  })

  it('ask for nothing else than what their address names, whatever dots are in it', async () => {
    const { page } = await browser.newPage()
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.goto(`${url}/console/sessions/otters/files/..%2F..%2F..%2Fkeys`)
    await page.getByText('a name that is no name here').first().waitFor()
    expect(paths.filter((path) => path.startsWith('/v1/keys'))).toEqual([])
  })

  it('fetch their files from this server alone', async () => {
    const { page, errors } = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${url}/console/sessions`)
    await page.locator('a[href="/console/sessions/otters/calls"]').waitFor()
    expect(requests.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'))).toEqual([])
    expect(requests.filter((address) => address.includes('/console/assets/')).length).toBeGreaterThan(0)
    expect(errors).toEqual([])
  })
})
