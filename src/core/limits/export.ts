/** Export of a tenant: each page and each part is one request to an object, and in memory while it is written. */

/** Rows of a session that one page reads, such as files or changes: a path has 3 KiB at most, and most have a hundredth of that. */
export const EXPORT_PAGE_ROWS = 500
/** Calls of one page: each has up to 8 KiB of arguments and answer. */
export const EXPORT_PAGE_CALLS = 100
/** Rows from which on a part of a session ends. An object makes 1,000 requests to the store of contents for one of its own at least. */
export const EXPORT_PART_ROWS = 500
/** Length of pieces that small files are joined to: a piece each would cost a message each. */
export const EXPORT_PIECE_BYTES = 64 * 1024
/** Sessions, keys and child keys of one page. */
export const EXPORT_LIST_PAGE = 500
/** Versions of tools that one statement reads, and the length of a page of them, in UTF-16 units. */
export const EXPORT_TOOLS_AT_ONCE = 20
export const EXPORT_TOOLS_CHARS = 1024 * 1024
/** Entries of the audit log that an export has, the newest: a thousand requests to the tenant's object, of 10,000 that a Worker's invocation may make. */
export const MAX_EXPORTED_ENTRIES = 1_000_000
