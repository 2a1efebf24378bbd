/** Builds what the package exports as `toolyard/client` and `toolyard/adapters`, into dist/client: `npm run build:client`. `npm pack` runs it. */
import { buildLibrary } from './library.mjs'

await buildLibrary('client', { parts: ['adapters'] })
