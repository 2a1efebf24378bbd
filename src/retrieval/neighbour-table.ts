import { Neighbours } from './neighbours.ts'

/**
 * Loader of the table of words near in meaning, from the bytes that `read` gives. The first request reads it, in some 10 ms, and
 * it is kept for all later ones. Simultaneous requests each read it for themselves: one that is cut off must not keep the others
 * waiting. After a failure the next one tries again.
 */
export function neighbourTable(read: () => Promise<ArrayBuffer>): () => Promise<Neighbours> {
  let table: Neighbours | undefined
  return async () => {
    if (table) return table
    const bytes = await read()
    table ??= new Neighbours(bytes)
    return table
  }
}
