import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

const TELEPHONE = { viewport: { width: 375, height: 700 } }

const sessionField = (page: Page) => page.getByLabel('Session', { exact: true })
const commandField = (page: Page) => page.getByRole('textbox', { name: 'command', exact: true })
const callButton = (page: Page) => page.getByRole('button', { name: 'Call', exact: true })
const answerOn = (page: Page) => page.getByRole('region', { name: 'Answer' })

interface Shown {
  readonly scrollHeight: number
  readonly clientHeight: number
  getBoundingClientRect(): { readonly top: number }
  matches(selector: string): boolean
}

const hasFocus = (target: Locator) => target.evaluate((element) => (element as unknown as Shown).matches(':focus'))

/** Whether an element has the focus and begins in the upper part of the window. */
const isBroughtTo = (target: Locator, part = 0.5) =>
  target.evaluate((element, share) => {
    const { matches, top } = {
      matches: (element as unknown as Shown).matches(':focus'),
      top: (element as unknown as Shown).getBoundingClientRect().top,
    }
    return matches && top >= 0 && top < (globalThis as unknown as { innerHeight: number }).innerHeight * share
  }, part)

/** Output in the answer. */
const outputOn = (page: Page, text: string) => answerOn(page).locator('pre').filter({ hasText: text }).first()

const callsOf = async (session: string) =>
  (await bench.ask<{ data: readonly { arguments: string }[] }>('GET', `/v1/sessions/${session}/calls`)).data

describe('the form of a tool', () => {
  it('begins without a session, and sends nothing while a required field is empty: it is marked and has the focus', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'newest', title: 'Newest of all' })
    const { page, errors } = await bench.newPage()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.goto(`${bench.url}/console/tools/execute_shell`)
    await callButton(page).waitFor()
    // The choice is there, and yet none is made.
    await expect.poll(() => page.locator('datalist option[value="newest"]').count()).toBe(1)
    expect(await page.locator('datalist option[value="newest"]').getAttribute('label')).toBe('Newest of all')
    expect(await sessionField(page).inputValue()).toBe('')

    await callButton(page).click()
    await page.getByText('Fill this in before you call.').waitFor()
    await expect.poll(() => hasFocus(commandField(page))).toBe(true)
    expect(await commandField(page).getAttribute('aria-invalid')).toBe('true')
    await commandField(page).fill('echo here')
    await page.getByText('Fill this in before you call.').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Choose the session to call in.').waitFor()
    await expect.poll(() => hasFocus(sessionField(page))).toBe(true)
    expect(sent.filter((path) => path.startsWith('/v1/'))).toEqual([])

    await sessionField(page).fill('Newest of all')
    await callButton(page).click()
    await outputOn(page, 'here').waitFor()
    expect((await callsOf('newest')).map(({ arguments: args }) => args)).toEqual(['{"command":"echo here"}'])
    expect(errors).toEqual([])
  })

  it('begins with the session that was looked at last in this tab', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'looked-at' })
    await bench.ask('POST', '/v1/sessions', { name: 'not-looked-at' })
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/looked-at`)
    await page.getByText('No calls yet').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tools' }).click()
    await page.getByRole('link', { name: /^execute_shell/ }).click()
    await callButton(page).waitFor()
    expect(await sessionField(page).inputValue()).toBe('looked-at')
  })

  it('is as it was left, with its answer, on the way back and over a reload', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'drafts' })
    const id = await bench.call('drafts', 'execute_shell', { command: 'echo harmful' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/tools/execute_shell?from=drafts/${id}`)
    await expect.poll(() => commandField(page).inputValue()).toBe('echo harmful')
    await commandField(page).fill('echo harmless')
    await callButton(page).click()
    await outputOn(page, 'harmless').waitFor()
    await commandField(page).fill('echo next')

    await answerOn(page).getByRole('link', { name: 'Open its session' }).click()
    await page.getByRole('list', { name: 'Calls' }).waitFor()
    await page.goBack()
    await outputOn(page, 'harmless').waitFor()
    expect(await commandField(page).inputValue()).toBe('echo next')
    await page.reload()
    await outputOn(page, 'harmless').waitFor()
    expect(await commandField(page).inputValue()).toBe('echo next')
    expect(await sessionField(page).inputValue()).toBe('drafts')
    await commandField(page).press('Control+Enter')
    await outputOn(page, 'next').waitFor()
    expect((await callsOf('drafts')).map(({ arguments: args }) => args)).toEqual(
      ['next', 'harmless', 'harmful'].map((word) => `{"command":"echo ${word}"}`),
    )
    expect(errors).toEqual([])
  })

  it('shows on a telephone that it has called: its answer is scrolled to and has the focus, with the ways on', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'small', title: 'A small one' })
    const { page } = await bench.newPage(TELEPHONE)
    await page.goto(`${bench.url}/console/tools/execute_shell?session=small`)
    await commandField(page).fill('echo seen')
    await callButton(page).click()
    await outputOn(page, 'seen').waitFor()
    await expect.poll(() => isBroughtTo(answerOn(page))).toBe(true)
    await answerOn(page).getByRole('link', { name: 'Open the call' }).click()
    await page.getByRole('button', { name: 'Call again' }).waitFor()
    await page.goBack()
    await answerOn(page).getByRole('link', { name: 'Open its session' }).click()
    await page.getByRole('heading', { name: 'A small one' }).waitFor()
  })

  it('says in words for people why the server refused, beside the button and over none of the fields', async () => {
    const { page } = await bench.newPage(TELEPHONE)
    await page.goto(`${bench.url}/console/tools/execute_shell?session=never-made`)
    await commandField(page).fill('echo nowhere')
    await callButton(page).click()
    const alert = page.getByRole('alert')
    await alert.getByText('It may be deleted, or have another name: the page Sessions has all of them.').waitFor()
    expect(await alert.getByText('make the session first').count()).toBe(0)
    const place = () => page.evaluate<string>("getComputedStyle(document.querySelector('.call-line')).position")
    expect(await place()).toBe('static')
    await page.setViewportSize({ width: 1_200, height: 700 })
    expect(await place()).toBe('sticky')
  })

  it('lets whoever types in sight of the answer go on typing', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'typing' })
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/tools/execute_shell?session=typing`)
    await commandField(page).fill('echo first')
    await commandField(page).press('Control+Enter')
    await outputOn(page, 'first').waitFor()
    await page.keyboard.type(' more')
    expect(await commandField(page).inputValue()).toBe('echo first more')
  })
})

describe('the page of a call', () => {
  it('calls again by Ctrl-Enter, and says what is wrong below its buttons', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'again-by-key' })
    const call = await bench.call('again-by-key', 'execute_shell', { command: 'echo first' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/again-by-key/calls/${call}`)
    const field = page.getByLabel('Arguments as JSON')
    await field.fill('{"command": ')
    await page.keyboard.press('Control+Enter')
    const problem = page.getByRole('main').getByRole('alert')
    await problem.getByText('These arguments are no JSON yet').waitFor()
    const below = (await problem.boundingBox())?.y ?? 0
    for (const name of ['Call again', 'Edit in the form', 'As they were'])
      expect((await page.getByRole('button', { name }).boundingBox())?.y).toBeLessThan(below)
    await field.fill('{"command": "echo second"}')
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/^second$/m)
      .first()
      .waitFor()
    expect(errors).toEqual([])
  })

  it('has after “Call again” its place among the others, and the answer in sight', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'again' })
    for (const word of ['one', 'two']) await bench.call('again', 'execute_shell', { command: `echo ${word}` })
    const { page, errors } = await bench.newPage(TELEPHONE)
    await page.goto(`${bench.url}/console/sessions/again/calls`)
    await page.getByRole('link', { name: /echo two/ }).click()
    const beside = page.getByRole('navigation', { name: 'Calls beside this one' })
    await beside.getByText('1 of 2').waitFor()
    await page.getByLabel('Arguments as JSON').fill('{"command": "echo three"}')
    await page.getByRole('button', { name: 'Call again' }).click()
    await outputOn(page, 'three').waitFor()
    // The page ends not far below it.
    await expect.poll(() => isBroughtTo(answerOn(page), 0.85)).toBe(true)
    await beside.getByText('1 of 3').waitFor()
    expect(await beside.getByRole('link', { name: 'Older' }).count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('says what is wrong with arguments that are no JSON, and shows all their lines', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'lines' })
    const command =
      'echo a line that is far longer than a telephone is wide, and so goes on below, twice at least; '.repeat(3)
    const id = await bench.call('lines', 'execute_shell', { command })
    const { page } = await bench.newPage(TELEPHONE)
    await page.goto(`${bench.url}/console/sessions/lines/calls/${id}`)
    const field = page.getByLabel('Arguments as JSON')
    await field.waitFor()
    const hidden = () =>
      field.evaluate((element) => {
        const { scrollHeight, clientHeight } = element as unknown as Shown
        return scrollHeight - clientHeight
      })
    expect(await hidden()).toBeLessThanOrEqual(1)
    await field.fill('{"command": ')
    await page.getByRole('button', { name: 'Call again' }).click()
    await page.getByText('These arguments are no JSON yet', { exact: false }).waitFor()
    await page.getByText('Correct them, then call again.').waitFor()
  })

  it('says who called, in the list too where not all calls are of the same', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'callers' })
    const ofAgent = { tool: 'execute_shell', arguments: { command: 'echo by an agent' }, agent: 'sofia' }
    await bench.ask('POST', '/v1/sessions/callers/calls', ofAgent)
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/callers/calls`)
    const calls = page.getByRole('list', { name: 'Calls' })
    await calls.getByRole('link', { name: /echo by an agent/ }).waitFor()
    expect(await calls.getByText('by sofia').count()).toBe(0)
    await calls.getByRole('link', { name: /echo by an agent/ }).click()
    const calledBy = page.locator('.facts > div').filter({ hasText: 'Called by' })
    expect(await calledBy.locator('dd').textContent()).toBe('sofia')
    await page.getByRole('button', { name: 'Call again' }).click()
    await calledBy.getByText('the console').waitFor()
    await page.keyboard.press('u')
    await calls.getByText('by the console').waitFor()
    await calls.getByText('by sofia').waitFor()
    expect(errors).toEqual([])
  })
})
