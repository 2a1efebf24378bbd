import { get, type Listed } from '../../../api.ts'
import { isSchema } from '../../../forms/fields.ts'
import { CONSOLE, CUT, type ListedCall, pathOf } from '../types.ts'

/** Newest calls that are looked through. */
const LOOKED_AT = 100

/**
 * Lines that were typed into a shell, the first one first, of the session's calls: this page has forgotten them. Those with a masked secret
 * or cut are left out, since they are not what was typed.
 */
export async function typedBefore(session: string, shell: number): Promise<readonly string[]> {
  const query = { tool: 'shell_command', limit: LOOKED_AT }
  const { data } = await get<Listed<ListedCall>>(pathOf(session, 'calls'), query)
  return data.flatMap((call) => lineOf(call, shell)).reverse()
}

function lineOf({ agent, arguments: args }: ListedCall, shell: number): string[] {
  if (agent !== CONSOLE || args.includes('***') || CUT.test(args)) return []
  try {
    const given: unknown = JSON.parse(args)
    if (!isSchema(given) || given.shell_id !== shell) return []
    return typeof given.command === 'string' && given.command !== '' ? [given.command] : []
  } catch {
    return []
  }
}
