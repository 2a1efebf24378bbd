import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTED, documentFor } from '../../../scripts/openapi/documents.ts'
import { PUBLISHED } from '../../../scripts/openapi/published/published.ts'
import { SERVED_DOCUMENTS } from '../../../src/http/dialects/pages/documents.ts'
import { type BrowserPage, startChromium } from '../../support/chromium.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { newOwner } from '../../support/tenants.ts'

const run = promisify(execFile)

// A server of its own: the files of the pages are beside the built Worker.
const toolyard = runningToolyard(async () => ({ vars: { OPEN_TENANT: '' } }))

const ALL = [...DOCUMENTED.map((one) => ({ name: one.name, document: documentFor(one) })), ...PUBLISHED]

it('the reference has all documents', () => {
  expect(SERVED_DOCUMENTS.map(({ name }) => name)).toEqual(ALL.map(({ name }) => name))
})

describe('in a browser without the internet', () => {
  let page: BrowserPage
  beforeAll(async () => {
    page = await startChromium()
  })
  afterAll(() => page?.close())

  const shownOperations = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.opblock')].map(({ id }) => id)`)

  it.each(ALL)('/docs/$name shows each operation', async ({ name, document }) => {
    await page.open(`${toolyard().url}/docs/${name}`)
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    await expect.poll(shownOperations).toHaveLength(operations.length)
    const shown = await shownOperations()
    for (const { operationId } of operations) {
      expect(shown).toContainEqual(expect.stringMatching(new RegExp(`-${operationId}$`)))
    }
    expect(page.errors).toEqual([])
    expect(page.requests.filter((url) => !url.startsWith(`${toolyard().url}/`))).toEqual([])
  })

  it('/docs begins with the native API, shows an operation in full, and has links to the other documents', async () => {
    await page.open(`${toolyard().url}/docs`)
    await expect.poll(shownOperations).toContain('operations-sessions-createSession')
    await page.evaluate(`document.querySelector('#operations-sessions-createSession button').click()`)
    const text = `document.querySelector('#operations-sessions-createSession').innerText`
    await expect.poll(() => page.evaluate(text)).toContain('Request body')
    expect(await page.evaluate(`[...document.querySelectorAll('nav a')].map((link) => link.pathname)`)).toEqual(
      SERVED_DOCUMENTS.map(({ name }) => `/docs/${name}`),
    )
    expect(page.errors).toEqual([])
  })

  it('/docs runs no script and takes no style that came into it, and asks no other server', async () => {
    await page.open(`${toolyard().url}/docs`)
    await expect.poll(shownOperations).not.toEqual([])
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<style>body { margin: 7px }</style>')`)
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'), { text: 'ran = 1' }))`)
    expect(await page.evaluate(`getComputedStyle(document.body).margin + typeof ran`)).toBe('0pxundefined')
    await expect(page.evaluate(`fetch('http://localhost:1/')`)).rejects.toThrow('Failed to fetch')
    for (const directive of ['style-src', 'script-src', 'connect-src']) {
      await expect.poll(() => page.errors).toContainEqual(expect.stringContaining(`${directive} 'self'`))
    }
  })
})

it('the commands of /llms.txt work as they are printed, with the variables that it names', async () => {
  const text = await (await fetch(`${toolyard().url}/llms.txt`)).text()
  const commands = /```bash\n(.*?)```/s.exec(text)?.[1] ?? ''
  expect(commands.match(/^curl /gm)?.length).toBeGreaterThan(3)
  const { key } = await newOwner(toolyard())
  const strict = 'set -e; curl() { command curl --silent --show-error --fail-with-body "$@"; echo; }'
  const { stdout } = await run('bash', ['-c', `${strict}\n${commands}`], {
    env: { ...process.env, BASE: toolyard().url, KEY: key },
  })
  expect(stdout).toContain('"text":"42')
})

describe('pages', () => {
  const PATHS = [
    '/docs',
    '/llms.txt',
    '/openapi.json',
    '/openapi/toolserver.json',
    '/openapi/toolcore.json',
    '/openapi/xagent.json',
    '/openapi/lagent.json',
    ...SERVED_DOCUMENTS.map(({ name }) => `/docs/${name}`),
    ...['swagger-ui.js', 'swagger-ui.css', 'swagger-ui.licence.txt', 'reference.js', 'reference.css'].map(
      (name) => `/docs/${name}`,
    ),
  ]

  it.each(PATHS)('%s needs no key, is not sent again to whoever has it, and has the same head', async (path) => {
    const url = toolyard().url + path
    const whole = await fetch(url, { headers: { Origin: 'https://app.example' } })
    const tag = whole.headers.get('ETag') ?? ''
    expect({ status: whole.status, tag }).toEqual({ status: 200, tag: expect.stringMatching(/^"[0-9a-f]{32}"$/) })
    expect(whole.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
    expect(whole.headers.get('Cache-Control')).toContain('public')
    expect((await whole.text()).length).toBeGreaterThan(100)

    const again = await fetch(url, { headers: { 'If-None-Match': `"another", W/${tag}` } })
    expect({ status: again.status, tag: again.headers.get('ETag') }).toEqual({ status: 304, tag })

    const head = await fetch(url, { method: 'HEAD' })
    expect({ status: head.status, tag: head.headers.get('ETag'), text: await head.text() }).toEqual({
      status: 200,
      tag,
      text: '',
    })
    expect(head.headers.get('Content-Type')).toBe(whole.headers.get('Content-Type'))
  })

  it('there is no other one, and none that can be written', async () => {
    const missing = await fetch(`${toolyard().url}/docs/neighbours.bin`)
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ code: 'not_found' })
    const written = await fetch(`${toolyard().url}/docs`, { method: 'POST' })
    expect({ status: written.status, allow: written.headers.get('Allow') }).toEqual({ status: 405, allow: 'GET' })
  })
})
