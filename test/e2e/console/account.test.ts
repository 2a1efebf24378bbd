import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOn } from '../../support/console-axe.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Rows of a table of a region, each as the texts of its cells. */
const cellsOf = (page: Page, region: string) =>
  page
    .getByRole('region', { name: region })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        Array.from((row as unknown as { cells: { textContent: string }[] }).cells, (cell) => cell.textContent),
      ),
    )

/** Text of what a link of the page downloads. */
async function downloaded(page: Page, name: string) {
  const waits = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  return readFile(await (await waits).path(), 'utf8')
}

describe('the use in the console', () => {
  it('has the figures of the API by tool, session and day, and exports what its filters leave', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'counted' })
    await bench.ask('POST', '/v1/sessions', { name: 'other' })
    for (const text of ['one', 'two', 'three'])
      await bench.call('counted', 'file_write', { file_path: 'a', content: text })
    await bench.call('counted', 'file_read', { file_path: 'absent' })
    await bench.call('other', 'file_write', { file_path: 'a', content: 'four' })
    const used = (group: string) =>
      bench.ask<{ data: readonly Record<string, unknown>[] }>('GET', `/v1/usage?group_by=${group}`)
    await expect
      .poll(async () => (await used('session')).data.map(({ session, calls }) => [session, calls]))
      .toEqual(
        expect.arrayContaining([
          ['counted', 4],
          ['other', 1],
        ]),
      )

    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/usage`)
    await page.getByRole('region', { name: 'Use' }).getByRole('link', { name: 'file_write' }).waitFor()
    expect((await cellsOf(page, 'Use')).map(([tool, calls, failed]) => [tool, calls, failed])).toEqual(
      expect.arrayContaining([
        ['file_write', '4', '0'],
        ['file_read', '1', '1'],
      ]),
    )
    await page.getByRole('combobox', { name: 'By' }).selectOption('session')
    await page.getByRole('region', { name: 'Use' }).getByRole('link', { name: 'counted' }).click()
    await page.getByRole('link', { name: 'session: counted' }).waitFor()
    await page.getByRole('combobox', { name: 'By' }).selectOption('day')
    const today = new Date().toISOString().slice(0, 4)
    await page.getByRole('region', { name: 'Use' }).getByText(today).first().waitFor()
    // Two rows where midnight fell between the calls.
    const byDay = (await cellsOf(page, 'Use')).map(([, calls]) => Number(calls))
    expect(byDay.reduce((sum, calls) => sum + calls, 0)).toBe(4)
    await page.getByRole('img', { name: 'Calls by day' }).locator('canvas').waitFor()

    const lines = (await downloaded(page, 'JSON lines'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatchObject({ session: 'counted' })
    expect(await downloaded(page, 'CSV')).not.toContain('other')
    expect(errors).toEqual([])
  })

  it('means by failed what the list of sessions does, and says of what that is made up', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'meant' })
    await bench.call('meant', 'file_read', { file_path: 'absent' })
    for (const code of [1, 2]) await bench.call('meant', 'execute_shell', { command: `true; exit ${code}` })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions?q=meant`)
    await page.getByRole('link', { name: '3 failed' }).click()
    const calls = page.getByRole('list', { name: 'Calls' })
    for (const words of ['error', 'exit 1', 'exit 2']) await calls.getByText(words, { exact: true }).waitFor()
    await page.goto(`${bench.url}/console/usage?session=meant&by=session`)
    await page.getByRole('region', { name: 'Use' }).getByRole('link', { name: 'meant' }).waitFor()
    expect((await cellsOf(page, 'Use')).map((cells) => cells.slice(1, 6))).toEqual([['3', '3', '1', '2', '0']])
    const heads = page.getByRole('region', { name: 'Use' }).getByRole('columnheader')
    const words = ['Calls', 'Failed', 'Errors', 'Exit codes', 'Refused']
    expect((await heads.allTextContents()).slice(1, 6)).toEqual(words)
    expect(errors).toEqual([])
  })

  it('shows on a telephone that its table goes on, and names several days of its chart', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'narrow' })
    await bench.call('narrow', 'file_write', { file_path: 'a', content: 'a' })
    const { page } = await bench.newPage({ viewport: { width: 375, height: 700 } })
    await page.addInitScript(`window.drawn = []
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        window.drawn.push(text)
        return fillText.call(this, text, ...at)
      }`)
    await expect
      .poll(async () => (await bench.ask<{ total: { calls: number } }>('GET', '/v1/usage?session=narrow')).total.calls)
      .toBe(1)
    await page.goto(`${bench.url}/console/usage?session=narrow`)
    await page.getByRole('img', { name: 'Calls by day' }).locator('canvas').waitFor()
    const days = () => page.evaluate<string[]>(String.raw`[...new Set(drawn.filter((text) => /^\d+ \w+$/.test(text)))]`)
    await expect.poll(async () => (await days()).length).toBeGreaterThanOrEqual(3)
    const use = page.getByRole('region', { name: 'Use' })
    const { hidden, shadows } = await use.evaluate((region) => {
      const { scrollWidth, clientWidth } = region as unknown as Record<string, number>
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(of: unknown): { backgroundImage: string }
      }
      return {
        hidden: (scrollWidth ?? 0) - (clientWidth ?? 0),
        shadows: getComputedStyle(region).backgroundImage.split('linear-gradient').length - 1,
      }
    })
    expect(hidden).toBeGreaterThan(0)
    expect(shadows).toBe(4)
    expect(await use.getAttribute('tabindex')).toBe('0')
    await page.getByText('No limit by the day is set.').waitFor()
  })

  it('says what is left today of a limit for the calls of all, and of one key with those below it', async () => {
    const own = await bench.newTenant('limited')
    const wanted = { name: 'worker', scopes: ['read', 'execute'] }
    const made = await bench.ask<{ id: string; key: string }>('POST', '/v1/keys', wanted, own)
    const child = await bench.ask<{ key: string }>(
      'POST',
      '/v1/keys/current/children',
      { name: 'helper', expires_in_seconds: 3_600 },
      made,
    )
    await bench.ask('POST', '/v1/sessions', { name: 'limited' }, made)
    let day = ''
    const callEachOnceToday = async () => {
      const today = new Date().toISOString().slice(0, 10)
      if (day === today) return
      day = today
      await bench.call('limited', 'file_write', { file_path: 'a', content: 'a' }, made)
      await bench.call('limited', 'file_write', { file_path: 'b', content: 'b' }, child)
    }
    await bench.ask('PUT', '/v1/limits', { rules: [{ scope: 'key', name: made.id, per_day: 100 }], prices: [] }, own)
    const { page } = await bench.newPage()
    await bench.signIn(page, own.key)
    await expect
      .poll(async () => {
        await callEachOnceToday()
        await page.goto(`${bench.url}/console/usage`)
        await page.getByRole('region', { name: 'Left today' }).getByText(made.id).waitFor()
        return cellsOf(page, 'Left today')
      })
      .toEqual([[`key ${made.id}, calls`, '2', '100', '98']])
  })

  it('does not overwrite limits that somebody else has set meanwhile', async () => {
    await bench.ask('PUT', '/v1/limits', { rules: [{ scope: 'tenant', per_day: 1_000 }], prices: [] })
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/usage`)
    await page.getByText('Change rules and prices').click()
    const field = page.getByLabel('Rules and prices, as JSON')
    await field.fill('{"rules": [{"scope": "tenant", "per_day": 2000}], "prices": []}')
    const theirs = { rules: [{ scope: 'tenant', per_day: 500 }], prices: [] }
    await bench.ask('PUT', '/v1/limits', theirs)
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('Somebody else has changed the limits meanwhile', { exact: false }).waitFor()
    expect(await bench.ask('GET', '/v1/limits')).toMatchObject(theirs)
    expect(await field.inputValue()).toContain('2000')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('The limits hold for the next call.').waitFor()
    expect(await bench.ask('GET', '/v1/limits')).toMatchObject({ rules: [{ per_day: 2_000 }] })
    await bench.ask('PUT', '/v1/limits', { rules: [], prices: [] })
  })
})

describe('keys in the console', () => {
  it('are made, shown once, minted below one another, and revoked', async () => {
    const { key } = await bench.newTenant('keys')
    const { page, errors } = await bench.newPage()
    await bench.signIn(page, key)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: /^Name/ }).fill('for the bees')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const made = (await page.getByRole('region', { name: 'Key' }).locator('.secret').textContent()) ?? ''
    expect(await bench.ask('GET', '/v1/keys/current', undefined, { key: made })).toMatchObject({
      name: 'for the bees',
      scopes: ['read', 'execute'],
    })
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('link', { name: /^for the bees/ }).waitFor()
    expect(await page.content()).not.toContain(made)
    await page.goBack()
    await page.getByRole('heading', { name: 'New key' }).waitFor()
    expect(await page.content()).not.toContain(made)

    await page.goto(`${bench.url}/console/keys`)
    await page.getByRole('link', { name: 'New child key' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('for one bee')
    await page.getByRole('textbox', { name: /^Tools/ }).fill('file_read')
    await page.getByRole('button', { name: 'Make the child key' }).click()
    const child = (await page.getByRole('region', { name: 'Child key' }).locator('.secret').textContent()) ?? ''
    expect(await bench.ask('GET', '/v1/keys/current', undefined, { key: child })).toMatchObject({ name: 'for one bee' })
    await page.getByRole('button', { name: 'I have it' }).click()
    const children = page.getByRole('region', { name: 'Child keys' })
    await children.getByText('tools: file_read', { exact: false }).waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await children.getByRole('button', { name: 'Revoke for one bee', exact: true }).click()
    await children.getByText('revoked').waitFor()
    type Listed = { readonly data: readonly { readonly name: string; readonly revoked_at: string | null }[] }
    const revoked = async (path: string) =>
      (await bench.ask<Listed>('GET', path, undefined, { key })).data.filter((one) => one.revoked_at !== null)
    expect(await revoked('/v1/keys/current/children')).toMatchObject([{ name: 'for one bee' }])

    await page.getByRole('link', { name: /^for the bees/ }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('for the bees is revoked.').waitFor()
    expect(await revoked('/v1/keys')).toMatchObject([{ name: 'for the bees' }])
    expect(errors).toEqual([])
  })

  it('show an administrator what another key has handed on, as a tree, and end a branch of it', async () => {
    const own = await bench.newTenant('trees')
    const wanted = { name: 'worker', scopes: ['read', 'execute'] }
    const worker = await bench.ask<{ id: string; key: string }>('POST', '/v1/keys', wanted, own)
    const mint = (name: string, by: { readonly key: string }) =>
      bench.ask<{ id: string; key: string }>('POST', '/v1/keys/current/children', { name }, by)
    const helper = await mint('helper', worker)
    await mint('second', await mint('first', helper))
    const { page, errors } = await bench.newPage()
    await bench.signIn(page, own.key)
    await page.goto(`${bench.url}/console/keys`)
    await page.getByRole('link', { name: /^worker/ }).click()
    const branch = page.getByRole('region', { name: 'Child keys' }).getByRole('listitem')
    const of = (name: string) => branch.filter({ hasText: name })
    await of('helper')
      .getByRole('listitem')
      .filter({ hasText: 'first' })
      .getByRole('listitem')
      .getByText('second')
      .waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await of('helper').getByRole('button', { name: 'Revoke' }).first().click()
    await page.getByText('helper is revoked.').waitFor()
    await page.getByText('second').waitFor({ state: 'detached' })
    await of('helper').getByText('revoked').waitFor()
    expect(
      (await fetch(`${bench.url}/v1/keys/current`, { headers: { Authorization: `Bearer ${worker.key}` } })).status,
    ).toBe(200)
    expect(errors).toEqual([])
  })
})

describe('pages for keys', () => {
  it.each(['light', 'dark'] as const)(
    'have nothing that axe-core objects to in the %s theme, and fit a telephone',
    async (colorScheme) => {
      const { key, keyId } = await bench.newTenant(`keys-${colorScheme}`)
      const { page, errors } = await bench.newPage({ colorScheme, viewport: { width: 375, height: 700 } })
      await page.goto(`${bench.url}/console/sign-in`)
      await page.getByLabel('Key', { exact: true }).fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${bench.url}/console/sessions`)
      const places = { keys: 'this one', 'keys/new': 'Limits of its calls', [`keys/${keyId}`]: 'Another secret' }
      for (const [place, text] of Object.entries(places)) {
        await page.goto(`${bench.url}/console/${place}`)
        await page.getByRole('main').getByText(text).first().waitFor()
        expect(await violationsOn(page), place).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), place).toBe(false)
      }
      expect(errors).toEqual([])
    },
  )
})

describe('keys of a server that needs none', () => {
  it('are not made in the console, which says why', async () => {
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/keys`)
    await page.getByText('This server asks for no key', { exact: false }).waitFor()
    await page.getByText('A child key may do less than you may here', { exact: false }).waitFor()
    // Nobody has a key here that could be meant.
    for (const words of ['your key', 'the key above']) expect(await page.getByText(words).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New key' }).count()).toBe(0)
    await page.goto(`${bench.url}/console/keys/new`)
    await page.getByText('This server asks for no key', { exact: false }).waitFor()
  })
})

describe('signing out of a server that needs no key', () => {
  it('leads to a page with a way on without one, and the way back leads there, too', async () => {
    const { page, errors } = await bench.newPage()
    const on = page.getByRole('button', { name: 'Continue without a key' })
    await page.goto(`${bench.url}/console/tools`)
    await page.getByRole('heading', { name: 'Tools' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${bench.url}/console/sign-in`)
    await on.waitFor()
    await page.goBack()
    await page.waitForURL(`${bench.url}/console/tools`)
    await on.click()
    await page.getByRole('heading', { name: 'Tools' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${bench.url}/console/sign-in`)
    await page.reload()
    await on.click()
    await page.waitForURL(`${bench.url}/console/sessions`)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(errors).toEqual([])
  })

  it('ends what the page asks at that moment, and what was asked is answered where signing out fails', async () => {
    const { page, errors } = await bench.newPage()
    let note: (() => void) | undefined
    const hasBegun = new Promise<void>((resolve) => {
      note = resolve
    })
    let hold = true
    await page.route('**/v1/sessions?*', async (route) => {
      if (!hold) return route.continue()
      note?.()
    })
    await page.route('**/console/logout', (route) => route.abort())
    await page.goto(`${bench.url}/console/sessions`)
    await hasBegun
    hold = false
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('The server does not answer.', { exact: true }).waitFor()
    const list = page.getByRole('list', { name: 'Sessions' })
    await page.getByText('Waiting for the first call').or(list).first().waitFor()
    expect(errors.filter((text) => !text.includes('/console/logout'))).toEqual([])
  })
})

describe('secrets in the console', () => {
  it('have names of capital letters, which small ones become, and buttons with their names', async () => {
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/secrets`)
    for (const name of ['bee_small', 'wasp_small']) {
      await page.getByLabel('Name').pressSequentially(name)
      expect(await page.getByLabel('Name').inputValue()).toBe(name.toUpperCase())
      await page.getByLabel('Value', { exact: true }).fill('quiet')
      await page.getByRole('button', { name: 'Set', exact: true }).click()
      await page.getByText(`${name.toUpperCase()} is set.`).waitFor()
    }
    page.on('dialog', (dialog) => void dialog.accept())
    for (const name of ['BEE_SMALL', 'WASP_SMALL']) {
      await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
      await page.getByText(`${name} is deleted.`).waitFor()
    }
  })

  it('are set and deleted by name, and their values come back never', async () => {
    const value = 'the-value-that-nobody-reads'
    const { page, errors } = await bench.newPage()
    const answers: Promise<string>[] = []
    page.on('response', (answer) => answers.push(answer.text().catch(() => '')))
    await page.goto(`${bench.url}/console/secrets`)
    await page.getByLabel('Name').fill('BEE_KEY')
    await page.getByLabel('Value', { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    const secrets = page.getByRole('list', { name: 'Secrets' })
    await secrets.getByText('BEE_KEY').waitFor()
    await page.reload()
    await secrets.getByText('BEE_KEY').waitFor()
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('')
    expect(await page.content()).not.toContain(value)
    expect((await Promise.all(answers)).filter((text) => text.includes(value))).toEqual([])
    page.on('dialog', (dialog) => void dialog.accept())
    await secrets.getByRole('listitem').filter({ hasText: 'BEE_KEY' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No secrets yet' }).waitFor()
    expect(errors).toEqual([])
  })
})

describe('the settings of the console', () => {
  it('keep a theme in this browser', async () => {
    const { page } = await bench.newPage({ colorScheme: 'light' })
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    await page.goto(`${bench.url}/console/settings`)
    const choice = page.getByRole('main').getByLabel('Theme')
    await choice.waitFor()
    const light = await ground()
    await choice.selectOption('dark')
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await choice.waitFor()
    expect([await choice.inputValue(), await ground()]).toEqual(['dark', dark])
  })
})

describe('the audit log in the console', () => {
  it('is verified in the browser, and an entry that was changed in its table is found', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'audited' })
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/audit`)
    const verify = page.getByRole('button', { name: 'Verify' })
    await verify.click()
    await page.getByRole('status').getByText('entries are as they were written', { exact: false }).waitFor()
    await page.getByRole('list', { name: 'Entries' }).getByText('audited').first().waitFor()
    await page
      .getByRole('list', { name: 'Entries' })
      .getByRole('link', { name: /session\.create audited/ })
      .click()
    await page.getByRole('heading', { name: 'Sessions / audited' }).waitFor()
    await page.goBack()
    expect(errors).toEqual([])

    await bench.stopServer()
    const changed = await changeEntry(bench.state, 'audited', 'elsewhere')
    await bench.startServer()
    await page.reload()
    await verify.click()
    await page.getByRole('alert').getByText(`Entry ${changed} was changed`, { exact: false }).waitFor()
    expect(await page.getByText('verified').count()).toBe(0)
  })
})

/** Changes a text in an entry of an audit log, in the files of a server that is stopped. @returns the entry's number */
async function changeEntry(state: string, from: string, to: string): Promise<number> {
  for (const file of await readdir(state, { recursive: true })) {
    if (!file.endsWith('.sqlite')) continue
    const database = new DatabaseSync(join(state, file))
    try {
      const isTenant = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined
      if (!isTenant) continue
      const row = database.prepare('SELECT seq FROM audit WHERE instr(entry, ?)').get(from)
      if (!row) continue
      database.prepare('UPDATE audit SET entry = replace(entry, ?, ?) WHERE seq = ?').run(from, to, row.seq ?? null)
      return Number(row.seq)
    } finally {
      database.close()
    }
  }
  throw new Error(`no audit log below ${state} has ${from}`)
}
