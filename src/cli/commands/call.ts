import { type CallAnswer, CallFailedError, type Schemas } from '../../client/index.ts'
import { command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { readInput } from '../read-input.ts'

/** Most bytes of arguments, as the server takes them. */
const MAX_ARGUMENTS_BYTES = 28 * 2 ** 20

export const call = command({
  summary: 'Call a tool in a session',
  details: `Arguments are given as --arg NAME=VALUE, or all together as JSON: by --json-args, or by standard input with --json-args -.
A value of --arg becomes what the tool's schema says: a number, true or false, a list or an object as JSON; else it is a text.
The text of the answer goes to stdout; with --json all of the answer does. A tool that failed is an error, and exit code 1.`,
  arguments: [
    { name: 'SESSION', help: 'name of the session', completes: 'sessions' },
    { name: 'TOOL', help: 'name of the tool, or id of a registered one', completes: 'tools' },
  ],
  options: {
    arg: { type: 'string', short: 'a', value: 'NAME=VALUE', multiple: true, help: 'an argument of the tool' },
    'json-args': {
      type: 'string',
      value: 'JSON',
      help: 'arguments as a JSON object; - reads them from standard input',
    },
    agent: { type: 'string', value: 'NAME', help: 'name of the agent that calls' },
  },
  examples: [
    { args: 'call lakes file_read --arg file_path=notes.md', does: 'a tool with an argument' },
    { args: `call lakes execute_shell --json-args '{"command": "ls"}' --json`, does: 'arguments and answer as JSON' },
    { args: 'call lakes file_write --json-args - < arguments.json', does: 'arguments of a file' },
  ],
  async run({ values, positionals: [name = '', tool = ''], client, output, stdin, signal }) {
    const toolyard = await client()
    const whole =
      values['json-args'] === '-'
        ? (await readInput(stdin, MAX_ARGUMENTS_BYTES, 'JSON', signal)).toString()
        : values['json-args']
    const args: Record<string, unknown> = whole === undefined ? {} : objectIn(whole)
    if (values.arg.length > 0) {
      const { input_schema } = await toolyard.request('GET /v1/tools/{tool}', { path: { tool } }, { signal })
      for (const text of values.arg) {
        const at = text.indexOf('=')
        if (at < 1) throw usageError(`--arg cannot be "${text}"`, 'write it as --arg NAME=VALUE')
        args[text.slice(0, at)] = argumentOf(text.slice(0, at), text.slice(at + 1), input_schema)
      }
    }
    const answer = await toolyard.sessions.open(name).calls.make(tool, args, { signal, agent: values.agent })
    const isGood = !answer.error && (answer.state === 'done' || answer.state === 'pending')
    if (output.isJson) await output.result(answer, '')
    else if (isGood) await output.result(null, answerText(answer))
    if (isGood) return EXIT.good
    if (!output.isJson) throw new CallFailedError(answer)
    return EXIT.failed
  },
})

function objectIn(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>
  } catch {
    // Worded below, as anything else that is no object.
  }
  throw usageError('the arguments are no JSON object', `write them as '{"name": "value"}'`)
}

/** Value of an argument as the schema of the tool wants it. */
function argumentOf(name: string, text: string, schema: Schemas['ToolDescription']['input_schema']): unknown {
  const properties = (schema.properties ?? {}) as Readonly<
    Record<string, { readonly type?: unknown; readonly anyOf?: unknown }>
  >
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  const types = typesOf(property ?? {})
  if (types.length === 0 || types.includes('string')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`--arg ${name} cannot be "${text}"`, `the tool wants ${types.join(' or ')}, written as JSON`)
  }
}

const typesOf = ({ type, anyOf }: { readonly type?: unknown; readonly anyOf?: unknown }): readonly string[] => {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type as string[]
  return Array.isArray(anyOf) ? anyOf.flatMap((one) => typesOf(one as object)) : []
}

/** Text of an answer for people, with lines for its pictures and for work that goes on. */
function answerText({ text = '', data, content = [], state, next, call_id }: CallAnswer): string {
  const pictures = content.map(
    ({ mimeType, data: base64 }) => `[${mimeType}, ${Math.floor((base64.length * 3) / 4)} bytes: --json has it]`,
  )
  const pending =
    state === 'pending'
      ? [`[goes on as ${call_id}${next ? `; ask on with ${next.tool} ${JSON.stringify(next.args)}` : ''}]`]
      : []
  return [text || (data ? JSON.stringify(data, null, 2) : ''), ...pictures, ...pending].filter(Boolean).join('\n')
}
