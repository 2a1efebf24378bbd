import type { Config } from '../../../src/config.ts'
import type { ServicesOf } from '../../../src/services.ts'

/**
 * Stand-ins for `src/config.ts` and `src/services.ts` in the wire Worker: it has no tenants, sessions or tools of the product, but
 * connections. Whatever asks for the others fails, except for the list of tools, which is empty.
 */
export const readConfig = (env: unknown) => ({ connections: (env as Env).CONNECTIONS }) as unknown as Config
export const createServices = (): ServicesOf => () =>
  new Proxy({}, { get: refuse, has: () => false }) as ReturnType<ServicesOf>

const NO_TOOLS: readonly never[] = []

function refuse(_: object, name: string | symbol): readonly never[] {
  if (name === 'tools' || name === 'toolkits') return NO_TOOLS
  throw new Error(`the wire Worker has no services, and ${String(name)} was wanted`)
}
