import { fail } from '../core/failure.ts'
import { operator, say } from '../core/saying/saying.ts'

/**
 * Fails for a status other than 200, without repeating the service's answer, which may hold the key.
 * @param setting the variable that has the key, if there is one
 */
export function refuseStatus(status: number, who: string, setting: string | null): void {
  if (status === 200) return
  if (status === 429) fail('limit_exceeded', `${who} gets too many requests from here; try again in a minute`)
  if ((status === 401 || status === 403) && setting !== null) {
    fail(
      'upstream',
      say`${who} does not let this server in; do without it${operator(`. It refuses the key in ${setting}: check that`)}`,
    )
  }
  fail('upstream', `${who} answered with status ${status}; try again later`)
}
