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
    const { good, bad } = await newSession('lines')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/lines/history`)
    await page.getByRole('link', { name: new RegExp(`^${bad}\\. `) }).click()
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.locator('.removed', { hasText: '-the good plan' }).waitFor()
    await differs.locator('.added', { hasText: '+a bad plan' }).waitFor()
    await differs.getByRole('button', { name: 'Take this file back' }).click()
    await page.getByText(`Set back: plan.md is as it was at commit ${good}.`).waitFor()
    expect(await fileOf('lines', 'plan.md')).toBe('the good plan\n')
    expect(await fileOf('lines', 'other.md')).toBe('stays\n')
    expect(errors).toEqual([])
  })

  it('restores all files to a commit, after asking, and the state before stays in it', async () => {
    const { good, bad } = await newSession('restored')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/restored/history?from=0&to=${good}`)
    const restore = page.getByRole('button', { name: `Set all files back to commit ${good}`, exact: true })
    page.once('dialog', (dialog) => void dialog.dismiss())
    await restore.click()
    expect(await fileOf('restored', 'plan.md')).toBe('a bad plan\n')
    page.once('dialog', (dialog) => void dialog.accept())
    await restore.click()
    await page.getByText(`all files are as they were at commit ${good}, 2 paths changed.`).waitFor()
    expect(await fileOf('restored', 'plan.md')).toBe('the good plan\n')
    expect((await fetch(`${bench.url}/v1/sessions/restored/files/other.md`)).status).toBe(404)
    await page
      .getByRole('list', { name: 'Changes' })
      .getByRole('link', { name: new RegExp(`^${bad + 2}\\. `) })
      .click()
    const back = (commit: number) =>
      page.getByRole('button', { name: `Set all files back to commit ${commit}`, exact: true })
    await expect.poll(() => back(bad + 1).isEnabled()).toBe(true)
    expect(await back(bad + 2).isDisabled()).toBe(true)
    await page.getByLabel('What differs').getByText('other.md').waitFor()
    expect(errors).toEqual([])
  })

  it('forks a session as it was after a commit, and the two have nothing to do with each other', async () => {
    const { good } = await newSession('forked')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/forked/history?from=0&to=${good}`)
    await bench.ask('POST', '/v1/sessions', { name: 'forked-fork' })
    await page.getByRole('button', { name: 'Fork from here', exact: true }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    // A name in use is not proposed.
    await expect.poll(() => name.inputValue()).toBe('forked-fork-2')
    await name.press('Enter')
    await page.getByText('Forked: forked-fork-2 is the new session.').waitFor()
    const heading = page.getByRole('heading', { name: 'Sessions / forked-fork-2' })
    await heading.waitFor()
    await page.getByText(`fork of forked at ${good}`).waitFor()
    // The key that made it makes no other one.
    await expect.poll(() => heading.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    const fork = decodeURIComponent(new URL(page.url()).pathname.split('/')[3] ?? '')
    expect(fork).toBe('forked-fork-2')
    await expect.poll(() => fileOf(fork, 'plan.md')).toBe('the good plan\n')
    await bench.call(fork, 'file_write', { file_path: 'plan.md', content: 'of the fork\n' })
    expect(await fileOf('forked', 'plan.md')).toBe('a bad plan\n')
    expect(errors).toEqual([])
  })

  it('asks before later work goes with a change that is taken back, and says afterwards where that was done', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'appended' })
    const write = (content: string) => bench.call('appended', 'file_write', { file_path: 'report.txt', content })
    await write('v1\n')
    const second = await write('v2\n')
    await write('v2\nand more\n')
    type History = { readonly data: readonly { readonly commit: number }[] }
    const { data } = await bench.ask<History>('GET', '/v1/sessions/appended/history')
    const newest = data[0]?.commit ?? 0
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/appended/calls/${second}`)
    const row = page.getByRole('listitem').filter({ hasText: 'report.txt' })
    await row.getByText(`changed again in commit ${newest}`).waitFor()
    const takeBack = row.getByRole('button', { name: 'Take it back' })
    const questions: string[] = []
    page.once('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await takeBack.click()
    await expect.poll(() => questions).toHaveLength(1)
    expect(questions[0]).toContain(`Later changes of report.txt, by commit ${newest} (file_write), go too:`)
    await expect.poll(() => takeBack.getAttribute('aria-busy')).toBe('false')
    expect(await fileOf('appended', 'report.txt')).toBe('v2\nand more\n')

    page.once('dialog', (dialog) => void dialog.accept())
    await takeBack.click()
    await row.getByText(`taken back in commit ${newest + 1}`).waitFor()
    await takeBack.waitFor({ state: 'detached' })
    expect(await fileOf('appended', 'report.txt')).toBe('v1\n')
    await page.reload()
    await row.getByRole('link', { name: `commit ${newest + 1}` }).waitFor()
    await row.getByRole('link', { name: 'report.txt' }).click()
    await page.getByLabel('Text of the file').getByText('v1').waitFor()

    // A file that a call deleted is linked as it was before, and as it is when it is back.
    const deleted = await bench.call('appended', 'file_delete', { file_paths: ['report.txt'] })
    await page.goto(`${bench.url}/console/sessions/appended/calls/${deleted}`)
    const link = row.getByRole('link', { name: 'report.txt' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toContain(`report.txt?as_of=${newest + 1}`)
    await takeBack.click()
    await row.getByText(`taken back in commit ${newest + 3}`).waitFor()
    expect(await link.getAttribute('href')).toMatch(/report\.txt$/)

    // In the history, too.
    await page.goto(`${bench.url}/console/sessions/appended/history?from=${newest - 1}&to=${newest}`)
    const [message] = await Promise.all([
      new Promise<string>((resolve) => {
        page.once('dialog', (dialog) => {
          resolve(dialog.message())
          void dialog.dismiss()
        })
      }),
      page.getByRole('button', { name: 'Take this file back' }).click(),
    ])
    expect(message).toContain(`(file_delete), commit ${newest + 1} (restore to commit ${newest - 2}), go too`)
    expect(errors).toEqual([])
  })

  it('says of a file that was taken back what changed it since, and asks about that alone', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'again' })
    const write = (content: string) => bench.call('again', 'file_write', { file_path: 'report.txt', content })
    await write('good\n')
    const bad = await write('bad\n')
    type History = { readonly data: readonly { readonly commit: number }[] }
    const { data } = await bench.ask<History>('GET', '/v1/sessions/again/history')
    const spoiled = data[0]?.commit ?? 0
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/again/calls/${bad}`)
    const row = page.getByRole('listitem').filter({ hasText: 'report.txt' })
    const takeBack = row.getByRole('button', { name: 'Take it back' })
    await takeBack.focus()
    await page.keyboard.press('Enter')
    const link = row.getByRole('link', { name: `commit ${spoiled + 1}` })
    // The focus stays in its row, though the button is gone.
    await expect.poll(() => link.evaluate((element) => element.matches(':focus'))).toBe(true)
    const toFile = page.getByRole('status').getByRole('link', { name: 'Look at it' })
    expect(await toFile.getAttribute('href')).toMatch(/\/sessions\/again\/files\/report\.txt$/)

    // The history says what it went back to, and that nothing is left to be taken back.
    await link.click()
    const commits = page.getByRole('list', { name: 'Changes' })
    const restored = new RegExp(`^${spoiled + 1}\\. restore to commit ${spoiled - 1} `)
    await commits.getByRole('link', { name: restored }).waitFor()
    await page.goto(`${bench.url}/console/sessions/again/history?from=${spoiled - 1}&to=${spoiled}`)
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.getByText(`taken back in commit ${spoiled + 1}`).waitFor()
    expect(await differs.getByRole('button', { name: 'Take this file back' }).count()).toBe(0)

    await write('good\nand more\n')
    await page.goto(`${bench.url}/console/sessions/again/calls/${bad}`)
    await row.getByText(`taken back in commit ${spoiled + 1}, changed since in commit ${spoiled + 2}`).waitFor()
    const question = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.message())
        void dialog.accept()
      })
    })
    await takeBack.click()
    expect(await question).toContain(
      `Later changes of report.txt, by commit ${spoiled + 2} (file_write), go too: to keep them, change the file by hand instead.`,
    )
    await row.getByText(`taken back in commit ${spoiled + 3}`).waitFor()
    expect(await fileOf('again', 'report.txt')).toBe('good\n')
    expect(errors).toEqual([])
  })

  it('lets all be set back as soon as there is something to set back, and says why not before', async () => {
    const { bad } = await newSession('newer')
    const newest = bad + 1
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/newer/history?from=${bad}&to=${newest}`)
    const back = page.getByRole('button', { name: `Set all files back to commit ${newest}`, exact: true })
    await expect.poll(() => back.getAttribute('title')).toContain('this is the newest commit')
    expect(await back.isDisabled()).toBe(true)
    await bench.call('newer', 'file_write', { file_path: 'later.md', content: 'later' })
    await expect.poll(() => back.isEnabled()).toBe(true)
    expect(await back.getAttribute('title')).toBeFalsy()
    expect(errors).toEqual([])
  })

  it('has the ways back and on from before a change, also the first one, and from the page of its call', async () => {
    const { good, bad } = await newSession('before')
    const { page, errors } = await bench.newPage()
    const history = (from: number, to: number) =>
      page.goto(`${bench.url}/console/sessions/before/history?from=${from}&to=${to}`)
    await history(good, bad)
    const before = page.locator('.moments div', { hasText: `Before, at ${good}` })
    await before.getByRole('button', { name: 'Snapshot' }).click()
    await page.getByRole('dialog').getByText(`Of the files at commit ${good}.`).waitFor()
    await page.keyboard.press('Escape')
    await history(0, 1)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Set all files back to the start' }).click()
    // What was done is what is shown then, and its row is in sight.
    await page.waitForURL(/from=(\d+)&to=(\d+)/)
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe(String(bad + 2))
    const row = page.getByRole('list', { name: 'Changes' }).locator('[aria-current="true"]')
    await row.getByText('restore to the start').waitFor()
    const [place, list] = [await row.boundingBox(), await page.locator('.list-box.commits').boundingBox()]
    expect(place?.y ?? -1).toBeGreaterThanOrEqual(list?.y ?? 0)

    const { data } = await bench.ask<{ data: readonly { readonly author: string }[] }>(
      ...(['GET', '/v1/sessions/before/history?path=plan.md'] as const),
    )
    await page.goto(`${bench.url}/console/sessions/before/calls/${data[1]?.author}`)
    await page.getByRole('button', { name: 'Fork from before it' }).click()
    await page.getByRole('dialog').getByText(`as they were at commit ${good}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sessions / before-fork' }).waitFor()

    // A fork is compared with what it is of.
    await bench.call('before-fork', 'file_write', { file_path: 'plan.md', content: 'another plan\n' })
    await page.getByRole('link', { name: 'compare' }).click()
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.getByRole('heading', { name: `What differs from before at ${good}` }).waitFor()
    await differs.getByText('-the good plan').waitFor()
    await differs.getByText('+another plan').waitFor()
    expect(errors).toEqual([])
  })

  it('keeps the focus at what comes next in a long difference, and rows that have it in sight', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'long' })
    await bench.call('long', 'execute_shell', { command: 'for n in $(seq 100 170); do echo $n > $n.txt; done' })
    for (let n = 0; n < 12; n++) await bench.call('long', 'file_write', { file_path: 'notes.md', content: `${n}\n` })
    const { page, errors } = await bench.newPage({ viewport: { width: 1280, height: 800 } })
    const { data } = await bench.ask<{ data: readonly { readonly commit: number }[] }>(
      ...(['GET', '/v1/sessions/long/history?limit=1'] as const),
    )
    await page.goto(`${bench.url}/console/sessions/long/history?from=0&to=${data[0]?.commit}`)
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.focus()
    await page.keyboard.press('Enter')
    const files = page.getByRole('region', { name: 'What differs' }).getByRole('article')
    await expect.poll(() => files.nth(50).evaluate((element) => element.matches(':focus'))).toBe(true)

    await page.goto(`${bench.url}/console/sessions/long/history`)
    await page.getByRole('list', { name: 'Changes' }).getByRole('link').first().waitFor()
    for (let n = 0; n < 13; n++) {
      await page.keyboard.press('j')
      const inSight =
        '(() => { const { top, bottom } = document.activeElement.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })()'
      await expect.poll(() => page.evaluate(inSight)).toBe(true)
    }
    expect(errors).toEqual([])
  })

  it('lists snapshots, with the ways to their files and back, and marks their commits', async () => {
    const { good, bad } = await newSession('snapped')
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/snapped/history?from=0&to=${good}`)
    const take = page.locator('.moments div', { hasText: 'After' }).getByRole('button', { name: 'Snapshot' })
    const dialog = page.getByRole('dialog')
    await take.click()
    await dialog.getByText(`Of the files at commit ${good}.`).waitFor()
    const proposed = await dialog.getByLabel('Name').inputValue()
    await dialog.getByRole('button', { name: 'Take it' }).click()
    const list = page.getByRole('list', { name: 'Snapshots' })
    await list.getByRole('link', { name: proposed, exact: true }).waitFor()
    const commits = page.getByRole('list', { name: 'Changes' })
    const named = commits.getByRole('link', { name: new RegExp(`^${good}\\. .*${proposed}`) })
    await named.waitFor()
    // However many paths a commit changed, the name is seen.
    const badge = await named.getByText(proposed).boundingBox()
    const listBox = await commits.boundingBox()
    expect((badge?.x ?? 0) + (badge?.width ?? 0)).toBeLessThanOrEqual((listBox?.x ?? 0) + (listBox?.width ?? 0))

    // Another name is proposed for the next one, and the name in use is replaced only by a button that says so.
    await page.goto(`${bench.url}/console/sessions/snapped/history?from=${good}&to=${bad}`)
    await take.click()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe(`${proposed}-2`)
    await dialog.getByLabel('Name').fill(proposed)
    await dialog.getByText(`is the name of commit ${good} now`).waitFor()
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
    await commits.getByRole('link', { name: new RegExp(`^${bad}\\. .*${proposed}`) }).waitFor()

    const row = list.getByRole('listitem').filter({ hasText: proposed })
    await row.getByRole('link', { name: `commit ${bad}` }).waitFor()
    page.once('dialog', (question) => void question.accept())
    await row.getByRole('button', { name: `Set all files back to commit ${bad}` }).click()
    await expect.poll(async () => (await fetch(`${bench.url}/v1/sessions/snapped/files/other.md`)).status).toBe(404)
    await row.getByRole('button', { name: 'Fork from here' }).waitFor()
    await row.getByRole('link', { name: proposed, exact: true }).click()
    await page.getByText(`as of ${proposed}`).waitFor()
    await page.goBack()
    page.once('dialog', (question) => void question.accept())
    await row.getByRole('button', { name: 'Remove' }).click()
    await list.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('leads from what differs to the files as they were then, and to folders as folders', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'led' })
    const at = (path: string) => `${bench.url}/v1/sessions/led/files/${path}`
    await fetch(at('d/e/deep.txt'), { method: 'PUT', body: 'deep\n' })
    await fetch(at('gone.txt'), { method: 'PUT', body: 'first\n' })
    await fetch(at('gone.txt'), { method: 'PUT', body: 'second\n' })
    await fetch(at('gone.txt'), { method: 'DELETE' })
    type History = { readonly data: readonly { readonly commit: number }[] }
    const { data } = await bench.ask<History>('GET', '/v1/sessions/led/history')
    const [deleted = 0, second = 0, , made = 0] = data.map(({ commit }) => commit)
    const { page, errors } = await bench.newPage()
    const history = (from: number, to: number) =>
      page.goto(`${bench.url}/console/sessions/led/history?from=${from}&to=${to}`)
    const differs = page.getByRole('region', { name: 'What differs' })
    const text = page.getByLabel('Text of the file')

    await history(second - 1, second)
    await differs.getByRole('link', { name: 'gone.txt' }).click()
    await text.getByText('second').waitFor()
    await history(deleted - 1, deleted)
    await differs.getByRole('link', { name: 'gone.txt' }).click()
    await text.getByText('second').waitFor()
    await page.getByText(`as of commit ${deleted - 1}`).waitFor()

    await history(made - 1, made)
    await differs.getByRole('link', { name: 'd/e/', exact: true }).click()
    const tree = page.getByRole('navigation', { name: 'Files' })
    await tree.getByRole('link', { name: /deep\.txt/ }).waitFor()
    // An address without the slash at its end is that of the folder, too.
    await page.goto(`${bench.url}/console/sessions/led/files/d/e`)
    await page.getByText('No file is open').waitFor()
    await tree.getByRole('link', { name: /deep\.txt/ }).waitFor()
    expect(errors).toEqual([])
  })

  it('names the calls of a range of changes, and keeps the button that sets all back in its place', async () => {
    const { good, bad } = await newSession('ranged')
    const { page, errors } = await bench.newPage({ viewport: { width: 375, height: 700 } })
    await page.goto(`${bench.url}/console/sessions/ranged/history?from=${good - 1}&to=${bad + 1}`)
    const differs = page.getByRole('region', { name: 'What differs' })
    await differs.getByText(/3 calls:/).waitFor()
    // How many there are, since a narrow page shows some of them alone.
    await page.getByText(/^\d+ changes, newest first$/).waitFor()
    expect(await differs.getByRole('link', { name: 'The call', exact: true }).count()).toBe(0)
    await differs.getByRole('link', { name: `${bad}. file_write` }).waitFor()
    const back = differs.getByRole('button', { name: `Set all files back to commit ${bad + 1}` })
    await back.waitFor()
    expect(await back.isDisabled()).toBe(true)
    const place = () => differs.getByRole('link', { name: 'Files then' }).last().boundingBox()
    const before = await place()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill(String(bad))
    await page.keyboard.press('Enter')
    await differs.getByRole('button', { name: `Set all files back to commit ${bad}` }).waitFor()
    expect((await place())?.x).toBe(before?.x)
    expect(errors).toEqual([])
  })

  it('has a heading that counts files and folders apart, at once after a change, and says that a sandbox sleeps', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'counted' })
    const put = (path: string) => fetch(`${bench.url}/v1/sessions/counted/files/${path}`, { method: 'PUT', body: 'x' })
    await put('d/e/one.md')
    await put('two.md')
    const { page, errors } = await bench.newPage()
    // Nothing is read again by itself.
    await page.addInitScript('globalThis.setInterval = () => 0')
    await page.goto(`${bench.url}/console/sessions/counted/history?from=1&to=2`)
    // Four folders come with each session.
    await page.getByText('2 files, 6 folders, 2 B').waitFor()
    await page.getByText('no sandbox', { exact: true }).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Set all files back to commit 2', exact: true }).click()
    await page.getByText('1 file, 6 folders, 1 B').waitFor()
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
    await page.getByText('Set back: plan.md is as it was').waitFor()
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
