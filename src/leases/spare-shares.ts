import type { SpareKind, WarmPool } from '../ports/sandbox-spares.ts'

/** Number of spares of one kind that there should be now. */
export interface SpareShare {
  readonly kind: SpareKind
  readonly count: number
}

interface Sharing {
  /** Number of sandboxes that a tenant may have besides those of its sessions. */
  readonly roomOf: (tenant: string) => number
  /** Spares for any session, where there is room. */
  readonly common: SpareShare
  /** Number that grows by one with each turn. */
  readonly turn: number
}

/**
 * Shares places among the warm pools: each gets one before any gets a second one, and the line begins one further with each turn, so
 * that all have a place for the same time where there are too few. What they leave is for spares that any session may take.
 * @param places sandboxes that may run as spares
 * @param pools in an order that stays
 * @returns the shares in the order of the line
 */
export function spareShares(
  places: number,
  pools: readonly WarmPool[],
  { roomOf, common, turn }: Sharing,
): SpareShare[] {
  const first = pools.length > 0 ? turn % pools.length : 0
  const line = [...pools.slice(first), ...pools.slice(0, first)]
  const shares = line.map(({ tenant, internet, count }) => ({
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
