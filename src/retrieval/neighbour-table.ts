import { Neighbours } from './neighbours.ts'

/**
 * The table of words near in meaning, which `read` gives the bytes of. It is read when it is first asked for, in some
 * 10 ms, and then kept, once for all who ask. Requests at the same time read it each for itself: one that is cut off must
 * not keep the others waiting. After a failure the next one tries again.
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
