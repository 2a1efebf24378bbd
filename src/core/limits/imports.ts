/** Tools that come from a file, or from the description of an API. */

/**
 * Length of a file of tools as JSON, in UTF-16 units: some thousands of tools; on its way into the database it is there several
 * times.
 */
export const MAX_TOOL_FILE_CHARS = 4 * 1024 * 1024

/** Length of a file of tools as YAML: each character takes 70 bytes while it is read; two thousand tools. */
export const MAX_YAML_CHARS = 1024 * 1024
/** Tokens of YAML, each up to 500 bytes while it is read; a usual file of MAX_YAML_CHARS has 150,000. */
export const MAX_YAML_TOKENS = 200_000
/** Depth of lists and maps in YAML: as JSON's. */
export const MAX_YAML_DEPTH = 64
/** Size of YAML with each alias expanded: its UTF-16 units, and its values. */
export const MAX_YAML_VALUE_CHARS = 2 * 1024 * 1024

/** Problems of one file that an answer names; whoever corrects them sees the next. */
export const MAX_FILE_PROBLEMS = 50

/** Length of an API description, in UTF-16 units: the largest public ones in JSON have ten million. */
export const MAX_API_DOCUMENT_CHARS = 12_000_000
/**
 * Values looked at while one API description is read, each counted again per reference: the largest public ones take some 4
 * million.
 */
export const MAX_API_DOCUMENT_WORK = 20_000_000
/** References of an API description that lead from one to the next. */
export const MAX_REFERENCES = 16

/** Tools of one API description: the APIs that XAgent came with are 4,208. */
export const MAX_IMPORTED_TOOLS = 5_000
/**
 * Size of an import's tools together as JSON, two bytes a character for a tool with characters beyond Latin-1: they go to the
 * tenant's object in one message, of 32 MiB.
 */
export const MAX_IMPORTED_BYTES = 24_000_000
/** Levels of a schema that is assembled from its references, and its parts in all: a model reads them. */
export const MAX_IMPORTED_SCHEMA_DEPTH = 8
export const MAX_IMPORTED_SCHEMA_PARTS = 400
/** Length of a description in an imported schema, in UTF-16 units: the rest is left out. */
export const MAX_IMPORTED_DESCRIPTION_CHARS = 4_000
/** Length of an env's name, in UTF-16 units: it stands before the name of each of its tools. */
export const MAX_ENV_NAME_CHARS = 60
/** Operations left out of an import that its answer names. */
export const MAX_SHOWN_SKIPPED = 100
