import { hash } from 'node:crypto'

/**
 * SHA-256 of bytes, or of a text's UTF-8, as 64 hex digits. It is Node's, because that one is synchronous: a commit that waits
 * for nothing between its statements is one write to the disk.
 */
export const sha256 = (content: Uint8Array | string): string => hash('sha256', content, 'hex')
