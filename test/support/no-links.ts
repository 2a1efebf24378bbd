import type { LinkParts } from '../../src/http/dialects/v1/files/link-parts.ts'

/** A server without links to files. */
export const NO_LINKS: LinkParts = { linkSigner: null, linked: async () => null }
