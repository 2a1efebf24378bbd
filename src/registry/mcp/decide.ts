import type { RemoteTool, SeenRemote } from './remote-tool.ts'

/** State of a server's tool: callable, changed and not accepted, or not taken for a reason. */
export type RemoteState = 'active' | 'quarantined' | 'refused'

/** A server's tool as it is kept. */
export interface KeptRemote {
  readonly state: RemoteState
  /** The tool as its server described it last. */
  readonly seen: SeenRemote
  /** The tool as it was accepted; null when it never was. */
  readonly accepted: { readonly tool: RemoteTool; readonly pin: string } | null
  /** Why it is refused; null otherwise. */
  readonly why: string | null
}

/** Tools that a server's owner takes: those of `allow`, all when that is null, but for those of `deny`. */
export interface RemoteLists {
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
}

/**
 * Decides about a tool of a server's list.
 * @param before what was kept of it; null for a tool that is new
 * @param taken why its id cannot be had; null when it can
 * @param isTrusting whether new tools are accepted as they are: at the server's registration, when its owner has just asked for them
 */
export function decideRemote(
  name: string,
  seen: SeenRemote,
  {
    before,
    lists,
    taken,
    isTrusting,
  }: {
    readonly before: KeptRemote | null
    readonly lists: RemoteLists
    readonly taken: string | null
    readonly isTrusting: boolean
  },
): KeptRemote {
  const why = listedOut(name, lists) ?? ('unreadable' in seen ? seen.unreadable : taken)
  if ('unreadable' in seen) return { state: 'refused', seen, accepted: before?.accepted ?? null, why }
  // A tool that is left out now may be let in later, and counts as accepted then if it is still the same.
  const accepted = isTrusting ? seen : (before?.accepted ?? null)
  if (why !== null) return { state: 'refused', seen, accepted, why }
  return { state: accepted?.pin === seen.pin ? 'active' : 'quarantined', seen, accepted, why: null }
}

function listedOut(name: string, { allow, deny }: RemoteLists): string | null {
  if (deny.includes(name)) return 'the list deny names it'
  return allow === null || allow.includes(name) ? null : 'the list allow does not name it'
}
