import type { Secrets } from '../../ports/secrets.ts'

/** Token of a call, else the tenant's. With neither, the port uses the operator's, or none. */
export const githubToken = async (given: string | undefined, secrets: Secrets): Promise<string | undefined> =>
  given || ((await secrets('GITHUB_TOKEN')) ?? undefined)
