import { MAX_MCP_NAME_CHARS } from '../../../../../core/limits/mcp.ts'
import { sha256 } from '../../../../../core/sha256.ts'

/** Names that every host takes as they are. */
const isTakenByAll = (name: string) => name.length <= MAX_MCP_NAME_CHARS && /^[a-z0-9_]+$/.test(name)
const HASH_DIGITS = 8

/**
 * Name of a tool in MCP: its own where every host takes it, else a readable part of it and eight hex digits of its hash. It depends
 * on the id alone.
 */
export const mcpName = (id: string): string =>
  isTakenByAll(id) ? id : `${stemOf(id)}_${sha256(id).slice(0, HASH_DIGITS)}`

/** Id that a name stands for among these; the name itself where it is none of theirs, or of more than one. */
export function idNamed(name: string, ids: readonly string[]): string {
  if (ids.includes(name)) return name
  const stem = name.slice(0, -HASH_DIGITS - 1)
  const [id, ...others] = ids.filter((one) => !isTakenByAll(one) && stemOf(one) === stem && mcpName(one) === name)
  return id === undefined || others.length > 0 ? name : id
}

const stemOf = (id: string) =>
  id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_MCP_NAME_CHARS - HASH_DIGITS - 1)

/** Name for people of a tool that has none: `file_read` → `File read`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
