import { MAX_COMPARED_TASKS } from '../core/limits/sessions.ts'
import type { TenantApi } from '../tenant/api.ts'
import { isMistyped } from './alike-names.ts'

/**
 * Name of the tenant's session that is the given one but for a typing error; null when there is none. Names that differ in a
 * digit are names of different sessions, and another agent's is no help.
 */
export async function nearestSession(given: string, { sessions }: Pick<TenantApi, 'sessions'>): Promise<string | null> {
  const { sessions: existing } = await sessions.list({ limit: MAX_COMPARED_TASKS })
  return existing.find(({ name }) => digitsOf(name) === digitsOf(given) && isMistyped(given, name))?.name ?? null
}

const digitsOf = (name: string) => name.replaceAll(/\D/g, '')
