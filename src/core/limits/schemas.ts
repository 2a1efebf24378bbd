/** JSON Schemas of registered tools: the server checks values against them, and compares versions. */

/** Depth of schemas within schemas, references included, which are followed recursively: deeper than JSON may be nested. */
export const MAX_SCHEMA_DEPTH = 128
/** Changes between two versions' schemas that are kept and shown. */
export const MAX_SCHEMA_CHANGES = 100
/**
 * Length of the schemas that references of two versions lead to while they are compared, in UTF-16 units: some tenths of a
 * second.
 */
export const MAX_COMPARED_CHARS = 2 * 1024 * 1024

/** States of a pattern in a schema; `[a-z]{64}` has 64. Each character of a text may visit all of them. */
export const MAX_PATTERN_STATES = 5_000
/** Depth of groups within groups of a pattern, which are read recursively. */
export const MAX_PATTERN_DEPTH = 50

/** Steps of checking a value against a schema: one for each keyword, value and state looked at; some tenths of a second. */
export const MAX_CHECK_STEPS = 2_000_000
/** Depth of values within values while they are checked, references counted too. */
export const MAX_CHECK_DEPTH = 300
/** Mismatches that one answer lists for a model. */
export const MAX_MISFITS = 5
