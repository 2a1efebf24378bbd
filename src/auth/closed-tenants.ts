import type { TenantId } from '../core/ids.ts'

/**
 * Tenants whose deletion this isolate began: it refuses their keys, children of keys, tokens and links at once, whatever its caches say.
 * Other isolates read it with the next row of a key.
 */
export class ClosedTenants {
  readonly #ids = new Set<string>()

  close(tenant: TenantId): void {
    this.#ids.add(tenant)
  }

  has(tenant: string): boolean {
    return this.#ids.has(tenant)
  }
}
