/**
 * Maps: directions by car, places, and what is near. A `key` is one that the tenant keeps for the service, and null means the
 * operator's; services without keys ignore it.
 * @throws FailureError `not_found` for what the service does not know, `upstream` when it cannot be reached, also for want of a
 * key, `limit_exceeded`, `timeout`
 */
export interface Maps {
  route(start: string, end: string, key: string | null, signal: AbortSignal): Promise<Route>
  locate(place: string, key: string | null, signal: AbortSignal): Promise<Coordinates>
  /** @param radius in metres @returns the nearest first, as far as the service orders them */
  nearby(
    term: string,
    around: Coordinates & { readonly radius: number },
    key: string | null,
    signal: AbortSignal,
  ): Promise<readonly Place[]>
}

export interface Route {
  readonly kilometres: number
  /** Directions, turn by turn. */
  readonly steps: readonly string[]
}

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

export interface Place {
  readonly name: string
  readonly address: string
}
