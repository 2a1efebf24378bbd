import type { Secrets } from '../../ports/secrets.ts'

/** Key of the tenant; without one the port uses the operator's. */
export const mapKey = (secrets: Secrets): Promise<string | null> => secrets('BING_MAP_KEY')
