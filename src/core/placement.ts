/**
 * Jurisdictions in which a tenant's data can be kept: those that both Durable Objects and R2 have.
 * @see https://developers.cloudflare.com/durable-objects/reference/data-location/
 * @see https://developers.cloudflare.com/r2/reference/data-location/
 */
export const JURISDICTIONS = ['eu', 'us', 'fedramp'] as const
export type Jurisdiction = (typeof JURISDICTIONS)[number]

/** Places near which the platform can be asked to make an object, as it names them. */
export const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const
export type Location = (typeof LOCATIONS)[number]

/** Place of a tenant's data; nulls for wherever the platform puts them. */
export interface Placement {
  /** Law under which objects and files stay: a guarantee of the platform. */
  readonly jurisdiction: Jurisdiction | null
  /** Wish for the place of an object when it is made. */
  readonly locationHint: Location | null
}

const ANYWHERE: Placement = { jurisdiction: null, locationHint: null }

/**
 * Placement that a tenant's id ends with: `acme.eu`, `acme.weur`, `acme.eu.weur`. It is in the id, so that everybody who may name an object
 * knows where it is without a question, and nobody can change it.
 */
export const placementOf = (tenant: string): Placement =>
  tenant.includes('.') ? (placementOfWords(tenant.split('.').slice(1)) ?? ANYWHERE) : ANYWHERE

/** Placement of the words behind an id's first dot; null where they are none. */
export function placementOfWords(words: readonly string[]): Placement | null {
  const jurisdiction = JURISDICTIONS.find((name) => name === words[0]) ?? null
  const rest = jurisdiction === null ? words : words.slice(1)
  const locationHint = LOCATIONS.find((name) => name === rest[0]) ?? null
  return rest.length === (locationHint === null ? 0 : 1) ? { jurisdiction, locationHint } : null
}

/** Id of a tenant with its placement, of one without. */
export const placedId = (own: string, { jurisdiction, locationHint }: Placement): string =>
  [own, jurisdiction, locationHint].filter((part) => part !== null).join('.')

/** Id of a tenant without its placement: no two tenants share it. */
export const ownId = (tenant: string): string => tenant.split('.', 1)[0] ?? tenant
