import type { OpenFormat } from './document.ts'
import { FORMAT_EXTENSIONS, type Format } from './extensions.ts'

/** Readers by kind of file. Libraries are loaded at the first document that needs them. */
const LOADERS: Readonly<Record<Format, () => Promise<OpenFormat>>> = {
  pdf: async () => (await import('./formats/pdf.ts')).openPdf,
  docx: async () => (await import('./formats/docx.ts')).openDocx,
  pptx: async () => (await import('./formats/pptx.ts')).openPptx,
  xlsx: async () => (await import('./formats/xlsx.ts')).openXlsx,
  xls: async () => (await import('./formats/xls.ts')).openXls,
  csv: async () => (await import('./formats/csv.ts')).openCsv,
  html: async () => (await import('./formats/html.ts')).openHtml,
  epub: async () => (await import('./formats/epub.ts')).openEpub,
  ipynb: async () => (await import('./formats/ipynb.ts')).openIpynb,
  text: async () => (await import('./formats/text.ts')).openText,
}

const BY_EXTENSION: ReadonlyMap<string, () => Promise<OpenFormat>> = new Map(
  (Object.keys(LOADERS) as Format[]).flatMap((format) =>
    FORMAT_EXTENSIONS[format].map((extension) => [extension, LOADERS[format]] as const),
  ),
)

/** Reader of a kind of file; null for a kind that is not read. @param extension in lower case, with its point */
export const formatOf = (extension: string): (() => Promise<OpenFormat>) | null => BY_EXTENSION.get(extension) ?? null
