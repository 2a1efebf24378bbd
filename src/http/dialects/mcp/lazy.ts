/** Parts that import the SDK: loaded by an isolate's first request for them. */
// biome-ignore lint/performance/noBarrelFile: one import() for all that is loaded late
export { serveLegacy } from './legacy/front.ts'
export { isJsonContentType, isLegacyRequest, serveModern } from './modern.ts'
export { makeServer } from './server/server.ts'
