/** Parts that import the SDK, for the object of a connection: loaded by its first request. */
export { makeServer } from '../server/server.ts'
export { Connection } from './connection.ts'
