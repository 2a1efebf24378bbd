import { MAX_COMPARED_TASKS } from '../../../core/limits/sessions.ts'
import type { TenantApi } from '../../../tenant/api.ts'
import { isMistyped } from '../../alike-names.ts'

/**
 * Task of the tenant whose id is the given one but for a typing error; null when there is none. Ids that differ in a digit
 * are ids of different tasks, and another agent's is no help.
 */
export async function nearestTask(id: string, { sessions }: Pick<TenantApi, 'sessions'>): Promise<string | null> {
  const { sessions: tasks } = await sessions.list({ limit: MAX_COMPARED_TASKS })
  return tasks.find(({ name }) => digitsOf(name) === digitsOf(id) && isMistyped(id, name))?.name ?? null
}

const digitsOf = (id: string) => id.replaceAll(/\D/g, '')
