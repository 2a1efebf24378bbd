/**
 * Public id of a key: `root`, or the chain `root.child.grandchild` of a child key, from the key of the tenant's list down. Ids of
 * keys have no dot.
 */
export const isChildKey = (key: string | null): key is string => key?.includes('.') === true

/** Id of the key at the top of a chain, under whose name limits count the calls of its children too. */
export function rootKeyOf<Key extends string | null>(key: Key): Key {
  const at = key?.indexOf('.') ?? -1
  return (at === -1 ? key : key?.slice(0, at)) as Key
}

/** Ids of all child keys in a chain, from the eldest to the key itself: `a.b.c` gives `a.b` and `a.b.c`. */
export function childKeysIn(key: string): string[] {
  const ids: string[] = []
  for (let at = key.indexOf('.'); at !== -1; ) {
    at = key.indexOf('.', at + 1)
    ids.push(at === -1 ? key : key.slice(0, at))
  }
  return ids
}

/** Id of the key that minted a child key. */
export const parentOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))

/** Whether `key` stands below `ancestor` in a chain. */
export const descendsFrom = (key: string, ancestor: string): boolean => key.startsWith(`${ancestor}.`)
