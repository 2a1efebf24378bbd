/** The reader: where documents, pages and files of strangers are parsed, apart from what serves everybody. */

/** Wall clock of one reading, from when a process takes it up. Its parts that are read by then come back before that, see
 * PARSE_DOCUMENT_MS; a parser that is stuck in one part is ended. */
export const READ_MS = 50_000
/** Time that a reading waits for a free process; a model waits for the answer, and may ask again. */
export const READER_WAIT_MS = 30_000
/** Readings of one tenant that wait. What they are to read is not taken from the network before their turn. */
export const MAX_WAITING_READINGS = 64
/** Tenants whose readings wait at once: each entry is small, and nobody waits for longer than READER_WAIT_MS. */
export const MAX_WAITING_OWNERS = 1_000
/** Memory of one reading process, in MiB: pdf.js takes some 200 for a file of MAX_EDIT_BYTES. A Worker has 128, fixed by the platform. */
export const READER_MEMORY_MIB = 512
/** Request to the reader: a body of MAX_BODY_BYTES, and what is to be done with it. */
export const MAX_READER_BODY_BYTES = 30 * 1024 * 1024
/** The answer of one reading, as JSON, in bytes: MAX_DOCUMENT_CHARS as UTF-8, or 5,000 tools. */
export const MAX_READER_ANSWER_BYTES = 30 * 1024 * 1024
/** Readings of one process: then it is replaced, so that what libraries keep does not add up. */
export const READINGS_PER_PROCESS = 500
/** A process without work for this long ends: a laptop wants its memory back. */
export const READER_QUIET_MS = 5 * 60_000
