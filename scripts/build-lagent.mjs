/** Builds what the package exports as `toolyard/lagent`, into dist/lagent. `npm pack` runs it. */
import { buildLibrary } from './library.mjs'

await buildLibrary('lagent', { external: ['zod'] })
