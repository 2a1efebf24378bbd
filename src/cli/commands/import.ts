import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Schemas } from '../../client/index.ts'
import { type CommandGroup, command } from '../command.ts'
import { credentialsOf } from '../credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'
import type { Output } from '../output/output.ts'
import { readInput } from '../read-input.ts'
import { given, pairsOf } from '../values.ts'

/** Most bytes of a file that is sent, as the server takes them. */
const MAX_FILE_BYTES = 28 * 2 ** 20
/** Lines that are shown of each kind of outcome. */
const MAX_SHOWN = 20

const openapi = command({
  summary: 'Make tools of an API: each operation of its OpenAPI description becomes one',
  details: `An address is fetched by the server, which reaches the public internet alone; a file, or - for standard input, is read here. Doing it
again renews the tools, all or nothing. Keys of the API are secrets of the tenant: --secret names the one for a scheme of the description,
--auth one for all operations.`,
  arguments: [{ name: 'FILE|URL', help: 'OpenAPI 3 in JSON or YAML; - for standard input', completes: 'files' }],
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      help: 'name of the set of tools, which begins their names: letters and digits (needed)',
    },
    'base-url': {
      type: 'string',
      value: 'URL',
      help: 'address of the API, in the place of the one in the description',
    },
    secret: {
      type: 'string',
      value: 'SCHEME=SECRET',
      multiple: true,
      help: 'the secret for a scheme of the description',
    },
    auth: {
      type: 'string',
      value: 'KIND:SECRET',
      multiple: true,
      help: 'a credential for all operations: bearer:S, basic:S, header:NAME:S',
    },
    'dry-run': { type: 'boolean', help: 'make nothing, and say what would be made' },
  },
  examples: [
    { args: 'import openapi zoo.yaml --name Zoo --dry-run', does: 'what would be made' },
    {
      args: 'import openapi https://zoo.example/openapi.json --name Zoo --secret bearerAuth=ZOO_KEY',
      does: 'with a key',
    },
  ],
  async run({ values, positionals: [source = ''], client, output, stdin, signal }) {
    const env = values.name
    if (env === undefined)
      throw usageError('import openapi needs --name', 'give the set of tools a name of letters and digits')
    if (values.secret.length > 0 && values.auth.length > 0)
      throw usageError('--secret and --auth cannot go together', 'give one of them')
    const auth =
      values.auth.length > 0
        ? credentialsOf(values.auth)
        : values.secret.length > 0
          ? pairsOf(values.secret, '--secret')
          : undefined
    const description = /^https?:\/\//i.test(source)
      ? source
      : (await fileOrInput(source, stdin, signal)).toString('utf8')
    if (description.trim() === '')
      throw new CliError(
        `${source === '-' ? 'standard input' : source} is empty`,
        'give an OpenAPI description in JSON or YAML',
      )
    const body = given({
      env,
      openapi: description,
      base_url: values['base-url'],
      auth,
      dry_run: values['dry-run'] || undefined,
    })
    const imported = await (await client()).request(
      'POST /v1/apis',
      { body },
      { signal, timeoutMs: 300_000, maxRetries: 0 },
    )
    await output.result(imported, importedText(imported))
    await noteMissingSecrets(output, imported)
    return EXIT.good
  },
})

const tools = command({
  summary: 'Register all tools of a file, as an export has them',
  arguments: [{ name: 'FILE', help: 'tools in JSON or YAML; - for standard input', completes: 'files' }],
  options: {
    source: { type: 'string', value: 'NAME', help: 'name of the file for its next import; its own name unless said' },
    replace: { type: 'boolean', help: 'delete tools of an earlier import of the same file that it lacks now' },
    'dry-run': { type: 'boolean', help: 'change nothing, and say what would change' },
  },
  examples: [{ args: 'import tools tools.yaml --replace --dry-run', does: 'what would change' }],
  async run({ values, positionals: [file = ''], client, output, stdin, signal }) {
    const source = values.source ?? (file === '-' ? undefined : basename(file))
    const query = given({ source, replace: values.replace || undefined, dry_run: values['dry-run'] || undefined })
    const body = await fileOrInput(file, stdin, signal)
    const imported = await (await client()).request(
      'POST /v1/tools/import',
      { query, body },
      { signal, timeoutMs: 300_000 },
    )
    const { created, updated, unchanged, deleted, dry_run } = imported
    const counts = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`
    await output.result(imported, `${dry_run ? 'would be: ' : ''}${counts}`)
    return EXIT.good
  },
})

export const importGroup: CommandGroup = {
  summary: 'Make tools of an API description, or of a file of tools',
  commands: { openapi, tools },
}

/** A file here, or standard input for `-`. @throws CliError for one that cannot be read, or is too large */
async function fileOrInput(path: string, stdin: Readable, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  if (path === '-') return readInput(stdin, MAX_FILE_BYTES, 'standard input', signal)
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} cannot be read (${error.code})`, 'check the path')
  })
  return readInput(file.createReadStream(), MAX_FILE_BYTES, path, signal)
}

function importedText(imported: Schemas['ImportedApi']): string {
  const {
    env,
    dry_run,
    tools: count,
    created,
    updated,
    deleted,
    unchanged,
    breaking,
    skipped,
    skipped_count,
  } = imported
  const head = `${env}: ${count} tools${dry_run ? ' (dry run: nothing is made)' : ''}`
  const named = (word: string, names: readonly string[]) => {
    if (names.length === 0) return []
    const more = names.length > MAX_SHOWN ? [`  … and ${names.length - MAX_SHOWN} more`] : []
    return [`${word} ${names.length}`, ...names.slice(0, MAX_SHOWN).map((name) => `  ${name}`), ...more]
  }
  const lines = [
    ...named('created', created),
    ...named('updated', updated),
    ...named('deleted', deleted),
    ...named('may break callers:', breaking),
    ...(unchanged > 0 ? [`unchanged ${unchanged}`] : []),
    ...(skipped_count > 0 ? [`left out ${skipped_count}`] : []),
    ...skipped.slice(0, MAX_SHOWN).map(({ operation, reason }) => `  ${operation}: ${reason}`),
  ]
  return [head, ...lines].join('\n')
}

async function noteMissingSecrets(output: Output, { secrets }: Schemas['ImportedApi']): Promise<void> {
  const missing = secrets.filter(({ kept }) => !kept).map(({ name }) => name)
  if (missing.length > 0)
    await output.note(`not stored yet: ${missing.join(', ')}; store them by PUT /v1/secrets/NAME or in the console`)
}
