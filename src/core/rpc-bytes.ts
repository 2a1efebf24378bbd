/** Bytes that RPC sends for a text: two for each character of a text with any beyond Latin-1, else one. */
export const rpcBytes = (text: string): number => text.length * (isBeyondLatin1(text) ? 2 : 1)

export const isBeyondLatin1 = (text: string): boolean => BEYOND_LATIN_1.test(text)

const BEYOND_LATIN_1 = /[^\0-\xff]/
