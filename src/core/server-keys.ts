/** Keys of the server at a time: the present one, and those before it until nothing needs them any more. */
const MAX_SERVER_KEYS = 4

/** A secret of the server. */
export interface ServerKey {
  /** Id by which records name it; null for one without, as all were before there were ids. */
  readonly id: string | null
  readonly text: string
}

const PART = /^([A-Za-z0-9][A-Za-z0-9-]{0,15}):(.+)$/s
/** Length of the longest id, in characters. */
export const MAX_SERVER_KEY_ID_CHARS = 16

/**
 * Keys in a text such as SECRETS_KEY: `id:key,id2:key2`, of which the first encrypts and signs, or one key without an id.
 * @throws Error for a list that is none; its message has no key
 */
export function serverKeys(text: string): readonly [ServerKey, ...ServerKey[]] {
  const parts = text.split(',').map((part) => PART.exec(part.trim()))
  const keys = parts.flatMap((part) => (part ? [{ id: part[1] ?? '', text: part[2] ?? '' }] : []))
  const [first, ...others] = keys
  if (!first) return [{ id: null, text }]
  if (keys.length < parts.length) {
    const wrong = parts.indexOf(null) + 1
    throw new Error(
      `key ${wrong} of ${parts.length} has no id; give a list as id:key,id2:key2, or one key without "," and ":"`,
    )
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('two keys have one id; give each its own')
  if (keys.length > MAX_SERVER_KEYS) {
    throw new Error(`${keys.length} keys are given, and ${MAX_SERVER_KEYS} are taken; remove those that nothing needs`)
  }
  // A key from before there were ids may only look like a list of one.
  return others.length === 0 ? [first, { id: null, text }] : [first, ...others]
}
