/** How many bytes a text is on its way. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length
