import { NotFoundError, type Schemas } from '../../client/index.ts'
import { type CommandGroup, command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'
import { LIMIT_OPTION, printList } from '../listing.ts'
import { timeText } from '../output/numbers.ts'
import type { Column } from '../output/table.ts'
import { given, integerOf, secondsOf } from '../values.ts'

type Scope = Schemas['CurrentKey']['scopes'][number]
type ChildKey = Schemas['ChildKey']
type Key = Schemas['Key']

const CHILD_COLUMNS: readonly Column<ChildKey>[] = [
  { head: 'ID', cell: ({ id }) => id, isWhole: true },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'MAY', cell: ({ scopes }) => scopes?.join(',') ?? 'all' },
  { head: 'SESSIONS', cell: ({ sessions }) => sessionsText(sessions) },
  { head: 'CALLS', cell: ({ used }) => used.calls, isNumber: true },
  { head: 'EXPIRES', cell: ({ expires_at }) => timeText(expires_at), isWhole: true },
  { head: 'STATE', cell: ({ revoked_at }) => (revoked_at ? 'revoked' : 'good'), isWhole: true },
]

const KEY_COLUMNS: readonly Column<Key>[] = [
  { head: 'ID', cell: ({ id }) => id, isWhole: true },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'MAY', cell: ({ scopes }) => scopes.join(',') },
  { head: 'LAST USED', cell: ({ last_used_at }) => timeText(last_used_at), isWhole: true },
  { head: 'EXPIRES', cell: ({ expires_at }) => timeText(expires_at), isWhole: true },
  { head: 'STATE', cell: ({ revoked_at }) => (revoked_at ? 'revoked' : 'good'), isWhole: true },
]

const list = command({
  summary: 'List the child keys below the key in use, or the keys of the tenant',
  arguments: [],
  options: {
    tenant: { type: 'boolean', help: 'the keys of the tenant; needs a key with the scope admin' },
    ...LIMIT_OPTION,
  },
  examples: [
    { args: 'keys', does: 'child keys, with what they used' },
    { args: 'keys list --tenant', does: 'keys of the tenant' },
  ],
  async run({ values: { tenant, limit }, client, output, signal }) {
    const toolyard = await client()
    if (tenant) {
      const pages = toolyard.pages('GET /v1/keys', {}, { signal })
      await printList(output, pages, { limit, columns: KEY_COLUMNS, none: 'no keys' })
    } else {
      const pages = toolyard.pages('GET /v1/keys/current/children', {}, { signal })
      await printList(output, pages, { limit, columns: CHILD_COLUMNS, none: 'no child keys' })
    }
    return EXIT.good
  },
})

const show = command({
  summary: 'Show the key in use: whose it is, and what it may',
  arguments: [],
  options: {},
  examples: [{ args: 'keys show', does: 'who you are to the server' }],
  async run({ client, server, output, signal }) {
    const current = await (await client()).request('GET /v1/keys/current', {}, { signal })
    const { url } = await server()
    await output.fields(current, [
      ['server', url],
      ['tenant', current.tenant],
      ['key', current.name ?? current.id ?? 'none: the server needs no key'],
      ['id', current.id],
      ['may', current.scopes.join(', ')],
      ['child of', current.parents.join(' > ')],
      ['expires', timeText(current.expires_at)],
    ])
    return EXIT.good
  },
})

const create = command({
  summary: 'Create a child key that may less than the key in use, and print it, this once',
  details: `The key alone goes to stdout, what is to be known about it to stderr. A child key ends with its parent, and after a day unless
--expires-in says otherwise, 30 days at most. With --tenant it is a key of the tenant, which has no parent; that needs the scope admin.`,
  arguments: [{ name: 'NAME', help: 'a name for people', isOptional: true }],
  options: {
    scope: {
      type: 'string',
      value: 'SCOPE',
      multiple: true,
      choices: ['read', 'execute', 'admin'],
      help: 'what it may; all that its parent may unless said',
    },
    session: { type: 'string', value: 'NAME', multiple: true, help: 'a session that it may use; all unless said' },
    'session-prefix': { type: 'string', value: 'TEXT', multiple: true, help: 'sessions whose names begin so' },
    tool: { type: 'string', value: 'NAME', multiple: true, help: 'a tool that it may call; all unless said' },
    'calls-per-minute': { type: 'string', value: 'COUNT', help: 'most calls a minute' },
    calls: { type: 'string', value: 'COUNT', help: 'most calls in all' },
    'expires-in': { type: 'string', value: 'DURATION', help: 'how long it is good, as 90m, 12h or 7d' },
    tenant: { type: 'boolean', help: 'a key of the tenant' },
  },
  examples: [
    {
      args: 'keys create helper --session lakes --tool file_read --expires-in 2h',
      does: 'for one session and one tool',
    },
    { args: 'keys create ci --tenant --scope execute --expires-in 90d', does: 'a key of the tenant, for a quarter' },
  ],
  async run({ values, positionals: [name], client, output, signal }) {
    const toolyard = await client()
    const seconds = secondsOf(values['expires-in'], '--expires-in')
    const scopes = values.scope.length > 0 ? ([...values.scope] as Scope[]) : undefined
    if (values.tenant) {
      const childOnly = ['session', 'session-prefix', 'tool', 'calls-per-minute', 'calls'] as const
      const surplus = childOnly.find((option) => values[option] !== undefined && values[option]?.length !== 0)
      if (surplus) throw usageError(`a key of the tenant has no --${surplus}`, 'leave out --tenant: a child key has it')
      if (name === undefined) throw usageError('a key of the tenant needs NAME', 'say what it is for')
      const expires_at = seconds === undefined ? undefined : new Date(Date.now() + seconds * 1_000).toISOString()
      const body = given({ name, scopes, expires_at })
      const created = await toolyard.request('POST /v1/keys', { body }, { signal }).catch((error: unknown) => {
        // Requests without a key may be those of a tenant that is no row of the server's.
        if (error instanceof NotFoundError)
          throw new CliError(
            'the tenant of the key in use has no keys',
            'make a child key, without --tenant',
            EXIT.notFound,
          )
        throw error
      })
      await printKey(created)
      return EXIT.good
    }
    const some = (texts: readonly string[]) => (texts.length > 0 ? [...texts] : undefined)
    const sessions = given({ names: some(values.session), prefixes: some(values['session-prefix']) })
    const count = (option: 'calls' | 'calls-per-minute') =>
      integerOf(values[option], `--${option}`, { usual: undefined, min: 1 })
    const calls = count('calls')
    const body = given({
      name,
      scopes,
      sessions: Object.keys(sessions).length > 0 ? sessions : undefined,
      tools: some(values.tool),
      calls_per_minute: count('calls-per-minute'),
      budget: calls === undefined ? undefined : { calls },
      expires_in_seconds: seconds,
    })
    await printKey(await toolyard.request('POST /v1/keys/current/children', { body }, { signal }))
    return EXIT.good

    async function printKey(created: Schemas['CreatedKey'] | Schemas['MintedKey']): Promise<void> {
      const { id, expires_at, key } = created
      await output.result(created, key)
      const until = expires_at === null ? 'without end' : `until ${timeText(expires_at)} UTC`
      if (!output.isJson) await output.note(`shown this once; good ${until}; \`toolyard keys revoke ${id}\` ends it`)
    }
  },
})

const revoke = command({
  summary: 'Revoke keys, and with each all keys below it',
  arguments: [{ name: 'ID', help: 'id of a key, as `keys list` has it', isMany: true }],
  options: {},
  examples: [{ args: 'keys revoke local.k7f3', does: 'a child key' }],
  async run({ positionals, client, output, signal }) {
    for (const key of positionals) {
      await (await client()).request('DELETE /v1/keys/{key}', { path: { key } }, { signal })
      if (!output.isJson) await output.note(`revoked ${key}`)
    }
    if (output.isJson) await output.result({ revoked: positionals }, '')
    return EXIT.good
  },
})

export const keys: CommandGroup = {
  summary: 'List, make and revoke keys',
  commands: { list, show, create, revoke },
  usual: 'list',
}

function sessionsText(sessions: ChildKey['sessions']): string {
  if (sessions === null) return 'all'
  return [...sessions.names, ...sessions.prefixes.map((prefix) => `${prefix}*`)].join(',')
}
