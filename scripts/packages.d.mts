interface Group {
  readonly why: string
  readonly apt: { readonly tests: readonly string[]; readonly more: readonly string[] }
  readonly checks: readonly string[]
}

/** Described in packages.mjs. */
export const BROWSERS: readonly { readonly apt: string; readonly why: string }[]
export const LINTERS: readonly { readonly apt: string; readonly why: string }[]
export const SHELLS: readonly { readonly apt: string; readonly why: string }[]
export const PYTHON_CLIENT: readonly { readonly apt: string; readonly why: string }[]

/** Described in packages.mjs. */
export const GROUPS: {
  readonly latex: Group & { readonly programs: readonly string[] }
  readonly documents: Group & { readonly programs: readonly string[] }
  readonly data: Group & { readonly modules: readonly string[] }
  readonly claude: Group & { readonly programs: readonly string[]; readonly npm: string }
}
