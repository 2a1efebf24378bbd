/** Actor: author of a change. `key` is the public part of an API key, null on a local server without keys. */
export interface Actor {
  readonly key: string | null
  readonly agent: string | null
}
