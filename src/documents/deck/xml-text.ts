/** The namespaces that every part of a presentation declares. */
export const NAMESPACES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Text for XML, in elements and attributes. What XML cannot hold, controls and halves of characters, is left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"]/g, (char) => ENTITIES[char as keyof typeof ENTITIES])

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
