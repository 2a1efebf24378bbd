import { type SessionName, sessionName } from '../../../core/ids.ts'
import { MAX_SESSION_NAME_BYTES } from '../../../core/limits/sessions.ts'

/** Prefix of the names of a microDAO's sessions, but for over-long names. */
export const microdaoSessions = (microdao: string) => `toolcore/${encodeURIComponent(microdao.toWellFormed())}/`

/** Session of an agent in a microDAO: different for each pair; named after both, where that can be a name. */
export async function agentSession(microdao: string, agent: string): Promise<SessionName> {
  const name = `${microdaoSessions(microdao)}${encodeURIComponent(agent.toWellFormed())}`
  if (name.length <= MAX_SESSION_NAME_BYTES) return sessionName(name)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name))
  return sessionName(`toolcore/${new Uint8Array(hash).toHex()}`)
}
