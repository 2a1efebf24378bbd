/**
 * Makes the pictures of the console in docs/console: `npm run console:pictures`; with a directory behind it, in that one. A server of its own is filled with a story, an agent that
 * spoils a report, and real Chromium (`node scripts/setup.mjs --tests` installs it) looks at it. The browser's clock stands five minutes
 * after the story, so that pictures hardly change between runs. Ends with 1 when a picture is larger than it may be.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** Bytes of one picture, and of all. */
const PICTURE_BYTES_MAX = 150 * 1024
const ALL_BYTES_MAX = 2 * 1024 * 1024
const AFTER_MS = 5 * 60_000
/** Milliseconds that a screen may take until all of it is there. */
const PATIENCE_MS = 60_000
const TARGET = process.argv[2] ?? join(import.meta.dirname, '../docs/console')

const BOTH = ['light', 'dark']
const WIDE = [1280]
const PHONE = [375]

/**
 * Pictures of an empty server. Each has a name, a place, words that are there when all is, themes, widths, and perhaps what is done
 * before it is taken.
 */
const PICTURES_BEFORE = [['first-run', 'sessions', 'Make the first call', BOTH, WIDE]]

/** Whether a page shows all that it will: nothing is on its way, no button is busy, and fonts are there. */
const IS_WHOLE = `
  document.fonts.status === 'loaded' &&
  !document.querySelector('.loading, .files-place, [aria-busy="true"], .session-facts:empty') &&
  !/Loading …|Beginning to look …/.test(document.getElementById('main')?.innerText ?? '')`

/** Gives what is another one in each run, ids of calls and the port, the same text in all. */
const STEADY = `
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data } = texts.currentNode
    const steady = data.replace(/call_[0-9a-z]{16,}/g, 'call_0mwurejcnf37a4a53910c').replace(/localhost:\\d+/g, 'localhost:8001')
    if (steady !== data) texts.currentNode.data = steady
  }`

const state = mkdtempSync(join(tmpdir(), 'toolyard-pictures-'))
// Users of sandboxes have to get through.
chmodSync(state, 0o755)
const port = await freePort()
const url = `http://localhost:${port}`
const server = spawn(process.execPath, [join(import.meta.dirname, 'start.mjs')], {
  env: { ...process.env, PORT: String(port), SANDBOXD_PORT: '0', TOOLYARD_STATE: state },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await untilItRuns()
  const browser = await startBrowser()
  const storageState = await signedInOnce(browser)
  const taken = new Map([...(await draw(browser, PICTURES_BEFORE, { now: Date.now(), storageState }))])
  const story = await tell()
  for (const [file, bytes] of await draw(browser, picturesOf(story), { now: story.now, storageState }))
    taken.set(file, bytes)
  await browser.close()
  // Only now: a run that fails leaves the earlier ones.
  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  for (const [file, bytes] of taken) writeFileSync(join(TARGET, file), bytes)
  const sizes = [...taken].map(([file, { length }]) => [file, length])
  const sum = sizes.reduce((all, [, bytes]) => all + bytes, 0)
  for (const [name, bytes] of sizes) console.log(`${String(Math.round(bytes / 1024)).padStart(5)} KiB  ${name}`)
  if (sum > ALL_BYTES_MAX || sizes.some(([, bytes]) => bytes > PICTURE_BYTES_MAX)) {
    console.error('Pictures are larger than they may be: show less of a page.')
    process.exitCode = 1
  }
} finally {
  server.kill('SIGTERM')
  await new Promise((ended) => (server.exitCode === null ? server.once('exit', ended) : ended()))
  rmSync(state, { recursive: true, force: true })
}

async function ask(method, path, body, more = {}) {
  const headers = { 'Content-Type': 'application/json', ...more }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return text ? JSON.parse(text) : null
}

async function call(session, tool, args) {
  return (await ask('POST', `/v1/sessions/${session}/calls`, { tool, arguments: args })).call_id
}

/** Fills the server. @returns the ids that pictures need */
async function tell() {
  const write = (session, file_path, content) => call(session, 'file_write', { file_path, content })
  const shell = (session, command) => call(session, 'execute_shell', { command })
  for (const [name, title] of [
    ['weather-maps', 'Weather maps'],
    ['support-inbox', 'Support inbox'],
    ['quarterly-report', 'Quarterly report'],
  ]) {
    await ask('POST', '/v1/sessions', { name, title })
  }
  await write('weather-maps', 'stations.json', '["Dresden", "Leipzig", "Chemnitz"]\n')
  await shell('weather-maps', 'ls -l; date -u +%H:%M')
  await write('support-inbox', 'answers/0001.md', 'Thank you for your letter.\n')
  await call('support-inbox', 'file_read', { file_path: 'answers/0002.md' })

  const session = 'quarterly-report'
  await write(session, 'code_run/sales.csv', 'month,revenue\nJuly,4180\nAugust,3920\nSeptember,4380\n')
  await shell(
    session,
    `awk -F, 'NR > 1 { sum += $2; print "- " $1 ": " $2 } END { print "\\nSum: " sum }' sales.csv > figures.txt && cat figures.txt`,
  )
  await write(
    session,
    'code_run/report.md',
    '# Third quarter\n\nRevenue was 12480, in each month above 3900.\n\n- July: 4180\n- August: 3920\n- September: 4380\n',
  )
  await call(session, 'file_read', { file_path: 'forecast.csv' })
  const wrong = await shell(session, "sed -i 's/12480/1248/; /August/d' report.md && rm figures.txt && echo tidied up")
  await shell(session, 'wc -w report.md')
  await call(session, 'human_in_loop', { human_task: 'May I send report.md to the customer?', wait_seconds: 0 })
  const definition = (description) => ({
    name: 'Exchange rate',
    description,
    input_schema: { type: 'object', properties: { currency: { type: 'string', enum: ['EUR', 'CZK'] } } },
    executor: { kind: 'http', target: 'https://rates.example/now' },
  })
  await ask('PUT', '/v1/tools/registered/my.rate', definition('The rate of a currency.'))
  await ask('PUT', '/v1/secrets/RATES_KEY', { value: 'kept' })
  await ask('PUT', '/v1/limits', { rules: [{ scope: 'tenant', per_day: 1_000 }], prices: [] })
  const owner = { Authorization: `Bearer ${adminToken()}` }
  for (const [id, name] of [
    ['riverside', 'Riverside Labs'],
    ['meadow', 'Meadow Analytics'],
  ]) {
    await ask('POST', '/admin/tenants', { id, name }, owner)
  }
  const scopes = ['read', 'execute', 'admin']
  const { key } = await ask('POST', '/admin/tenants/riverside/keys', { name: 'first key', scopes }, owner)
  const admin = { Authorization: `Bearer ${key}` }
  await ask('POST', '/v1/keys', { name: 'nightly reports', scopes: ['read', 'execute'] }, admin)
  await ask('POST', '/v1/keys', { name: 'dashboard', scopes: ['read'] }, admin)
  const history = await ask('GET', `/v1/sessions/${session}/history?limit=100`)
  const commit = history.data.find(({ author }) => author === wrong).commit
  return { session, wrong, commit, key, now: Date.now() + AFTER_MS }
}

function openMenu(page) {
  return page.getByText('Menu', { exact: true }).click()
}

async function typeIntoShell(page) {
  await page.getByLabel('Line for the shell').fill('ls -1 code_run')
  await page.keyboard.press('Enter')
  await page.getByRole('log').filter({ hasText: 'report.md' }).waitFor()
}

async function signIn(page, key) {
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
}

async function signInAsOperator(page) {
  await signIn(page, adminToken())
  await page.getByRole('link', { name: /Riverside/ }).waitFor()
}

function adminToken() {
  return readFileSync(join(state, 'admin-token'), 'utf8').trim()
}

/** Pictures of the story. */
function picturesOf({ session, wrong, commit, key }) {
  const at = `sessions/${session}`
  const lookAtKeys = async (page) => {
    await signIn(page, key)
    await page.goto(`${url}/console/keys`)
    await page.getByRole('main').getByText('nightly reports').waitFor()
  }
  return [
    ['menu', 'sessions', 'Weather maps', BOTH, PHONE, openMenu],
    ['calls', `${at}/calls`, 'forecast.csv', BOTH, WIDE],
    ['calls', `${at}/calls`, 'forecast.csv', ['light'], PHONE],
    ['call', `${at}/calls/${wrong}`, 'Take it back', BOTH, WIDE],
    ['call', `${at}/calls/${wrong}`, 'Take it back', ['dark'], PHONE],
    ['history', `${at}/history?from=${commit - 1}&to=${commit}`, 'Revenue was 12480', BOTH, WIDE],
    ['files', `${at}/files/code_run/report.md`, 'Third quarter', ['light'], WIDE],
    ['terminal', `${at}/terminal`, 'The shell starts', ['dark'], WIDE, typeIntoShell],
    ['live', `${at}/live`, 'No change since you opened this page.', ['light'], WIDE],
    ['tool', `tools/execute_shell?from=${session}/${wrong}`, 'Copy as', BOTH, WIDE],
    ['chains', 'tools/chains/draw', 'Dry run', ['light'], WIDE],
    ['people', 'people', 'May I send', ['light'], WIDE],
    ['usage', 'usage', 'Left', BOTH, WIDE],
    ['keys', 'sign-in', 'A key of your tenant', ['light'], WIDE, lookAtKeys],
    ['audit', 'audit', 'tool.call', ['dark'], WIDE],
    // Late, since a list knows the states of sandboxes some seconds later.
    ['sessions', 'sessions', 'sandbox awake', BOTH, [...WIDE, ...PHONE]],
    ['tenants', 'sign-in', 'A key of your tenant', BOTH, WIDE, signInAsOperator],
  ]
}

function startBrowser() {
  return chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-proxy-server', '--force-color-profile=srgb'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** Sign-in of a browser without a key, for all pictures: a server takes 30 sign-ins a minute. */
async function signedInOnce(browser) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/console/sessions`)
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
  const signedIn = await context.storageState()
  await context.close()
  return signedIn
}

/** Takes pictures; a place where a key is asked for has a browser that is not signed in. @returns names and bytes */
async function draw(browser, pictures, { now, storageState }) {
  const taken = []
  for (const [name, place, words, themes, widths, prepare] of pictures) {
    for (const colorScheme of themes) {
      for (const width of widths) {
        const viewport = { width, height: width < 600 ? 760 : 800 }
        const context = await browser.newContext({
          ...{ colorScheme, viewport, locale: 'en-GB', timezoneId: 'UTC' },
          ...(place !== 'sign-in' && { storageState }),
        })
        context.setDefaultTimeout(PATIENCE_MS)
        const page = await context.newPage()
        await page.clock.setFixedTime(now)
        await page.goto(`${url}/console/${place}`)
        await page.getByRole('main').getByText(words).first().waitFor()
        if (name === 'usage') await page.locator('canvas').waitFor()
        await prepare?.(page)
        // Asked from outside: the page's content security policy lets nothing be evaluated in it over and over.
        const latest = performance.now() + PATIENCE_MS
        while (!(await page.evaluate(IS_WHOLE))) {
          if (performance.now() > latest) throw new Error(`${page.url()} does not come whole`)
          await page.waitForTimeout(50)
        }
        await page.evaluate(STEADY)
        const file = `${name}-${colorScheme}${width < 600 ? '-small' : ''}.png`
        taken.push([file, await page.screenshot({ animations: 'disabled', caret: 'hide' })])
        await context.close()
      }
    }
  }
  return taken
}

async function untilItRuns() {
  let output = ''
  await new Promise((runs, failed) => {
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ctrl-C stops it')) runs()
    })
    server.once('exit', () => failed(new Error(`the server did not start:\n${output}`)))
  })
}

async function freePort() {
  const probe = createServer()
  await new Promise((listens) => probe.listen(0, '127.0.0.1', listens))
  const { port: free } = probe.address()
  await new Promise((closed) => probe.close(closed))
  return free
}
