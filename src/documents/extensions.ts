/** Extensions of each kind of document that is read, in lower case with their point. The reader loads the parsers. */
export const FORMAT_EXTENSIONS = {
  pdf: ['.pdf'],
  docx: ['.docx', '.docm', '.dotx'],
  pptx: ['.pptx', '.pptm', '.ppsx', '.potx'],
  xlsx: ['.xlsx', '.xlsm', '.xltx'],
  xls: ['.xls', '.xlt'],
  csv: ['.csv', '.tsv'],
  html: ['.html', '.htm', '.xhtml'],
  epub: ['.epub'],
  ipynb: ['.ipynb'],
  text: ['.md', '.markdown', '.txt'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Format = keyof typeof FORMAT_EXTENSIONS

export const READ_EXTENSIONS: readonly string[] = Object.values(FORMAT_EXTENSIONS).flat()

/** Whether files with this extension are read. @param extension in lower case, with its point */
export const isReadExtension = (extension: string): boolean => READ_EXTENSIONS.includes(extension)
