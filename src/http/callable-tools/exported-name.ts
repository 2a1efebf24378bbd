import { MAX_EXPORTED_NAME_CHARS } from '../../core/limits/tool-search.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Services } from '../dialect.ts'
import { isOpenTo } from './tool-entries.ts'

/** Names that OpenAI, Anthropic, Gemini and MCP all take. */
const TAKEN_BY_ALL = new RegExp(`^[A-Za-z_][A-Za-z0-9_-]{0,${MAX_EXPORTED_NAME_CHARS - 1}}$`)
/** Digits of the hash in a changed name. */
const HASH_DIGITS = 8
const CHANGED = new RegExp(`_[0-9a-f]{${HASH_DIGITS}}$`)

/**
 * Name of a tool for providers of models: its own where all of them take it, else a readable part of it with eight hex digits of its
 * hash. It depends on the id alone, so that no other tool's coming or going renames it.
 */
export const exportedName = (id: string): string => (TAKEN_BY_ALL.test(id) ? id : `${stemOf(id)}_${digitsOf(id)}`)

const digitsOf = (id: string) => sha256(id).slice(0, HASH_DIGITS)

function stemOf(id: string): string {
  const readable = id.replace(/[^A-Za-z0-9_-]+/g, '_')
  const named = /^[A-Za-z_]/.test(readable) ? readable : `_${readable}`
  return named.slice(0, MAX_EXPORTED_NAME_CHARS - HASH_DIGITS - 1)
}

/** Whether a name may be the changed one of a tool. */
export const isChangedName = (name: string): boolean => CHANGED.test(name) && TAKEN_BY_ALL.test(name)

/** Ids that were exported under a changed name. More than one has a hash in common with another by chance. */
export const idsExportedAs = (name: string, ids: readonly string[]): string[] => {
  const stem = name.slice(0, -HASH_DIGITS - 1)
  return ids.filter((id) => !TAKEN_BY_ALL.test(id) && stemOf(id) === stem && exportedName(id) === name)
}

/**
 * Id of the registered tool that a caller names by its exported name; the name itself when there is none, or a tool is called so.
 * Asks for the tenant's tools only for a name with the form of an export's.
 * @param agent name of the calling agent
 */
export async function ownName(services: Services, name: string, agent: string | null): Promise<string> {
  if (!isChangedName(name)) return name
  const { tools } = await services.registeredTools()
  if (tools.some(({ id }) => id === name)) return name
  const open = tools.filter((tool) => isOpenTo(tool, agent)).map(({ id }) => id)
  const [id, ...others] = idsExportedAs(name, open)
  return id === undefined || others.length > 0 ? name : id
}
