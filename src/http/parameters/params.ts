/** Parameters of a call as they arrived, by name. */
export type Params = Readonly<Record<string, unknown>>
