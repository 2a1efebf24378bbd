import type { Actor } from '../core/actor.ts'

/** Toolkits that a tenant's lists of tools show besides what they show to all. */
export interface ToolkitsApi {
  /** Names of the listed toolkits, in their order. A name may be of a toolkit that the server no longer has. */
  listed(): Promise<readonly string[]>
  /**
   * Lists a toolkit, or lists it no longer.
   * @param name of a toolkit of the server
   * @returns whether that changed anything
   * @throws FailureError `limit_exceeded`
   */
  change(name: string, isListed: boolean, by: Actor): Promise<boolean>
}
