/**
 * Fills the state of a running server with something of each kind that is kept, and writes down what its clients see then:
 * `node test/e2e/earlier-state/fill.ts http://localhost:8001 SITE admin-token > seen.json`, where SITE answers with JSON. README.md
 * says how the fixture is made.
 */
import { asker } from './asking.ts'
import { whatIsSeen } from './seen.ts'

const [url = '', site = '', adminToken = ''] = process.argv.slice(2)
const { ask, call } = asker(url)
const refused = (thrown: Error) => void process.stderr.write(`${thrown.message}\n`)

await ask('POST', '/api/task/create?task_id=kept&task_name=Kept')
for (const content of ['first', 'second', 'third']) await call('file_write', { file_path: 'notes/a.txt', content })
await call('file_write', { file_path: 'large.txt', content: 'content in the file store '.repeat(4_000) })
await call('file_write', { file_path: 'gone.txt', content: 'gone' })
await call('file_move', { src_path: 'gone.txt', dest_path: 'notes/moved.txt' })
await call('file_delete', { file_path: 'notes/moved.txt' })
await call('dir_create', { dir_path: 'empty' })
await call('file_lock', { file_path: 'notes/a.txt', locker_name: 'editor', lock_level: 2 }).catch(refused)
await call('human_in_loop', { instruction: 'choose a colour', hil_id: 'colour', timeout: 1 }).catch(refused)

await ask('PUT', '/v1/secrets/WEATHER_KEY', { value: 'a secret that is kept' })
const weather = {
  name: 'Weather',
  description: 'Says what the weather is.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  executor: {
    kind: 'http',
    target: site,
    request: { auth: [{ type: 'header', name: 'X-Key', secret: 'WEATHER_KEY' }] },
  },
}
await ask('PUT', '/v1/tools/registered/weather.now', weather)
const properties = { city: { type: 'string' }, day: { type: 'string' } }
const stricter = { ...weather.input_schema, properties, required: ['city', 'day'] }
await ask('PUT', '/v1/tools/registered/weather.now', { ...weather, input_schema: stricter }).catch(refused)
await ask('PUT', '/v1/tools/registered/gone', weather).catch(refused)
await ask('DELETE', '/v1/tools/registered/gone').catch(refused)
const echo = 'def echo(text):\n    return {"text": text}\n'
const python = {
  name: 'Echo',
  description: 'Says it again.',
  input_schema: {},
  executor: { kind: 'python', target: 'tool:echo', source: echo },
}
await ask('PUT', '/v1/tools/registered/echo', python)
await ask('POST', '/v1/marketplace/tools', { id: 'echo', publisher: 'riverside', readme: '# Echo' }).catch(refused)
const limits = { rules: [{ scope: 'tenant', per_minute: 6000, concurrency: 200 }] }
await ask('PUT', '/v1/limits', limits)
for (const city of ['Bonn', 'Turku'])
  await ask('POST', '/v1/sessions/kept/calls', { tool: 'weather.now', args: { city, day: 'today' } }).catch(refused)
await ask('POST', '/v1/sessions/kept/calls', { tool: 'weather.now', args: {} }).catch(refused)
await ask('POST', '/v1/sessions/kept/calls', { tool: 'nowhere', args: {} }).catch(refused)
const { id: tenant } = (await ask('POST', '/admin/tenants', { name: 'Acme' }, adminToken)) as { readonly id: string }
const { key } = (await ask(
  'POST',
  `/admin/tenants/${tenant}/keys`,
  { name: 'ci', scopes: ['read', 'execute', 'admin'] },
  adminToken,
)) as {
  readonly key: string
}

// Contents go to the file store, and ends of calls to the tenant, within these.
await new Promise((resolve) => setTimeout(resolve, 30_000))
process.stdout.write(`${JSON.stringify({ key, ...(await whatIsSeen(url, key)) }, null, 2)}\n`)
