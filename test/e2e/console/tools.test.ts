import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsoleBrowser } from '../../support/console-browser.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

let state: string
let url: string
let browser: ConsoleBrowser

beforeAll(async () => {
  state = await startedState()
  const server = await startServer('node', { TOOLYARD_STATE: state })
  url = `http://localhost:${server.port}`
  browser = await startConsoleBrowser()
})
afterAll(async () => {
  await browser.close()
  await endServers()
  await rm(state, { recursive: true, force: true })
})

const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as { readonly call_id: string }
}
const fileOf = async (session: string, path: string) =>
  (await fetch(`${url}/v1/sessions/${session}/files/${path}`)).text()

describe('the tools of the console', () => {
  it('finds a tool, calls it by its form, and again as JSON that the form shows too', async () => {
    await send('POST', '/sessions', { name: 'forms' })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools`)
    await page.getByRole('link', { name: /^execute_shell/ }).waitFor()
    await page.getByRole('searchbox').fill('put files into the task')
    // Found ones alone: a row that is about to go must not be what is clicked.
    await page.getByRole('link', { name: /^execute_shell/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^file_upload/ }).click()
    await page.getByRole('button', { name: 'Add one' }).click()
    await page.getByRole('textbox', { name: 'filename' }).fill('a.txt')
    await page.getByRole('textbox', { name: 'content' }).fill('from the form')
    await page.getByLabel('Session').fill('forms')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('stored upload/a.txt', { exact: false }).waitFor()
    expect(await fileOf('forms', 'upload/a.txt')).toBe('from the form')

    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const json = page.getByLabel('Arguments as JSON')
    expect(JSON.parse(await json.inputValue())).toEqual({ files: [{ filename: 'a.txt', content: 'from the form' }] })
    await json.fill('{"files": [')
    await page.getByText('This is no JSON yet', { exact: false }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Call again' }).isDisabled()).toBe(true)
    await json.fill('{"files": [{"filename": "a.txt", "content": "from JSON"}]}')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'content' }).inputValue()).toBe('from JSON')
    await page.getByRole('textbox', { name: 'content' }).press('Control+Enter')
    await expect.poll(() => fileOf('forms', 'upload/a.txt')).toBe('from JSON')
    expect(errors).toEqual([])
  })

  it('opens the form with the arguments of an earlier call, edited there or not, and shows output while the call runs', async () => {
    await send('POST', '/sessions', { name: 'again' })
    const { call_id } = await send('POST', '/sessions/again/calls', {
      tool: 'execute_shell',
      arguments: { command: 'echo before' },
    })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/sessions/again/calls/${call_id}`)
    await page.getByRole('link', { name: 'Edit in the form' }).click()
    const command = page.getByRole('textbox', { name: 'command' })
    expect(await command.inputValue()).toBe('echo before')
    await page.goBack()
    await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{ "command": "echo edited" }')
    await page.getByRole('button', { name: 'Edit in the form' }).click()
    await expect.poll(() => command.inputValue()).toBe('echo edited')
    await command.fill('echo begun; until [ -e ../end ] || [ -e end ]; do sleep 0.1; done; echo ended')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByLabel('Answer').getByText('begun', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('shows what an import would make before it makes it', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/from/apis`)
    await page.getByLabel('Name').fill('Zoo')
    await page.getByLabel('OpenAPI description').fill(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Zoo', version: '1' },
        servers: [{ url: 'https://zoo.example' }],
        paths: { '/animals': { get: { operationId: 'listAnimals', summary: 'All animals' } } },
      }),
    )
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('link', { name: 'Zoo_listanimals' }).waitFor()
    const tools = async () => ((await (await fetch(`${url}/v1/apis`)).json()) as { data: object[] }).data
    expect(await tools()).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Zoo has 1 tool now.', { exact: false }).waitFor()
    expect(await tools()).toEqual([{ env: 'Zoo', tools: 1 }])
    expect(errors).toEqual([])
  })

  it('draws a chain, says by a dry run what it would do, and registers it', async () => {
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/chains/draw`)
    await page.getByRole('img', { name: 'Steps: write by file_write; count by execute_shell' }).waitFor()
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('it can run').waitFor()
    await page.getByLabel('Register it as').fill('my.chain')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 1' }).waitFor()
    await page.getByRole('img', { name: /^Steps: write/ }).waitFor()
    expect(errors).toEqual([])
  })

  it('calls a chain that was drawn here, and each of its steps is a call of its own', async () => {
    await send('POST', '/sessions', { name: 'chained' })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/chains/draw`)
    await page.getByRole('img', { name: 'Steps: write by file_write; count by execute_shell' }).waitFor()
    await page.getByLabel('Register it as').fill('my.counted')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 1' }).waitFor()
    await page.getByRole('link', { name: 'Call it' }).click()
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('Arguments as JSON').fill('{"text": "bees are busy today"}')
    await page.getByLabel('Session').fill('chained')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('done', { exact: true }).waitFor()
    expect(await fileOf('chained', 'note.md')).toBe('bees are busy today')
    await answer.getByRole('link', { name: 'Open its session' }).click()
    for (const tool of ['my.counted', 'file_write', 'execute_shell']) {
      await page
        .getByRole('link', { name: new RegExp(tool) })
        .first()
        .waitFor()
    }
    expect(errors).toEqual([])
  })

  it('says why an MCP server is not added, shows one that nobody has reached yet, and deletes it', async () => {
    await send('POST', '/mcp-servers', { name: 'absent', url: 'https://mcp.example/mcp', connect: false })
    const { page } = await browser.newPage()
    await page.goto(`${url}/console/tools/from/mcp-servers`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('inside')
    await page.getByLabel('Address').fill('https://127.0.0.1/mcp')
    await page.getByRole('button', { name: 'Add and ask for its tools' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Address').inputValue()).toBe('https://127.0.0.1/mcp')
    await page.getByRole('link', { name: /^absent/ }).click()
    await page.getByText('It has told of no tools yet.').waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('None yet.', { exact: false }).waitFor()
  })

  it('finds a published tool by what it says of itself, and installs it', async () => {
    await send('PUT', '/tools/registered/my.published', {
      name: 'Published',
      description: 'A tool for all.',
      input_schema: { type: 'object', properties: {} },
      executor: { kind: 'http', target: 'https://weather.example/now' },
    })
    await send('POST', '/marketplace/tools', { id: 'my.published', publisher: 'me', readme: 'Use it.' })
    const { page, errors } = await browser.newPage()
    await page.goto(`${url}/console/tools/from/marketplace`)
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByRole('heading', { name: 'No published tool fits' }).waitFor()
    await page.getByRole('searchbox').fill('published')
    await page.getByRole('link', { name: /^Published/ }).click()
    await page.getByText('Use it.').waitFor()
    await page.getByLabel('Name among your tools').fill('my.copy')
    await page.getByRole('button', { name: 'Install' }).click()
    await page.getByText('my.copy is among your tools.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Look at it' }).click()
    await page.getByRole('heading', { name: 'my.copy' }).waitFor()
    expect(errors).toEqual([])
  })

  it('shows what a version changed, and takes the description of a stranger for text', async () => {
    const definition = (description: string, properties: object) => ({
      name: 'hostile',
      description,
      input_schema: { type: 'object', properties },
      executor: { kind: 'http', target: 'https://weather.example/now' },
    })
    const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    const named = { [hostile]: { type: 'string', description: hostile, default: hostile, enum: [hostile] } }
    await send('PUT', '/tools/registered/my.hostile', definition('harmless', {}))
    await send('PUT', '/tools/registered/my.hostile', definition(hostile, named))
    const { page, errors } = await browser.newPage({ viewport: { width: 375, height: 700 } })
    for (const path of ['registered/my.hostile', 'my.hostile', '?q=hostile']) {
      await page.goto(`${url}/console/tools/${path}`)
      await page.getByText('onerror', { exact: false }).first().waitFor()
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.evaluate('[window.hacked ?? null, document.documentElement.scrollWidth > innerWidth]')).toEqual(
        [null, false],
      )
    }
    await page.goto(`${url}/console/tools/registered/my.hostile`)
    await page.locator('.removed', { hasText: 'harmless' }).waitFor()
    expect(errors).toEqual([])
  })
})
