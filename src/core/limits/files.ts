/** Files over `/v1`: listings, archives that come in, and links. */

/** Entries of one page of a directory's listing: some hundred KiB of JSON. */
export const MAX_LISTED_FILES = 1_000
/** Levels of directories that one listing goes down: no path has more names than that. */
export const MAX_LISTING_DEPTH = 1_600
/** Size of a file that is held in memory on its way into a session: larger ones pass through. */
export const MAX_HELD_UPLOAD_BYTES = 1024 * 1024
/** ETags of one `If-Match` or `If-None-Match`: a client knows a few versions of a file. */
export const MAX_CONDITION_TAGS = 50
