/** Parts that import the SDK, for the object of a connection: loaded by its first request. */
// biome-ignore lint/performance/noBarrelFile: one import() for all that is loaded late
export { makeServer } from '../server/server.ts'
export { Connection } from './connection.ts'
