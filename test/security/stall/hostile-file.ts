export type Format =
  | 'csv'
  | 'docx'
  | 'epub'
  | 'gz'
  | 'html'
  | 'ipynb'
  | 'json'
  | 'md'
  | 'openapi'
  | 'page'
  | 'pdf'
  | 'pptx'
  | 'robots'
  | 'tar'
  | 'tex'
  | 'xls'
  | 'xlsx'
  | 'xml'
  | 'yaml'

/** A file that is made to take long or much of whoever reads it. */
export interface HostileFile {
  /** What is in it, for a test's title. */
  readonly name: string
  /** Who reads it. */
  readonly format: Format
  /** Made when it is asked for: all of them together would fill the memory. The same bytes each time. */
  readonly bytes: () => Uint8Array
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Files of one format out of texts. */
export const ofTexts = (format: Format, texts: Readonly<Record<string, () => string>>): HostileFile[] =>
  Object.entries(texts).map(([name, text]) => ({ name, format, bytes: () => utf8(text()) }))
