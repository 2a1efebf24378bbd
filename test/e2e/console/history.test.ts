import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Text of a file of a session. */
const fileOf = async (session: string, path: string) =>
  (await fetch(`${bench.url}/v1/sessions/${session}/files/${path}`)).text()

/** A session whose file was written twice, and beside which another was made. @returns the numbers of the commits */
async function newSession(name: string) {
  await bench.ask('POST', '/v1/sessions', { name })
  await bench.call(name, 'file_write', { file_path: 'plan.md', content: 'the good plan\n' })
  await bench.call(name, 'file_write', { file_path: 'plan.md', content: 'a bad plan\n' })
  await bench.call(name, 'file_write', { file_path: 'other.md', content: 'stays\n' })
  type History = { readonly data: readonly { readonly commit: number }[] }
  const { data } = await bench.ask<History>('GET', `/v1/sessions/${name}/history?path=plan.md`)
  const [bad = 0, good = 0] = data.map(({ commit }) => commit)
  return { bad, good }
}

describe('the history in the console', () => {
  it('shows line by line what a change did, and takes one file back to before it', async () => {
    const { bad } = await newSession('lines')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/lines/history`)
    await page.getByRole('link', { name: new RegExp(`^${bad}\\. `) }).click()
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.locator('.removed', { hasText: '-the good plan' }).waitFor()
    await differs.locator('.added', { hasText: '+a bad plan' }).waitFor()
    await differs.getByRole('button', { name: 'Take this file back' }).click()
    await page.getByText('Set back: 1 path changed.').waitFor()
    expect(await fileOf('lines', 'plan.md')).toBe('the good plan\n')
    expect(await fileOf('lines', 'other.md')).toBe('stays\n')
    expect(errors).toEqual([])
  })

  it('restores all files to a commit, after asking, and the state before stays in it', async () => {
    const { good, bad } = await newSession('restored')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/restored/history?from=0&to=${good}`)
    const restore = page.getByRole('button', { name: `Set all files back to ${good}`, exact: true })
    page.once('dialog', (dialog) => void dialog.dismiss())
    await restore.click()
    expect(await fileOf('restored', 'plan.md')).toBe('a bad plan\n')
    page.once('dialog', (dialog) => void dialog.accept())
    await restore.click()
    await page.getByText('Set back: 2 paths changed.').waitFor()
    expect(await fileOf('restored', 'plan.md')).toBe('the good plan\n')
    expect((await fetch(`${bench.url}/v1/sessions/restored/files/other.md`)).status).toBe(404)
    await page
      .getByRole('list', { name: 'Changes' })
      .getByRole('link', { name: new RegExp(`^${bad + 2}\\. `) })
      .click()
    await page.getByRole('button', { name: `Set all files back to ${bad + 1}`, exact: true }).waitFor()
    expect(await page.getByRole('button', { name: `Set all files back to ${bad + 2}`, exact: true }).count()).toBe(0)
    await page.getByLabel('What differs').getByText('other.md').waitFor()
    expect(errors).toEqual([])
  })

  it('forks a session as it was after a commit, and the two have nothing to do with each other', async () => {
    const { good } = await newSession('forked')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/forked/history?from=0&to=${good}`)
    await page.getByRole('button', { name: /^Fork/ }).click()
    await page.getByText('Forked: this is the new session.').waitFor()
    const fork = decodeURIComponent(new URL(page.url()).pathname.split('/')[3] ?? '')
    expect(fork).not.toBe('forked')
    await expect.poll(() => fileOf(fork, 'plan.md')).toBe('the good plan\n')
    await bench.call(fork, 'file_write', { file_path: 'plan.md', content: 'of the fork\n' })
    expect(await fileOf('forked', 'plan.md')).toBe('a bad plan\n')
    expect(errors).toEqual([])
  })

  it('has the way back of a call that hundreds of others came after', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'busy' })
    await bench.call('busy', 'file_write', { file_path: 'plan.md', content: 'the good plan\n' })
    const bad = await bench.call('busy', 'file_write', { file_path: 'plan.md', content: 'a bad plan\n' })
    for (let batch = 0; batch < 5; batch++) {
      const calls = Array.from({ length: 50 }, (_, at) => ({
        tool: 'file_write',
        arguments: { file_path: 'other.md', content: `${batch} ${at}` },
      }))
      await bench.ask('POST', '/v1/sessions/busy/calls:batch', { calls })
    }
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/busy/calls/${bad}`)
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('Set back: 1 path changed.').waitFor()
    expect(await fileOf('busy', 'plan.md')).toBe('the good plan\n')
    expect(errors).toEqual([])
  })

  it('reads Markdown as it is meant, and nothing of it runs or leads anywhere', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'markdown' })
    const content =
      '# A <img src=x onerror="top.hacked=1">\n\n- **bold** [link](javascript:top.hacked=1)\n\n<script>top.hacked=1</script>\n'
    await bench.call('markdown', 'file_write', { file_path: 'read.md', content })
    const { page, errors } = await bench.newPage({ viewport: { width: 375, height: 700 } })
    await page.goto(`${bench.url}/console/sessions/markdown/files/read.md`)
    const file = page.getByRole('article')
    await file.getByRole('heading', { name: 'A <img' }).waitFor()
    await file.locator('strong', { hasText: 'bold' }).waitFor()
    await file.getByText('(javascript:top.hacked=1)').waitFor()
    expect(await file.locator('img, script, a').count()).toBe(0)
    await page.getByRole('button', { name: 'Source' }).click()
    await page.getByLabel('Text of the file').getByText('# A <img').waitFor()
    expect(await page.evaluate('[window.hacked ?? null, document.documentElement.scrollWidth > innerWidth]')).toEqual([
      null,
      false,
    ])
    expect(errors).toEqual([])
  })
})
