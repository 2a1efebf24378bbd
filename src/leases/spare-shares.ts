import type { SpareKind, WarmPool } from '../ports/sandbox-spares.ts'

/** Number of spares of one kind that there should be now. */
export interface SpareShare {
  readonly kind: SpareKind
  readonly count: number
}

/**
 * Shares places among the warm pools: each gets one before any gets a second one. What they leave is for spares that any session may
 * take.
 * @param places sandboxes that may run as spares
 * @param roomOf sandboxes that a tenant may have besides those of its sessions
 * @param common spares for any session, where there is room
 */
export function spareShares(
  places: number,
  pools: readonly WarmPool[],
  roomOf: (tenant: string) => number,
  common: SpareShare,
): SpareShare[] {
  const shares = pools.map(({ tenant, internet, count }) => ({
    kind: { tenant, internet },
    count: 0,
    most: Math.max(0, Math.min(count, roomOf(tenant))),
  }))
  let left = Math.max(0, places)
  for (let open = shares; left > 0 && open.length > 0; open = open.filter(({ count, most }) => count < most)) {
    for (const share of open) {
      if (left === 0 || share.count >= share.most) continue
      share.count += 1
      left -= 1
    }
  }
  return [...shares.map(({ kind, count }) => ({ kind, count })), { ...common, count: Math.min(common.count, left) }]
}
