import type { Imported, ImportOptions } from '../registry/apis/imported.ts'
import type { ToolFile } from '../registry/import/tool-file.ts'
import type { PaperChunk, ReadPaper } from './papers.ts'

/**
 * Parser of untrusted bytes in a place of its own, with its own memory and a wall clock that end it from outside: whatever a
 * document does to its parser, the server goes on answering.
 */
export interface Reader {
  /**
   * Parses a file.
   * @param bytes content of the file, which is not changed
   * @throws FailureError `invalid_input` for a file of another kind, `limit_exceeded` when it is beyond a limit or takes
   * too much memory, `timeout` after READ_MS, `rate_limited` when too many wait, `upstream` when the reader cannot be
   * reached
   */
  read<Kind extends ReadingKind>(reading: Reading<Kind>, signal: AbortSignal): Promise<ReadingResults[Kind]>
}

/** One reading: the kind of file, its options, and its bytes. */
export interface Reading<Kind extends ReadingKind = ReadingKind> {
  readonly kind: Kind
  readonly options: ReadingOptions[Kind]
  readonly bytes: Uint8Array
}

export type ReadingKind = keyof ReadingOptions

export interface ReadingOptions {
  /**
   * `extension` in lower case, with its point; `pages` as `parse_document` takes it; `maxChars` the length of the content,
   * MAX_DOCUMENT_CHARS when left out.
   */
  readonly document: {
    readonly name: string
    readonly extension: string
    readonly pages?: string
    readonly maxChars?: number
  }
  readonly page: PageOptions
  /** `name` gives the kind: `.pdf`, `.tex`, `.tar.gz`, `.gz`, `.html`, `.md`, `.txt`. */
  readonly paper: { readonly name: string }
  /** The bytes are a JSON list of texts, in Markdown or plain. */
  readonly paper_texts: Readonly<Record<string, never>>
  readonly api: ImportOptions & { readonly format: 'openapi' | 'rapidapi' }
  /** `taken`: ids that tools of the file may not have, in lower case. */
  readonly tool_file: { readonly taken: readonly string[] }
}

export interface ReadingResults {
  readonly document: DocumentText
  readonly page: PageText
  readonly paper: ReadPaper
  /** Chunks of each text, cut by its headings. */
  readonly paper_texts: readonly (readonly PaperChunk[])[]
  readonly api: Imported
  readonly tool_file: ToolFile
}

/** A document as Markdown, as much of it as fits into one answer. */
export interface DocumentText {
  readonly content: string
  readonly metadata: Readonly<Record<string, string | number>>
  /** Remarks for the reader of the content, e.g. that pages are scans. */
  readonly notes: readonly string[]
  /** Set when requested parts are not in `content`. */
  readonly truncated?: true
  /** The next value of `pages`, when there is more to read. */
  readonly next_pages?: string
}

export interface PageOptions {
  /** URL of the page: its links are relative to it. */
  readonly url: string
  /** Media type stated by the server, without parameters; empty when there is none. */
  readonly type: string
  /** The whole `Content-Type`, which may name the encoding. */
  readonly contentType: string
  /** Name of the file, from its server or its address. */
  readonly name: string
  /** False leaves images out; an image that is a link is replaced by its description. */
  readonly keepImages: boolean
  /** True replaces links by their text, and lists all of the page in `links`. */
  readonly linksApart: boolean
}

/** The readable part of a web page. */
export interface PageText {
  readonly title: string
  readonly byline: string | null
  readonly date: string | null
  /** Canonical address that the page states, when it is another one. */
  readonly canonicalUrl: string | null
  /** Text of the page. Images stand in it as `![alt](imageMark(n))`, n being their place in `images`. */
  readonly markdown: string
  /** Absolute URLs of the images. */
  readonly images: readonly string[]
  /** Links of the whole page; empty when they were not requested. */
  readonly links: readonly PageLink[]
  /** Number of readable characters of text; next to none where scripts would write it. */
  readonly textLength: number
  /** True for HTML with scripts, which may write the missing content. */
  readonly hasScripts: boolean
}

export interface PageLink {
  readonly text: string
  /** URL of the link: absolute, http or https. */
  readonly url: string
}
