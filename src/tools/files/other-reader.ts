import { ifKnown, type Saying, say, tool } from '../../core/saying/saying.ts'
import { FORMAT_EXTENSIONS } from '../../documents/extensions.ts'

const { pdf, docx, pptx, xlsx, xls, epub } = FORMAT_EXTENSIONS

/** Extensions of documents that are no text, and that parse_document reads: itself, or after a conversion. */
const DOCUMENTS: ReadonlySet<string> = new Set<string>(
  [pdf, docx, pptx, xlsx, xls, epub, ['.doc', '.odt', '.ppt', '.odp', '.ods']].flat(),
)

/**
 * Words on how to read a file that is no text.
 * @param suffix extension in lower case, with its point
 */
export const otherReader = (suffix: string): Saying =>
  DOCUMENTS.has(suffix) ? say`${ifKnown(say`${tool('parse_document')} reads it. `)}${PROGRAMS}` : PROGRAMS

const PROGRAMS = say`Inspect it with ${tool('execute_shell')} (file, unzip -l, xxd) or with ${tool('execute_code')}.`
