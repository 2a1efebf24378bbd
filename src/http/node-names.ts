import { type SessionName, sessionName, type TenantId } from '../core/ids.ts'
import { NODE_NAME_CACHE_ENTRIES } from '../core/limits/sessions.ts'
import type { SessionsApi } from '../tenant/api.ts'

/**
 * Session names by node id, as the tenant's object returned them. They are cached, since a node id belongs to one session for
 * good; the session itself reports when it is gone. Tenants share nothing: an entry is for one of them.
 */
export class NodeNames {
  readonly #names = new Map<string, SessionName>()

  async find(tenant: TenantId, nodeId: string, list: Pick<SessionsApi, 'find'>): Promise<SessionName | null> {
    const key = `${tenant}/${nodeId}`
    const known = this.#names.get(key)
    if (known) return known
    const found = await list.find(nodeId)
    if (found === null) return null
    const name = sessionName(found)
    if (this.#names.size >= NODE_NAME_CACHE_ENTRIES) this.#names.clear()
    this.#names.set(key, name)
    return name
  }
}
