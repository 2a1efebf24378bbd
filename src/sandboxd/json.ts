/** JSON object whose fields are not checked yet. */
export type Json = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function asStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Entries whose value is a string; a Map, because the keys are the caller's. */
export function asStringMap(value: unknown): Map<string, string> {
  const entries = Object.entries(asObject(value) ?? {})
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** The inverse of `asStringMap`. A null prototype, so that a key `__proto__` is only a key. */
export function fromStringMap(map: ReadonlyMap<string, string>): Record<string, string> {
  const object: Record<string, string> = Object.create(null)
  for (const [key, value] of map) object[key] = value
  return object
}

/** Object of a JSON text; `null` when the text is none. */
export function parseObject(text: string): Json | null {
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The text of anything thrown, for a log line or an error reply. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Node's `code` of a failed system call (`ENOENT`), else `null`. */
export function errnoOf(thrown: unknown): string | null {
  return thrown instanceof Error ? asString((thrown as NodeJS.ErrnoException).code) : null
}
