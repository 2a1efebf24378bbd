/**
 * Makes the operations of an API tools of a running server, by its `POST /v1/apis`:
 *
 *   npm run apis:import -- FILE|URL --env NAME [--rapidapi] [--base-url URL] [--secret SCHEME=NAME …]
 *
 * FILE has an OpenAPI 3 document in JSON or YAML, or, with --rapidapi, tools as ToolBench or XAgent describe them. A
 * second import with the same name renews them. The last lines say what changed, and which secrets are still to be put.
 *
 * TOOLYARD_BASE_URL (the local server at PORT), TOOLYARD_API_KEY (a key with the scope admin; none for a local server).
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { serverUrl } from './server-url.mjs'

const url = serverUrl().replace(/\/+$/, '')
const key = process.env.TOOLYARD_API_KEY
const { where, env, kind, baseUrl, auth } = readArguments()

const response = await fetch(`${url}/v1/apis`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
  body: JSON.stringify({
    env,
    [kind]: /^https?:\/\//i.test(where) ? where : readFile(where),
    ...(baseUrl && { base_url: baseUrl }),
    ...(auth && { auth }),
  }),
}).catch((thrown) => stop(`${url} cannot be reached: ${thrown.cause?.code ?? thrown.message}; is the server running?`))
const answer = await response.json().catch(() => ({}))
if (!response.ok || !answer.created) stop(`${response.status}: ${answer.detail ?? `${url} gives no reason`}`)

const { tools, created, updated, deleted, unchanged, breaking, secrets, skipped, skipped_count } = answer
console.log(
  `${env}: ${tools} tools (${created.length} new, ${updated.length} changed, ${unchanged} as before), ${deleted.length} removed`,
)
for (const id of breaking) console.log(`  ${id} no longer takes or gives what it did`)
for (const { operation, reason } of skipped) console.log(`  left out: ${operation}: ${reason}`)
if (skipped_count > skipped.length) console.log(`  and ${skipped_count - skipped.length} more`)
for (const { name, of, kept } of secrets) if (!kept) console.log(`  to be put: PUT ${url}/v1/secrets/${name} (${of})`)

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        env: { type: 'string' },
        rapidapi: { type: 'boolean', default: false },
        'base-url': { type: 'string' },
        secret: { type: 'string', multiple: true },
      },
    })
    const [where, ...more] = positionals
    if (!where || !values.env || more.length > 0) throw new Error('a file or an address, and --env NAME, are needed')
    const auth = values.secret && Object.fromEntries(values.secret.map((pair) => pair.split('=', 2)))
    return { where, env: values.env, kind: values.rapidapi ? 'rapidapi' : 'openapi', baseUrl: values['base-url'], auth }
  } catch (thrown) {
    return stop(
      `${thrown.message}\nusage: npm run apis:import -- FILE|URL --env NAME [--rapidapi] [--base-url URL] [--secret SCHEME=NAME …]`,
    )
  }
}

/** npm runs scripts in the package's directory; the name was given in the caller's. */
function readFile(name) {
  try {
    return readFileSync(resolve(process.env.INIT_CWD || '.', name), 'utf8')
  } catch (error) {
    return stop(`${name} cannot be read: ${error.code}`)
  }
}

function stop(why) {
  console.error(why)
  process.exit(2)
}
