/** History of a session's files: pages of commits, of their changes, and of differences. */

/** Commits of one page: with the changes that each shows some hundred KiB of JSON. */
export const MAX_LISTED_COMMITS = 200
/** Commits that one call of a tool lists: a model looks for the few of its last steps. */
export const MAX_TOOL_COMMITS = 100
/** Changes that each commit of a list shows: what an agent changed by hand; more are asked for commit by commit. */
export const COMMIT_CHANGES_SHOWN = 10
/** Changes of one page of a commit, some hundred KiB of JSON. */
export const MAX_LISTED_CHANGES = 1_000
/** Changes that the answer to a restore shows. */
export const RESTORED_CHANGES_SHOWN = 100

/** Differing paths of one page, each of which may take two requests to the blob store. */
export const MAX_DIFF_PATHS = 100
/** Text of the hunks of one page, in UTF-16 units: a page is held in memory a few times over. */
export const MAX_DIFF_PAGE_CHARS = 512 * 1024
/** Text that a page of differences has unless its caller asks for another length, as ANSWER_CHARS. */
export const DIFF_CHARS = 64_000
/** Size of a text that is compared by lines, and its lines: ten milliseconds of one thread that serves many. */
export const MAX_DIFF_FILE_BYTES = 1024 * 1024
export const MAX_DIFF_FILE_LINES = 50_000
/** Size of the texts of one page together: 100 ms of that thread. */
export const MAX_DIFF_PAGE_BYTES = 8 * 1024 * 1024
/** Steps of the comparisons of one page together, of some nanoseconds each; what is left then is shown as replaced whole. */
export const MAX_DIFF_PAGE_STEPS = 8_000_000
/** Steps of one file among these. */
export const MAX_DIFF_FILE_STEPS = 1_000_000
/** Files whose contents are fetched together, MAX_DIFF_FILE_BYTES each. */
export const DIFF_FETCH_FILES = 8
