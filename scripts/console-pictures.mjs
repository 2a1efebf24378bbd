/**
 * Makes the pictures of the console in docs/console: `npm run console:pictures`. A server of its own is filled with a story, an agent that
 * spoils a report, and real Chromium (`node scripts/setup.mjs --tests` installs it) looks at it. The browser's clock stands five minutes
 * after the story, so that pictures hardly change between runs. Ends with 1 when a picture is larger than it may be.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** Bytes of one picture, and of all. */
const PICTURE_BYTES_MAX = 150 * 1024
const ALL_BYTES_MAX = 2 * 1024 * 1024
const AFTER_MS = 5 * 60_000
const TARGET = join(import.meta.dirname, '../docs/console')

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
  const story = await tell()
  const sizes = await draw(story)
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

async function ask(method, path, body) {
  const headers = { 'Content-Type': 'application/json' }
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
  const history = await ask('GET', `/v1/sessions/${session}/history?limit=100`)
  const commit = history.data.find(({ author }) => author === wrong).commit
  return { session, wrong, commit, now: Date.now() + AFTER_MS }
}

/** Takes the pictures. @returns names and bytes */
async function draw({ session, wrong, commit, now }) {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-proxy-server', '--force-color-profile=srgb'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
  const at = `sessions/${session}`
  /** Name, place, words that are there when all is, themes, widths. */
  const pictures = [
    ['sessions', 'sessions', 'Weather maps', ['light', 'dark'], [1280, 375]],
    ['calls', `${at}/calls`, 'forecast.csv', ['light', 'dark'], [1280]],
    ['call', `${at}/calls/${wrong}`, 'Take it back', ['light', 'dark'], [1280, 375]],
    ['history', `${at}/history?from=${commit - 1}&to=${commit}`, '-Revenue was 12480', ['light', 'dark'], [1280]],
    ['files', `${at}/files/code_run/report.md`, 'Third quarter', ['light'], [1280]],
    ['tool', `tools/execute_shell?from=${session}/${wrong}`, 'Copy as', ['light', 'dark'], [1280]],
    ['chains', 'tools/chains/draw', 'Dry run', ['light'], [1280]],
    ['people', 'people', 'May I send', ['light'], [1280]],
    ['usage', 'usage', 'Left', ['light', 'dark'], [1280]],
    ['audit', 'audit', 'tool.call', ['dark'], [1280]],
  ]
  const taken = new Map()
  for (const [name, place, words, themes, widths] of pictures) {
    for (const colorScheme of themes) {
      for (const width of widths) {
        const viewport = { width, height: width < 600 ? 760 : 800 }
        const context = await browser.newContext({ colorScheme, viewport, locale: 'en-GB', timezoneId: 'UTC' })
        const page = await context.newPage()
        await page.clock.setFixedTime(now)
        await page.goto(`${url}/console/${place}`)
        await page.getByRole('main').getByText(words).first().waitFor()
        if (name === 'usage') await page.locator('canvas').waitFor()
        await page.evaluate(STEADY)
        const file = `${name}-${colorScheme}${width < 600 ? '-small' : ''}.png`
        const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' })
        taken.set(file, bytes)
        await context.close()
      }
    }
  }
  await browser.close()
  // Only now: a run that fails leaves the earlier ones.
  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  for (const [file, bytes] of taken) writeFileSync(join(TARGET, file), bytes)
  return [...taken].map(([file, { length }]) => [file, length])
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
