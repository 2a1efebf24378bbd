import { fail } from '../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../core/ids.ts'
import { MAX_MCP_TOOLKITS } from '../../../core/limits/connections.ts'
import { percentDecoded } from '../../../core/percent-decoded.ts'
import type { Endpoint, Toolset } from './context.ts'

/**
 * Endpoint of an address: `/mcp` or `/mcp/s/{session}`, with `?tools=` or without; null for any other path.
 * @throws FailureError `invalid_input` for a session or a choice of tools that cannot be one
 */
export function endpointOf({ pathname, searchParams }: URL): Endpoint | null {
  const path = /^\/mcp(?:\/s\/([^/]+))?\/?$/.exec(pathname)
  if (!path) return null
  const [, encoded] = path
  const session: SessionName | null = encoded === undefined ? null : sessionName(percentDecoded(encoded))
  return { session, tools: toolsetOf(searchParams.getAll('tools')) }
}

function toolsetOf(values: readonly string[]): Toolset {
  const words = [...new Set(values.flatMap((value) => value.split(',')).map((word) => word.trim()))].filter(Boolean)
  const [first = 'core'] = words
  if (words.length <= 1 && isChoice(first)) return { kind: first }
  const choice = words.find(isChoice)
  if (choice !== undefined) {
    fail('invalid_input', `tools=${choice} stands alone; give it, or names of toolkits separated by commas`)
  }
  const wrong = words.find((word) => !/^[\w-]{1,64}$/.test(word))
  if (wrong !== undefined) {
    fail('invalid_input', 'tools is "core", "all", "search" or names of toolkits separated by commas; leave it out')
  }
  if (words.length > MAX_MCP_TOOLKITS) {
    fail('invalid_input', `tools names ${words.length} toolkits; at most ${MAX_MCP_TOOLKITS} are allowed, or "all"`)
  }
  return { kind: 'toolkits', names: words }
}

const isChoice = (word: string): word is 'core' | 'all' | 'search' => /^(?:core|all|search)$/.test(word)
