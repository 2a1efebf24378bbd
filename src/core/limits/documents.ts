/** Documents that tools read, convert or make. */

/** Text of one document that is read at once, in UTF-16 units, as MAX_READ_CHARS; `pages` of `parse_document` reads the rest. */
export const MAX_DOCUMENT_CHARS = 1024 * 1024
/** Length of one part of a document that has no pages of its own: `pages` counts these parts. */
export const DOCUMENT_PART_CHARS = 64 * 1024
/** Time for one `parse_document`: an 800-page PDF takes some ten seconds; `pages` reads what is left. */
export const PARSE_DOCUMENT_MS = 60_000

/**
 * Size of one file inside a zipped document, unpacked: the text of several thousand pages; more would fill the isolate's memory.
 */
export const MAX_UNPACKED_PART_BYTES = 48 * 1024 * 1024
/** Size of all unpacked files of one document. */
export const MAX_UNPACKED_BYTES = 96 * 1024 * 1024
/** Files inside a zipped document: its directory is read whole. */
export const MAX_ZIP_ENTRIES = 20_000
/** Depth of a document's elements; reading walks them recursively. */
export const MAX_MARKUP_DEPTH = 200
/**
 * Nodes of one XML tree, which is a row of a sheet, a paragraph or table of a text, or a whole slide: a tree of so many takes
 * some 200 MB. The largest tables that people make have a tenth of it.
 */
export const MAX_XML_NODES = 1_000_000
/**
 * Opening tags and character references of one HTML text: the parser makes a node of each, of some hundred bytes, in an isolate's
 * 128 MB. The longest specifications on the web have half of it.
 */
export const MAX_MARKUP_NODES = 500_000
/** Size of one unpacked stream of a PDF: fonts of Chinese are the largest that text needs, with some 20 MB. */
export const MAX_PDF_STREAM_BYTES = 32 * 1024 * 1024
/** Size of all streams unpacked while one page is read, or while the file is opened. Pictures are never unpacked. */
export const MAX_PDF_PAGE_BYTES = 96 * 1024 * 1024
/** Operators of one page, counting those of each form as often as it is drawn: maps have a million, at a microsecond each. */
export const MAX_PDF_PAGE_OPERATORS = 3_000_000
/** Forms that one page draws, nested ones included, at 50 microseconds each: a drawing of many parts has a thousand. */
export const MAX_PDF_PAGE_FORMS = 5_000
/** Depth of saved graphics states of a page: its standard asks programs for 28. */
export const MAX_PDF_SAVED_STATES = 1_000
/** Glyphs of one font, as its widths and its character map count them: Unicode has no more characters. */
export const MAX_PDF_GLYPHS = 1_114_112
/** Entries of one PDF's table of objects: claiming them costs a file nothing. */
export const MAX_PDF_OBJECTS = 1_000_000
/** Cells of one sheet or table file, empty ones between others included. */
export const MAX_SHEET_CELLS = 1_000_000

/** Text of one sheet, in UTF-16 units: cells share texts, so that a small file may have one of megabytes in each. */
export const MAX_SHEET_CHARS = 32 * 1024 * 1024

/** Time to convert a document in the sandbox: LibreOffice takes seconds, more when the sandbox has to be made first. */
export const CONVERT_DOCUMENT_MS = 3 * 60_000

/**
 * Time for one `tex2pdf_convert`, unless it asks for more: the time that the published server gives one run of the engine; a
 * document of 50 pages takes some seconds.
 */
export const TEX2PDF_SECONDS = 120
/** The longest `timeout` of `tex2pdf_convert`: a book with many drawings takes some minutes. */
export const MAX_TEX2PDF_SECONDS = 30 * 60
/** Size of one file that TeX writes, PDF and log alike: ends a document that writes without end. */
export const MAX_TEX_FILE_MIB = 256
/** Size of the kept end of each log of a build that failed; the parts together stay below MAX_EDIT_BYTES. */
export const MAX_TEX_LOG_BYTES = 5 * 1024 * 1024
/** .tex files of a directory that are examined to find the main one. */
export const MAX_TEX_FILES = 500

/** Pages of a presentation made page by page: each addition writes the file anew. A person shows fifty. */
export const MAX_DECK_PAGES = 300
/** Length of one page's text in a presentation, in UTF-16 units: more cannot be read on a wall. */
export const MAX_DECK_PAGE_CHARS = 10_000
/** Bullets of one page of a presentation. */
export const MAX_DECK_BULLETS = 60
