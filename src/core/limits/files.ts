/** Files over `/v1`: listings, archives that come in, and links. */

/** Entries of one page of a directory's listing: some hundred KiB of JSON. */
export const MAX_LISTED_FILES = 1_000
/** Levels of directories that one listing goes down: no path has more names than that. */
export const MAX_LISTING_DEPTH = 1_600
/** Size of a file that is held in memory on its way into a session: larger ones pass through. */
export const MAX_HELD_UPLOAD_BYTES = 1024 * 1024
/** ETags of one `If-Match` or `If-None-Match`: a client knows a few versions of a file. */
export const MAX_CONDITION_TAGS = 50

/** Size of an archive that comes in: it is held in memory, and passes to its session in one message, as MAX_BODY_BYTES. */
export const MAX_ARCHIVE_BYTES = 28 * 1024 * 1024
/** Files and directories of an archive that comes in: one commit of that many takes a second or two, in which the session's other changes wait. */
export const MAX_ARCHIVE_ENTRIES = 10_000
/** Size of an archive's files together, unpacked: some seconds of work of the session's object. */
export const MAX_ARCHIVE_UNPACKED_BYTES = 256 * 1024 * 1024
/** Unpacked bytes for each packed one, beyond the first FREE_UNPACKED_BYTES: source code packs to a tenth, and logs to a thirtieth. */
export const MAX_ARCHIVE_RATIO = 100
export const FREE_UNPACKED_BYTES = 16 * 1024 * 1024
/** Levels of directories in an archive: each one may be an entry of its own in the workspace. */
export const MAX_ARCHIVE_DEPTH = 64
/** Larger files of an archive than fit into the database: each takes three requests, of which a Worker may make 1,000. */
export const MAX_ARCHIVE_LARGE_FILES = 300
/** Contents of an archive's small files that are held in memory until their commit; further ones wait in the database. */
export const MAX_HELD_ARCHIVE_BYTES = 16 * 1024 * 1024
/** Work on an archive, in unpacked bytes and in entries, after which other requests have a turn. */
export const ARCHIVE_TURN_BYTES = 4 * 1024 * 1024
export const ARCHIVE_TURN_ENTRIES = 200

/** Links of one session that have not expired: each is a row, and a person may want to read their list. */
export const MAX_LINKS = 1_000
/** Time after which a link ends at the latest: what it leads to is kept as long when it is replaced. */
export const MAX_LINK_SECONDS = 7 * 24 * 60 * 60
/** Time after which a link ends where none was said: somebody opens it now, not next week. */
export const DEFAULT_LINK_SECONDS = 60 * 60
/** Length of a link's token: a path and a session's name at their longest, as JSON in base64. */
export const MAX_LINK_TOKEN_CHARS = 12_000
