/** Finding in files: what patterns may be, what one search reads, and how long it computes. */

/** Times that one repeat of a pattern may ask for, as RE2 has it. */
export const MAX_PATTERN_REPEATS = 1_000
/** Groups of a pattern within each other: they are read by recursion. */
export const MAX_PATTERN_NESTING = 100
/** Instructions of a pattern, its repeats written out: one character of a text costs this many steps at most. */
export const MAX_PATTERN_STATES = 10_000
/** Kinds of characters that a pattern tells apart. Patterns of MAX_SEARCH_CHARS reach it only when built to. */
export const MAX_CHARACTER_KINDS = 4_096
/** Cells of an automaton's table, of 4 bytes and up to three times that beside them; a search has three tables. */
export const MAX_AUTOMATON_CELLS = 256 * 1024
/** Runs of 256 characters whose kinds are remembered, of 512 bytes each: Chinese has 82, all of Unicode 4,352. */
export const MAX_KIND_PAGES = 256
/** The same two limits for a glob, which reads paths alone: a search may have MAX_GITIGNORE_RULES of them. */
export const MAX_GLOB_CELLS = 2 * 1024
export const MAX_GLOB_KIND_PAGES = 8

/** Steps of a search, each of some nanoseconds, between two pauses: some milliseconds for which others in the isolate wait. */
export const SEARCH_SLICE_WORK = 250_000
/** Steps of one search: a few seconds of the processor, of the 30 that the platform grants. 100 MB of text take a third. */
export const MAX_SEARCH_WORK = 300_000_000

/** Lines that a search of a directory shows unless told otherwise, and at most. */
export const DEFAULT_FOUND_LINES = 100
export const MAX_FOUND_LINES = 500
/** Lines shown around a match, on each side. */
export const MAX_CONTEXT_LINES = 20
/** Bytes that one search of a directory reads: a first look at more would take a client's patience. */
export const MAX_SEARCH_BYTES = 256 * 1024 * 1024
/** Contents that one search fetches from the blob store: each is a request, of which a Worker may make 1,000. */
export const MAX_SEARCH_FETCHES = 500
/** Contents held at once: so many files, of so many bytes together unless one is larger by itself. */
export const SEARCH_BATCH_FILES = 64
export const SEARCH_BATCH_BYTES = 2 * 1024 * 1024
/** Entries of a listing held at once by a walk. */
export const WALK_PAGE_ENTRIES = 1_000

/** Length of a glob, in UTF-16 units. */
export const MAX_GLOB_CHARS = 500
/** Files that `file_glob` shows unless told otherwise, and at most. */
export const DEFAULT_GLOB_FILES = 200
export const MAX_GLOB_FILES = 2_000
/** Size of a .gitignore that is heeded, and the rules of all of them: each is tried on each path. */
export const MAX_GITIGNORE_BYTES = 64 * 1024
export const MAX_GITIGNORE_RULES = 500

/** Paths that one call of file_info describes: each file up to MAX_EDIT_BYTES is read for its encoding and lines. */
export const MAX_INFO_PATHS = 20
