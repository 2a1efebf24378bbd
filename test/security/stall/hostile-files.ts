import { archives } from './files/archives.ts'
import { data } from './files/data.ts'
import { markup } from './files/markup.ts'
import { office } from './files/office.ts'
import { pdfs } from './files/pdf.ts'
import { plainTexts } from './files/plain-texts.ts'
import type { HostileFile } from './hostile-file.ts'

/** Files against every reader of documents, pages, papers, archives and descriptions, from 1 KB to 5 MB. */
export const hostileFiles = (): readonly HostileFile[] => [
  ...archives,
  ...data,
  ...markup,
  ...office,
  ...pdfs,
  ...plainTexts,
]
