import type { Config } from '../../../src/config.ts'
import type { ServicesOf } from '../../../src/services.ts'

/**
 * Stand-ins for `src/config.ts` and `src/services.ts` in the wire Worker: it has no tenants, sessions or tools of the product, and
 * whatever asks for them fails.
 */
export const readConfig = () => ({}) as Config
export const createServices = (): ServicesOf => () =>
  new Proxy({}, { get: refuse, has: () => false }) as ReturnType<ServicesOf>

function refuse(_: object, name: string | symbol): never {
  throw new Error(`the wire Worker has no services, and ${String(name)} was wanted`)
}
