import { exceededAt } from '../../core/json-bounds.ts'
import {
  MAX_REMOTE_DESCRIPTION_CHARS,
  MAX_REMOTE_NAME_CHARS,
  MAX_REMOTE_SCHEMA_CHARS,
  MAX_REMOTE_SCHEMA_DEPTH,
  MAX_REMOTE_TITLE_CHARS,
} from '../../core/limits/mcp-servers.ts'
import { mcpPin } from '../../core/mcp-pin.ts'
import { plainText, plainValue } from '../../core/plain-text.ts'
import { isSchemaObject, type SchemaObject } from '../schema-node.ts'

/** A tool of a remote MCP server as it is shown: cut to our bounds, and without characters that nobody sees. */
export interface RemoteTool {
  readonly title: string
  readonly description: string
  readonly inputSchema: SchemaObject
  /** Schema of its structured results; null when it promises none. */
  readonly outputSchema: SchemaObject | null
  /** Hints of the server about the tool's calls, which nothing proves. */
  readonly annotations: Readonly<Record<string, boolean>>
}

/** A tool of a server's list: its name there, and the tool with its pin, or why it is not taken. */
export interface ListedRemote {
  readonly name: string
  readonly seen: SeenRemote
}
/** A server's list of tools, as it is kept and shown: without the secrets that it got, which it may repeat. */
export interface RemoteListing {
  /** Revision of the protocol. */
  readonly revision: string
  readonly server: { readonly name: string; readonly version: string } | null
  readonly tools: readonly ListedRemote[]
}

export type SeenRemote = { readonly tool: RemoteTool; readonly pin: string } | { readonly unreadable: string }

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** Reads a server's list, in its order. Of tools with one name the first is read. @param listed foreign JSON of bounded depth */
export function readRemoteTools(listed: readonly unknown[]): ListedRemote[] {
  const names = new Set<string>()
  return listed.map((given, at) => {
    const fields = isSchemaObject(given) ? given : {}
    const { name } = fields
    if (typeof name !== 'string' || !NAME.test(name)) {
      return { name: `?${at + 1}`, seen: { unreadable: 'its name is not 1 to 128 of A-Z, a-z, 0-9, "_", "-" and "."' } }
    }
    if (names.has(name)) return { name: `?${at + 1}`, seen: { unreadable: `${name} is listed before already` } }
    names.add(name)
    return { name, seen: readTool(name, fields) }
  })
}

const NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_REMOTE_NAME_CHARS}}$`)

function readTool(name: string, fields: SchemaObject): SeenRemote {
  const { title, description, inputSchema, outputSchema, annotations } = fields
  const wrong = schemaTrouble('inputSchema', inputSchema) ?? schemaTrouble('outputSchema', outputSchema ?? {})
  if (wrong !== null) return { unreadable: wrong }
  if (!isSchemaObject(inputSchema) || inputSchema.type !== 'object') {
    return { unreadable: 'its inputSchema has not "type": "object": arguments have names' }
  }
  const hints = isSchemaObject(annotations) ? annotations : {}
  const named = [title, hints.title].find((text) => typeof text === 'string' && text.trim() !== '')
  const tool = {
    title: cut(typeof named === 'string' ? named.replace(/\s+/g, ' ') : name, MAX_REMOTE_TITLE_CHARS),
    description: cut(typeof description === 'string' ? description : '', MAX_REMOTE_DESCRIPTION_CHARS),
    inputSchema: shownSchema(inputSchema),
    outputSchema: isSchemaObject(outputSchema) ? shownSchema(outputSchema) : null,
    annotations: Object.fromEntries(
      HINTS.flatMap((hint) => (typeof hints[hint] === 'boolean' ? [[hint, hints[hint]]] : [])),
    ),
  }
  return { tool, pin: mcpPin(fields) }
}

/** Why a schema is not taken; null when it is. */
function schemaTrouble(field: string, schema: unknown): string | null {
  if (!isSchemaObject(schema)) return `its ${field} is no object`
  const text = JSON.stringify(schema)
  if (text.length > MAX_REMOTE_SCHEMA_CHARS) {
    return `its ${field} has ${text.length} characters; at most ${MAX_REMOTE_SCHEMA_CHARS} are taken (MAX_REMOTE_SCHEMA_CHARS)`
  }
  if (exceededAt(text, { depth: MAX_REMOTE_SCHEMA_DEPTH, values: MAX_REMOTE_SCHEMA_CHARS })) {
    return `its ${field} is deeper than ${MAX_REMOTE_SCHEMA_DEPTH} levels (MAX_REMOTE_SCHEMA_DEPTH)`
  }
  return hasHiddenNames(schema) ? `its ${field} has names with characters that nobody sees` : null
}

/** Whether a name of a field is another one without the characters that nobody sees: the server would not get it back. */
function hasHiddenNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasHiddenNames)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, item]) => plainText(name) !== name || hasHiddenNames(item))
}

/** The cast is sound: an object stays one. */
const shownSchema = ({ $schema: _, ...schema }: SchemaObject) => plainValue(schema) as SchemaObject

const cut = (text: string, chars: number) => plainText(text).trim().slice(0, chars).toWellFormed()
