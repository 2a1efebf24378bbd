/** JSON Schemas of registered tools: values are checked against them, and versions compared. */

/** Schemas within schemas, references included, which are followed recursively: deeper than JSON may be nested. */
export const MAX_SCHEMA_DEPTH = 128
/** Changes between two versions' schemas that are kept and shown. */
export const MAX_SCHEMA_CHANGES = 100
/** What references of two schemas lead to while they are compared, in UTF-16 units: some tenths of a second. */
export const MAX_COMPARED_CHARS = 2 * 1024 * 1024

/** States of a pattern in a schema; `[a-z]{64}` has 64. Each character of a text may visit all. */
export const MAX_PATTERN_STATES = 5_000
/** Groups within groups of a pattern, which are read recursively. */
export const MAX_PATTERN_DEPTH = 50

/** Steps of checking a value against a schema: one for each keyword, value and state looked at; some tenths of a second. */
export const MAX_CHECK_STEPS = 2_000_000
/** Values within values while they are checked, references counted too. */
export const MAX_CHECK_DEPTH = 300
/** Misfits that a model is told of at once. */
export const MAX_MISFITS = 5
