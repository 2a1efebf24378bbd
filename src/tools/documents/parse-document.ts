import * as z from 'zod'
import { FailureError, fail, failureWith, messageParts } from '../../core/failure.ts'
import { DOCUMENT_CHARS } from '../../core/limits/answers.ts'
import { MAX_DOCUMENT_CHARS } from '../../core/limits/documents.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { worded } from '../../core/saying/worded.ts'
import { isReadExtension, READ_EXTENSIONS } from '../../documents/extensions.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { maxChars } from '../answer-budget.ts'
import { numberRanges, onePath, optional } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'
import { CONVERTED_EXTENSIONS, conversionOf, convertInSandbox } from './convert.ts'

/**
 * Reads a document as Markdown. Source: Tool Server, tools/document_tools, ParseDocumentTool, which reads paragraphs only;
 * here headings, tables, lists and more formats are read too, and `pages` chooses.
 */
export const parseDocument = defineTool({
  name: 'parse_document',
  description:
    'Read a document of the task as plain text in Markdown: PDF, Word (docx, doc), PowerPoint (pptx, ppt), Excel (xlsx, ' +
    'xls), OpenDocument, RTF, CSV, HTML, EPUB, Jupyter notebook, Markdown or text. Runs on the server; old Office formats ' +
    'are converted in the sandbox first. Returns content, with headings, tables, lists, and marks where pages and slides ' +
    'begin, and metadata (title, author, number of pages …). A long document is cut, with next_pages to read on.',
  effect: 'run',
  uses: ['workspace', 'reader', 'runner', 'turn'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root, e.g. "upload/document.pdf"'),
    pages: optional(numberRanges).describe(
      'Pages, slides, sheets or chapters to read, e.g. "1-3,5" or "10-". Default: all',
    ),
    max_chars: maxChars(DOCUMENT_CHARS, { most: MAX_DOCUMENT_CHARS, of: 'content' }),
  }),

  async run({ file_path, pages, max_chars }, { ports: { workspace, reader, runner, turn }, signal }) {
    const { path, bytes, extension } = await turn(() => documentFile(workspace, file_path))
    try {
      const conversion = conversionOf(extension)
      const source = conversion
        ? await convertInSandbox(path, conversion, { runner, turn, workspace })
        : { bytes, extension }
      const options = {
        name: file_path,
        extension: source.extension,
        ...(pages !== undefined && { pages }),
        maxChars: max_chars,
      }
      const found = await reader.read({ kind: 'document', options, bytes: source.bytes }, signal)
      const { content, metadata, notes: read, ...rest } = found
      const notes = rest.next_pages?.includes('.') ? [...read, PIECES] : read
      const data = {
        content,
        metadata: { file_type: extension, ...metadata },
        file_path,
        char_count: countCharacters(content),
        word_count: countWords(content),
        ...rest,
        ...(notes.length > 0 && { notes }),
      }
      return { text: textFor(content, rest.next_pages, notes), data }
    } catch (thrown) {
      throw explained(thrown, extension)
    }
  },
})

const PIECES = worded(
  say`the number behind the point in next_pages counts pieces of ${field('max_chars')} characters; read on with the same ${field('max_chars')}`,
)

async function documentFile(workspace: Workspace, given: string) {
  const path = callerPath(workspace, given)
  if (workspace.stat(path)?.kind === 'directory')
    fail('invalid_input', say`Not a file: ${given}; ${tool('dir_list')} shows what is in it`)
  const extension = /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? ''
  if (!workspace.stat(path)) fail('not_found', say`File not found: ${given}; ${await whatExists(workspace, path)}`)
  if (!isReadExtension(extension) && !conversionOf(extension)) {
    const read = [...READ_EXTENSIONS, ...CONVERTED_EXTENSIONS].join(' ')
    fail(
      'invalid_input',
      say`Unsupported file type: ${extension || 'none'}; it reads ${read}; ${tool('file_read')} reads other text`,
    )
  }
  const bytes = await workspace.read(path)
  if (!bytes) fail('not_found', say`File not found: ${given}; ${tool('dir_list')} shows what exists`)
  if (bytes.length === 0) fail('invalid_input', `Failed to parse ${extension} file: it is empty; upload it again`)
  return { path, bytes, extension }
}

/** A parser's failure in the Tool Server's words. */
function explained(thrown: unknown, extension: string): unknown {
  if (!(thrown instanceof FailureError)) return thrown
  const { failure } = thrown
  if (failure.message.startsWith('pages: ')) return thrown
  const failed = `Failed to parse ${extension} file`
  return new FailureError(failureWith(failure.code, say`${failed}: ${messageParts(failure)}`, failure.data), {
    cause: thrown,
  })
}

/** Number of characters as Python counts: a pair of UTF-16 units is one. */
const countCharacters = (text: string) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** Number of words between spaces; each Chinese or Japanese character is one, as word processors count. */
function countWords(text: string): number {
  return (
    text.match(/[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+/g)?.length ?? 0
  )
}

function textFor(content: string, next: string | undefined, notes: readonly string[]): string {
  const more = [...notes.map((note) => `note: ${note}`), ...(next ? [`cut; read on with pages "${next}"`] : [])]
  return [content, ...more.map((line) => `[${line}]`)].join('\n')
}
