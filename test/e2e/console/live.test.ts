import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

const WAITING = 'echo begun; until [ -e ../go ] || [ -e go ]; do sleep 0.1; done; echo ended; echo made > made.txt'

/** Begins a call that prints, and waits until {@link go}. @returns its id */
const begin = async (session: string) =>
  (
    await bench.ask<{ call_id: string }>('POST', `/v1/sessions/${session}/calls?wait=0`, {
      tool: 'execute_shell',
      arguments: { command: WAITING },
    })
  ).call_id
/** Lets the call go on some time after this one has ended: what both change is of the one that ends first. */
const go = (session: string) =>
  bench.call(session, 'execute_shell', { command: '(sleep 3; touch go) > /dev/null 2>&1 &', workdir: '.' })

describe('a session that somebody looks at', () => {
  it('shows a call as it begins, its output while it comes, and the files that it changes', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'looked-at' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/looked-at/live`)
    await page.getByText('No change since you opened this page.').waitFor()
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor()

    await begin('looked-at')
    const running = page.getByRole('article').filter({ hasText: 'execute_shell' })
    await running.getByText(/^begun$/m).waitFor()
    await page.getByRole('heading', { name: 'Running now' }).waitFor()
    await go('looked-at')
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByText('code_run/made.txt').waitFor()
    await running.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /until/ }).getByText('done', { exact: true }).waitFor()
    expect(errors).toEqual([])
  })

  it('shows what a call of an agent prints that waits for the answer, and how long it runs, and keeps it when it is stopped', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'waited-for' })
    const path = '/v1/sessions/waited-for/calls'
    const answered = bench.ask('POST', path, {
      ...{ tool: 'execute_shell', agent: 'reporter' },
      arguments: { command: 'n=0; until [ -e ../go ]; do n=$((n + 1)); echo line $n; sleep 0.5; done' },
    })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/waited-for/live`)
    const running = page.getByRole('article').filter({ hasText: 'execute_shell' })
    await running.getByText(/^line 2$/m).waitFor()
    await page.getByRole('link', { name: /until/ }).click()
    await page.getByText(/^line 4$/m).waitFor()
    const took = () => page.locator('.facts div', { hasText: 'Took' }).locator('dd').innerText()
    const before = await took()
    await expect.poll(took).not.toBe(before)

    const stop = page.getByRole('button', { name: 'Stop' })
    await stop.focus()
    await page.keyboard.press('Enter')
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByRole('heading', { name: 'What it printed until then' }).waitFor()
    await answer.getByText(/^line 4$/m).waitFor()
    await expect.poll(() => answer.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await answered).toMatchObject({ state: 'failed' })
    expect(errors).toEqual([])
  })

  it('shows on the page of a call its output while it runs, and then its end, receipt and files', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'followed' })
    const call = await begin('followed')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/followed/calls/${call}`)
    await page.getByRole('heading', { name: 'Output, as it comes' }).waitFor()
    await page.getByText(/^begun$/m).waitFor()
    expect(await page.getByText(/^ended$/m).count()).toBe(0)
    await go('followed')
    await page.getByRole('heading', { name: 'Output', exact: true }).waitFor()
    await page
      .getByText(/^ended$/m)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'code_run/made.txt' }).waitFor()
    await page.getByRole('term').filter({ hasText: 'Work' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    expect(errors).toEqual([])
  })
})
