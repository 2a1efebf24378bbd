/** A key with another last character: that of the key is random, and may be any. */
export const wrongKey = (key: string) => key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')
