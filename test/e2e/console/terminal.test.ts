import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Opens the terminal of a new session. */
async function openTerminal(session: string) {
  await bench.ask('POST', '/v1/sessions', { name: session })
  const { page, errors } = await bench.newPage()
  await page.goto(`${bench.url}/console/sessions/${session}/terminal`)
  return { page, errors, screen: page.getByRole('log') }
}

async function enter(page: Page, line: string) {
  await page.getByLabel('Line for the shell').fill(line)
  await page.keyboard.press('Enter')
}

const waits = (page: Page) => page.getByRole('status').getByText('The shell waits for a line.').waitFor()
const runs = (page: Page) => page.getByRole('status').getByText('A command runs').waitFor()

type Calls = { readonly data: readonly { readonly tool: string; readonly arguments: string }[] }
/** Calls of a session, the first one first, each with its tool and command. */
const callsOf = async (session: string) =>
  (await bench.ask<Calls>('GET', `/v1/sessions/${session}/calls?limit=100`)).data
    .map(({ tool, arguments: args }) => [tool, (JSON.parse(args) as { command?: string }).command ?? ''])
    .reverse()

describe('the terminal of a session', () => {
  it('keeps its directory and variables, shows colours, and takes its output for nothing else', async () => {
    const { page, errors, screen } = await openTerminal('shell')
    await enter(page, 'cd code_run; WORD=kept')
    await waits(page)
    await enter(
      page,
      String.raw`printf '\033[31mred\033[0m \033]0;title\007<b>bold</b>\n'; echo "$WORD in $(basename "$PWD")"`,
    )
    await screen.locator('.ansi-red', { hasText: 'red' }).waitFor()
    await screen.getByText('<b>bold</b>', { exact: false }).waitFor()
    await screen.getByText('kept in code_run', { exact: false }).waitFor()
    expect(await page.title()).toBe('Terminal · shell · Toolyard')
    expect(errors).toEqual([])
  })

  it('shows output while a command runs, gives it the lines that are typed meanwhile, and is one call for each line', async () => {
    const { page, errors, screen } = await openTerminal('streamed')
    await enter(
      page,
      'echo begun; until [ -e go ]; do sleep 0.1; done; echo gone on; read WORD; echo "read: $WORD"; echo wrong >&2',
    )
    await screen.getByText('begun', { exact: false }).waitFor()
    await runs(page)
    await bench.call('streamed', 'execute_shell', { command: 'touch go', workdir: '.' })
    await screen.getByText(/^gone on$/m).waitFor()
    await enter(page, 'a word')
    await screen.getByText('read: a word', { exact: false }).waitFor()
    await screen.getByText(/^wrong$/m).waitFor()
    await waits(page)
    await enter(page, 'echo "once more"')
    await screen.getByText(/^once more$/m).waitFor()
    await waits(page)
    const commands = (await callsOf('streamed'))
      // An empty command reads what a running one writes, as often as that takes.
      .filter(([tool, command]) => tool === 'shell_command' && command)
      .map(([, command]) => command)
    expect(commands).toEqual(['exec 2>&1', expect.stringContaining('echo begun'), 'a word', 'echo "once more"'])
    expect(errors).toEqual([])
  })

  it('ends what runs by Ctrl-C, loops and programs, and keeps the shell with its variables', async () => {
    const { page, errors, screen } = await openTerminal('interrupted')
    await enter(page, 'WORD=kept; while true; do echo turn; sleep 0.1; done')
    await screen.getByText(/^turn$/m).waitFor()
    await page.getByLabel('Line for the shell').press('Control+c')
    await waits(page)
    await enter(page, 'echo begun; sleep 600')
    await screen.getByText(/^begun$/m).waitFor()
    await page.getByRole('button', { name: 'Interrupt' }).click()
    await waits(page)
    await enter(page, 'echo "$WORD, $?"')
    await screen.getByText(/^kept, 130$/m).waitFor()
    await waits(page)
    expect(await page.getByRole('button', { name: 'Interrupt' }).isEnabled()).toBe(false)
    expect(errors).toEqual([])
  })

  it('is a shell of its own, whose output no agent reads, and which reads none of theirs', async () => {
    const { page, screen } = await openTerminal('apart')
    await bench.call('apart', 'shell_write', { content: 'WORD=of-the-agent; echo "agent $WORD"' })
    await enter(page, 'echo "person $(test "$WORD" || echo without)"')
    await screen.getByText(/^person without$/m).waitFor()
    await waits(page)
    const read = await bench.ask<{ text?: string }>('POST', '/v1/sessions/apart/calls', {
      tool: 'shell_read',
      arguments: { wait_ms: 0 },
    })
    expect(read.text ?? '').not.toContain('person')
    expect(await screen.textContent()).not.toContain('agent')
  })

  it('goes on where it was after another page and after a reload, with what it runs', async () => {
    const { page, screen } = await openTerminal('left')
    await enter(page, 'WORD=kept; echo begun; until [ -e go ]; do sleep 0.1; done; echo ended')
    await screen.getByText(/^begun$/m).waitFor()
    await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Files' }).click()
    await page.getByText('No file is open').waitFor()
    await bench.call('left', 'execute_shell', { command: 'touch go', workdir: '.' })
    await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Terminal' }).click()
    await screen.getByText(/^ended$/m).waitFor()
    await waits(page)
    await page.reload()
    await screen.getByText('Still in the shell from before; its earlier output is under Calls.').waitFor()
    await enter(page, 'echo "$WORD still"')
    await screen.getByText(/^kept still$/m).waitFor()
    await waits(page)
    await page.getByLabel('Line for the shell').fill('sleep 600')
    await page.getByRole('button', { name: 'Enter' }).click()
    await runs(page)
    await page.reload()
    await runs(page)
    await page.keyboard.press('Control+c')
    await waits(page)
    const { data } = await bench.ask<{ data: readonly object[] }>('GET', '/v1/sessions/left/calls?state=pending')
    expect(data).toEqual([])

    // The arrow keys have the lines from before the reload.
    const line = page.getByLabel('Line for the shell')
    const typed = async (key: string) => {
      await line.press(key)
      return line.inputValue()
    }
    await expect.poll(() => typed('ArrowUp')).toBe('sleep 600')
    expect(await typed('ArrowUp')).toBe('echo "$WORD still"')
    expect(await typed('ArrowUp')).toContain('WORD=kept; echo begun')
    expect(await typed('ArrowUp')).toContain('WORD=kept; echo begun')
    expect(await typed('ArrowDown')).toBe('echo "$WORD still"')
  })

  it('ends what runs when a new shell is wanted, and says when the shell has ended', async () => {
    const { page, screen } = await openTerminal('ended')
    await enter(page, 'WORD=lost; echo begun; sleep 600')
    await screen.getByText(/^begun$/m).waitFor()
    await page.getByRole('button', { name: 'New shell' }).click()
    await waits(page)
    await enter(page, 'echo "word: $(test "$WORD" || echo none)"; exit 3')
    await screen.getByText(/^word: none$/m).waitFor()
    await screen.getByText('[The shell ended with exit code 3.]', { exact: false }).waitFor()
    await enter(page, 'echo another')
    await screen.getByText(/^another$/m).waitFor()
  })

  it('takes no shell of a link, which may be an agent’s', async () => {
    const { page } = await openTerminal('linked')
    const begun = await bench.ask<{ data: { shell_id: number } }>('POST', '/v1/sessions/linked/calls', {
      tool: 'shell_command',
      arguments: { command: 'WORD=of-the-agent', keep: true },
    })
    for (const number of [begun.data.shell_id, 0]) {
      await page.goto(`${bench.url}/console/sessions/linked/terminal?shell=${number}`)
      await page.waitForURL(/terminal$/)
      await page.getByText('The shell starts with the first line').waitFor()
    }
    await enter(page, 'echo "word: $(test "$WORD" || echo none)"')
    await page.getByText(/^word: none$/m).waitFor()
    await waits(page)
    await page.getByRole('button', { name: 'New shell' }).click()
    await waits(page)
    const still = await bench.ask<{ text: string }>('POST', '/v1/sessions/linked/calls', {
      tool: 'shell_command',
      arguments: { shell_id: begun.data.shell_id, command: 'echo "still $WORD"', keep: true },
    })
    expect(JSON.stringify(still)).toContain('still of-the-agent')
  })

  it('draws what comes once a frame, and keeps the end of it', async () => {
    const { page, errors, screen } = await openTerminal('much')
    await enter(page, 'echo begun')
    await screen.getByText(/^begun$/m).waitFor()
    await waits(page)
    await page.evaluate(`
      const draw = requestAnimationFrame
      const held = []
      requestAnimationFrame = (frame) => held.push(frame)
      drawHeld = () => {
        requestAnimationFrame = draw
        held.forEach((frame) => draw(frame))
      }`)
    const command = String.raw`for i in $(seq 1 8000); do printf '\033[31m%d\033[0m \033[32mline\033[0m\n' $i; done; echo all`
    await enter(page, command)
    await runs(page)
    await waits(page)
    expect(await screen.textContent()).not.toContain('8000')
    await page.evaluate('drawHeld()')
    await screen.getByText(/^all$/m).waitFor()
    await screen.getByText('Earlier output is under Calls.').waitFor()
    const text = (await screen.textContent()) ?? ''
    expect(text).toContain('8000 line\n')
    expect(text.length).toBeLessThan(51_000)
    expect(await screen.locator('span').count()).toBeLessThan(2_000)
    expect(errors).toEqual([])
  })

  it('has the focus in its line: when it is opened, after its buttons, and where nothing else has it on the way back', async () => {
    const { page } = await openTerminal('focus')
    const line = page.getByLabel('Line for the shell')
    const isFocused = () => line.evaluate((element) => element.matches(':focus'))
    await expect.poll(isFocused).toBe(true)
    await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Files' }).click()
    await page.getByText('No file is open').waitFor()
    await page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Terminal' }).click()
    await expect.poll(isFocused).toBe(true)
    await page.getByRole('button', { name: 'New shell' }).click()
    await expect.poll(isFocused).toBe(true)
    await line.blur()
    await page.evaluate("dispatchEvent(new Event('focus'))")
    expect(await isFocused()).toBe(true)
    await page.getByRole('log').focus()
    await page.evaluate("dispatchEvent(new Event('focus'))")
    expect(await isFocused()).toBe(false)
  })
})
