/**
 * Maps: directions by car, places, and places nearby. A `key` is the tenant's own for the service, and null means the
 * operator's; services without keys ignore it.
 * @throws FailureError `not_found` for a place unknown to the service, `upstream` when the service cannot be reached, also
 * for want of a key, `limit_exceeded`, `timeout`
 */
export interface Maps {
  route(start: string, end: string, key: string | null, signal: AbortSignal): Promise<Route>
  locate(place: string, key: string | null, signal: AbortSignal): Promise<Coordinates>
  /**
   * Places around a point.
   * @param radius in metres
   * @returns the nearest first, as far as the service orders them
   */
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
