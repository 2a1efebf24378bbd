/** Views of results: how much of a result an answer shows, and what finding that part may cost. */

/** Tokens that a view shows when its caller names no number; and the least and the most that one may ask for. */
export const VIEW_TOKENS = 4_000
export const MIN_VIEW_TOKENS = 16
export const MAX_VIEW_TOKENS = 250_000
/** Length of a view's expression, with its pattern or path, in UTF-16 units: what `file_search` takes, and the words before it. */
export const MAX_VIEW_CHARS = 1_020
/** Steps of a JSONPath: each goes through all values that the one before found. */
export const MAX_PATH_STEPS = 50
/** Values that one JSONPath looks at: two descents into a result of a million characters. */
export const MAX_PATH_WORK = 500_000
/** Work of one pattern in a result: some tenths of a second, without a pause. A result has a million characters. */
export const VIEW_PATTERN_WORK = 20_000_000
/** Lines that a view by a pattern shows around each match. */
export const VIEW_CONTEXT_LINES = 2
