/** The reader: where documents, pages and other untrusted files are parsed, apart from the process that serves everybody. */

/**
 * Wall clock of one reading, from when a process takes it up. A parser stuck in one part is ended; the parts read before come
 * back earlier, see PARSE_DOCUMENT_MS.
 */
export const READ_MS = 50_000
/** Time that a reading waits for a free process; a model waits for the answer, and may ask again. */
export const READER_WAIT_MS = 30_000
/** `Retry-After` of a reading that found no free process in time: a usual one takes a second or two. */
export const READER_RETRY_MS = 5_000
/** Queued readings of one tenant. Their input is not taken from the network before their turn. */
export const MAX_WAITING_READINGS = 64
/** Tenants with queued readings: each entry is small, and nobody waits for longer than READER_WAIT_MS. */
export const MAX_WAITING_OWNERS = 1_000
/** Memory of one reading process, in MiB: pdf.js takes some 200 for a file of MAX_EDIT_BYTES. A Worker has 128, fixed by the platform. */
export const READER_MEMORY_MIB = 512
/** Size of a request to the reader: a body of MAX_BODY_BYTES, and its instructions. */
export const MAX_READER_BODY_BYTES = 30 * 1024 * 1024
/** Size of one reading's answer, as JSON: MAX_DOCUMENT_CHARS as UTF-8, or 5,000 tools. */
export const MAX_READER_ANSWER_BYTES = 30 * 1024 * 1024
/**
 * Niceness of a reading process, as `nice` counts it: whoever answers requests has three times its share of the processor. At 19,
 * the most, it has a seventieth beside each busy program of the machine, and READ_MS ends readings of half a second.
 */
export const READER_NICENESS = 5
/** Readings of one process before it is replaced, so that what libraries keep does not add up. */
export const READINGS_PER_PROCESS = 500
/** Time without work after which a process ends: a laptop wants its memory back. */
export const READER_QUIET_MS = 5 * 60_000
