import { sha256 } from '../core/sha256.ts'
import type { KeptUris } from '../http/dialects/mcp/legacy/kept-subscriptions.ts'

/** URIs in the storage of a connection's object, a row each: together they could be longer than a row may be. */
export const storedUris = (storage: DurableObjectStorage): KeptUris => ({
  list: async () => [...(await storage.list<string>({ prefix: PREFIX })).values()],
  add: (uri) => storage.put(nameOf(uri), uri),
  remove: async (uri) => void (await storage.delete(nameOf(uri))),
})

const PREFIX = 'watched/'

const nameOf = (uri: string) => `${PREFIX}${sha256(uri)}`
