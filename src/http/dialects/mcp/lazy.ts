/** Parts that import the SDK: loaded by the first request for them, of an isolate or of a connection's object. */
// biome-ignore lint/performance/noBarrelFile: one import() for all that is loaded late
export { Connection } from './legacy/connection.ts'
export { serveLegacy } from './legacy/front.ts'
export { isJsonContentType, isLegacyRequest, plainRequest, serveModern } from './modern.ts'
export { makeServer } from './server/server.ts'
