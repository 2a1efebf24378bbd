export type SchemaObject = Readonly<Record<string, unknown>>

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Target of a reference within one document, e.g. `#/$defs/city`.
 * @returns undefined when it leads out of the document, or nowhere
 */
export function localTarget(root: SchemaObject, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const token of ref.slice(2).split('/')) {
    const name = pointerName(token)
    if (name === null || typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

/** Escaped name for a JSON Pointer. */
export const pointerToken = (name: string | number) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

function pointerName(token: string): string | null {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return null
  }
}

/** Whether two JSON values are equal, whatever the order of their names. Their depth must be bounded. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, at) => sameJson(item, other[at]))
  }
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      sameJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  )
}

/** JSON with its names in order: the same text for the same value. Its depth must be bounded. */
export const canonicalJson = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value, inOrder) : JSON.stringify(value)

const inOrder = (_: string, part: unknown) =>
  isSchemaObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part
