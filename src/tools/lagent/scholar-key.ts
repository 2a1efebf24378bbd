import type { Secrets } from '../../ports/secrets.ts'

/** Key of the tenant; without one the port uses the operator's. */
export const scholarKey = (secrets: Secrets): Promise<string | null> => secrets('SERPAPI_API_KEY')
