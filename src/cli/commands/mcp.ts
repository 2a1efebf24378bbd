import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Schemas } from '../../client/index.ts'
import { type Argument, type CommandGroup, command } from '../command.ts'
import { credentialsOf } from '../credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'
import { LIMIT_OPTION, printList } from '../listing.ts'
import { clientConfig, MCP_CLIENTS, type McpClient, mergedConfig } from '../mcp/client-config.ts'
import { timeText } from '../output/numbers.ts'
import type { Output } from '../output/output.ts'
import { given, integerOf } from '../values.ts'

type Server = Schemas['McpServer']

/** The server asks another one: a second request under the same key would not be told what went wrong there. */
const ONCE = { maxRetries: 0 }

const SERVER: Argument = { name: 'NAME', help: 'name of the server' }

const add = command({
  summary: 'Add an MCP server elsewhere, whose tools agents can call from here',
  details: `Its tools are accepted as they are now; one that changes later waits until \`toolyard mcp accept\`. Credentials are names of
secrets of the tenant. Needs a key with the scope admin.`,
  arguments: [
    { name: 'NAME', help: 'a-z, 0-9 and _: begins the names of its tools' },
    { name: 'URL', help: 'its address on the public internet, for streamable HTTP' },
  ],
  options: {
    auth: {
      type: 'string',
      value: 'KIND:SECRET',
      multiple: true,
      help: 'a credential: bearer:SECRET, basic:SECRET, header:NAME:SECRET',
    },
    allow: { type: 'string', value: 'TOOL', multiple: true, help: 'a tool that is taken; all unless said' },
    deny: { type: 'string', value: 'TOOL', multiple: true, help: 'a tool that is not taken' },
    timeout: { type: 'string', value: 'SECONDS', help: 'most seconds of one call, 30 unless said' },
    'no-connect': { type: 'boolean', help: 'do not ask it for its tools now; `mcp refresh` does' },
  },
  examples: [
    {
      args: 'mcp add weather https://mcp.example/mcp --auth bearer:WEATHER_KEY --deny erase',
      does: 'all but one of its tools',
    },
  ],
  async run({ values, positionals: [name = '', url = ''], client, output, signal }) {
    const body = given({
      name,
      url,
      auth: values.auth.length > 0 ? credentialsOf(values.auth) : undefined,
      allow: values.allow.length > 0 ? [...values.allow] : undefined,
      deny: values.deny.length > 0 ? [...values.deny] : undefined,
      timeout: integerOf(values.timeout, '--timeout', { usual: undefined, min: 1 }),
      connect: values['no-connect'] ? false : undefined,
    })
    await printServer(output, await (await client()).request('POST /v1/mcp-servers', { body }, { ...ONCE, signal }))
    return EXIT.good
  },
})

const list = command({
  summary: 'List the MCP servers that were added',
  arguments: [],
  options: LIMIT_OPTION,
  examples: [{ args: 'mcp list', does: 'how many of their tools can be called' }],
  async run({ values: { limit }, client, output, signal }) {
    const pages = (await client()).pages('GET /v1/mcp-servers', {}, { signal })
    await printList(output, pages, {
      limit,
      none: 'no MCP servers',
      columns: [
        { head: 'NAME', cell: ({ name }) => name, isWhole: true },
        { head: 'URL', cell: ({ url }) => url },
        { head: 'ACTIVE', cell: ({ active }) => active, isNumber: true },
        { head: 'WAITING', cell: ({ quarantined }) => quarantined, isNumber: true },
        { head: 'REFUSED', cell: ({ refused }) => refused, isNumber: true },
        { head: 'ASKED', cell: ({ refreshed_at }) => timeText(refreshed_at), isWhole: true },
      ],
    })
    return EXIT.good
  },
})

const show = command({
  summary: 'Show an MCP server with its tools',
  arguments: [SERVER],
  options: {},
  examples: [{ args: 'mcp show weather', does: 'its tools, and which of them wait' }],
  async run({ positionals: [server = ''], client, output, signal }) {
    await printServer(
      output,
      await (await client()).request('GET /v1/mcp-servers/{server}', { path: { server } }, { signal }),
    )
    return EXIT.good
  },
})

const refresh = command({
  summary: 'Ask an MCP server for its tools again',
  arguments: [SERVER],
  options: {},
  examples: [{ args: 'mcp refresh weather', does: 'new tools wait to be accepted' }],
  async run({ positionals: [server = ''], client, output, signal }) {
    await printServer(
      output,
      await (await client()).request(
        'POST /v1/mcp-servers/{server}/refresh',
        { path: { server } },
        { ...ONCE, signal },
      ),
    )
    return EXIT.good
  },
})

const accept = command({
  summary: 'Accept a tool as its server describes it now',
  arguments: [SERVER, { name: 'TOOL', help: 'its name at the server' }],
  options: {
    pin: {
      type: 'string',
      value: 'PIN',
      help: 'only if it is still the one that was looked at, as `mcp show --json` has it',
    },
  },
  examples: [{ args: 'mcp accept weather forecast', does: 'the tool can be called again' }],
  async run({ values, positionals: [server = '', tool = ''], client, output, signal }) {
    const parts = { path: { server, tool }, body: given({ pin: values.pin }) }
    await printServer(
      output,
      await (await client()).request('POST /v1/mcp-servers/{server}/tools/{tool}/accept', parts, { signal }),
    )
    return EXIT.good
  },
})

const remove = command({
  summary: 'Remove an MCP server with its tools',
  arguments: [SERVER],
  options: {},
  examples: [{ args: 'mcp remove weather', does: 'its tools are gone' }],
  async run({ positionals: [server = ''], client, output, signal }) {
    await (await client()).request('DELETE /v1/mcp-servers/{server}', { path: { server } }, { signal })
    await output.result({ removed: server }, '')
    if (!output.isJson) await output.note(`removed ${server}`)
    return EXIT.good
  },
})

const config = command({
  summary: 'Print the configuration by which a client of MCP uses this server, or put it into its file',
  details: `The key does not stand in it: Claude Code and Cursor read TOOLYARD_API_KEY from their environment, VS Code asks for it once. With --write it
is put into the file of the project, here or in --directory; other servers in it stay. A file with comments is not changed.`,
  arguments: [{ name: 'CLIENT', help: 'the client', choices: MCP_CLIENTS }],
  options: {
    session: { type: 'string', value: 'NAME', help: 'work in this session; one for each conversation unless said' },
    name: { type: 'string', value: 'NAME', help: 'name of the server in the client, toolyard unless said' },
    write: { type: 'boolean', short: 'w', help: 'put it into the file, in the place of printing it' },
    directory: { type: 'string', value: 'DIR', help: 'directory of the project; this one unless said' },
  },
  examples: [
    { args: 'mcp config claude --write', does: 'Claude Code, in this project' },
    { args: 'mcp config cursor --session lakes', does: 'Cursor, in one session' },
    { args: 'mcp config vscode', does: 'for .vscode/mcp.json' },
  ],
  async run({ values, positionals: [which = ''], server, output, cwd }) {
    const { url, key } = await server()
    const path = values.session === undefined ? '/mcp' : `/mcp/s/${encodeURIComponent(values.session)}`
    const made = clientConfig(which as McpClient, values.name ?? 'toolyard', url + path, key !== undefined)
    if (!values.write) {
      await output.result(made.content, JSON.stringify(made.content, null, 2))
      if (!output.isJson) await output.note(`for ${made.file} of a project; --write puts it there`)
      return EXIT.good
    }
    const file = resolve(cwd, values.directory ?? '.', made.file)
    const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw new CliError(`${file} cannot be read (${error.code})`, 'check the path')
    })
    const merged = mergedConfig(before, made)
    if (!merged)
      throw new CliError(
        `${file} is no plain JSON of such a client`,
        'put in by hand what the command prints without --write',
      )
    await mkdir(dirname(file), { recursive: true })
    const mode = await stat(file).then(
      (found) => found.mode & 0o777,
      () => 0o644,
    )
    const draft = `${file}.${randomUUID().slice(0, 8)}`
    await writeFile(draft, `${JSON.stringify(merged, null, 2)}\n`, { flag: 'wx', mode })
    await rename(draft, file)
    await output.result({ file, config: merged }, `wrote ${file}`)
    if (key !== undefined && which !== 'vscode') await output.note('set TOOLYARD_API_KEY where the client is started')
    return EXIT.good
  },
})

export const mcp: CommandGroup = {
  summary: 'Configure clients of MCP for this server; add MCP servers elsewhere',
  commands: { config, add, list, show, refresh, accept, remove },
}

async function printServer(output: Output, server: Server): Promise<void> {
  if (output.isJson) return output.result(server, '')
  const { name, url, active, quarantined, refused, refreshed_at, tools } = server
  await output.fields(server, [
    ['name', name],
    ['url', url],
    ['tools', `${active} active, ${quarantined} waiting, ${refused} refused`],
    ['asked', timeText(refreshed_at)],
  ])
  if (tools.length === 0) return
  await output.result(null, '')
  await output.table(tools, [
    { head: 'TOOL', cell: (tool) => tool.name, isWhole: true },
    { head: 'ID', cell: ({ id }) => id, isWhole: true },
    { head: 'STATE', cell: ({ state }) => state, isWhole: true },
    { head: 'DESCRIPTION', cell: ({ why, description }) => why ?? description },
  ])
}
