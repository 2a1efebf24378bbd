/** Model settings of the operator for coding agents in a sandbox, when a call brings no key. */
export interface Model {
  readonly apiKey: string | null
  /** Base URL; null: the model's own public address. */
  readonly baseUrl: string | null
}
