import { MAX_REMOTE_ID_CHARS } from '../../core/limits/mcp-servers.ts'
import { sha256 } from '../../core/sha256.ts'

/** Digits of the hash in the id of a tool whose name is too long. */
const HASH_DIGITS = 8

/**
 * Id of a server's tool among the registered ones: the server's name and the tool's, of `[a-z0-9_]`. It depends on these two alone, so
 * that no other server's coming or going renames it.
 */
export function remoteId(server: string, tool: string): string {
  const words = tool.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  const id = `${server}_${words.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`
  if (id.length <= MAX_REMOTE_ID_CHARS) return id
  return `${id.slice(0, MAX_REMOTE_ID_CHARS - HASH_DIGITS - 1)}_${sha256(tool).slice(0, HASH_DIGITS)}`
}
