/**
 * Puts the tools of a file into a running server, by its `POST /v1/tools/import`, as one change:
 *
 *   npm run tools:import -- FILE [--url http://localhost:8001] [--key KEY] [--replace] [--source NAME] [--dry-run]
 *
 * FILE is Toolcore's config.yaml, or a list of definitions, YAML or JSON. `--replace` deletes what an earlier import brought
 * and this file does not; `--source` tells several files apart; `--dry-run` changes nothing and
 * says what would become of each. Without `--key`, TOOLYARD_API_KEY; none for a local server.
 * Without `--url`, TOOLYARD_BASE_URL, else the local server at PORT. Prints what became of each tool, or FILE:LINE:COLUMN: and what is wrong there; the exit code
 * is 1 when the file is not good, and 2 when it could not be sent.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { serverUrl } from './server-url.mjs'

const SEND_MS = 120_000
const USAGE = 'usage: npm run tools:import -- FILE [--url URL] [--key KEY] [--replace] [--source NAME] [--dry-run]'

const { file, url, key, query } = readArguments()
const answer = await send(readFile(file))
if (answer.ok) report(answer.body)
else complain(answer)

function readArguments() {
  const options = {
    url: { type: 'string', default: serverUrl() },
    key: { type: 'string', default: process.env.TOOLYARD_API_KEY || '' },
    replace: { type: 'boolean', default: false },
    source: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  }
  const { values, positionals } = parsed(options)
  if (positionals.length !== 1) stop(USAGE)
  const query = new URLSearchParams({
    replace: String(values.replace),
    dry_run: String(values['dry-run']),
    ...(values.source && { source: values.source }),
  })
  return { file: positionals[0], url: values.url.replace(/\/+$/, ''), key: values.key, query }
}

function parsed(options) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return stop(`${error.message}\n${USAGE}`)
  }
}

/** npm runs scripts in the package's directory; the name was given in the caller's. */
function readFile(name) {
  try {
    return readFileSync(resolve(process.env.INIT_CWD || '.', name))
  } catch (error) {
    return stop(`${name} cannot be read: ${error.code}`)
  }
}

async function send(body) {
  const headers = { 'Content-Type': 'application/yaml', ...(key && { Authorization: `Bearer ${key}` }) }
  const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(SEND_MS) }
  try {
    const response = await fetch(`${url}/v1/tools/import?${query}`, request)
    return { ok: response.ok, status: response.status, body: await response.json().catch(() => ({})) }
  } catch (error) {
    return stop(`${url} cannot be reached: ${error.cause?.code ?? error.message}; start it with "npm start"`)
  }
}

function report({ dry_run, created, updated, unchanged, deleted, tools }) {
  for (const { id, outcome, version, breaking, used_by, problem } of tools) {
    const which = version === null ? '' : ` version ${version}`
    const breaks = breaking ? ', breaks callers of the one before' : ''
    const chains = used_by ? `; look at what calls it: ${used_by.join(', ')}` : ''
    const cannot = problem ? `, but no call of it can work: ${problem}` : ''
    console.log(`${outcome.padEnd(9)} ${id}${which}${breaks}${cannot}${chains}`)
  }
  console.log(
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted${dry_run ? '; a dry run, nothing was changed' : ''}`,
  )
}

function complain({ status, body }) {
  if (!Array.isArray(body.errors)) stop(`${url} answered ${status}: ${body.detail ?? 'no reason'}`)
  for (const { line, column, path, detail } of body.errors) {
    const place = line === undefined ? file : `${file}:${line}:${column}`
    console.error(`${place}: ${path ? `${path}: ` : ''}${detail}`)
  }
  console.error('nothing was changed')
  process.exitCode = 1
}

function stop(message) {
  console.error(message)
  process.exit(2)
}
