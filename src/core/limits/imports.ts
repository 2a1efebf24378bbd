/** Tools that come from a file, or from the description of an API. */

/** A file of tools as JSON, in UTF-16 units: some thousands; on its way into the database it is there several times. */
export const MAX_TOOL_FILE_CHARS = 4 * 1024 * 1024

/** The same as YAML, of which each character takes 70 bytes while it is read: two thousand tools. */
export const MAX_YAML_CHARS = 1024 * 1024
/** Tokens of YAML, each up to 500 bytes while it is read; a usual file of MAX_YAML_CHARS has 150,000. */
export const MAX_YAML_TOKENS = 200_000
/** Lists and maps within each other: as JSON's. */
export const MAX_YAML_DEPTH = 64
/** What YAML comes to when each alias is what it stands for, in UTF-16 units and values. */
export const MAX_YAML_VALUE_CHARS = 2 * 1024 * 1024

/** Problems of one file that are named; who has mended them sees the next. */
export const MAX_FILE_PROBLEMS = 50

/** A description of an API: the largest public ones in JSON have ten million. In UTF-16 units. */
export const MAX_API_DOCUMENT_CHARS = 12_000_000
/** What reading one description looks at, each time anew that something is referred to: the largest public ones take some 4 million. */
export const MAX_API_DOCUMENT_WORK = 20_000_000
/** References that follow one another in one. */
export const MAX_REFERENCES = 16

/** Tools of one such description: the APIs that XAgent came with are 4,208. */
export const MAX_IMPORTED_TOOLS = 5_000
/** Size of an import's tools together as JSON, two for each character of a tool that has some beyond Latin-1: they go to the tenant's object in one message, of 32 MiB. */
export const MAX_IMPORTED_BYTES = 24_000_000
/** Levels of a schema that is put together of its references, and its parts in all: a model reads them. */
export const MAX_IMPORTED_SCHEMA_DEPTH = 8
export const MAX_IMPORTED_SCHEMA_PARTS = 400
/** Length of a description in such a schema, in UTF-16 units: what is behind it is left out. */
export const MAX_IMPORTED_DESCRIPTION_CHARS = 4_000
/** Length of the name of an env, in UTF-16 units: it stands before each of its tools' names. */
export const MAX_ENV_NAME_CHARS = 60
/** Operations that were left out of an import, as its answer names them. */
export const MAX_SHOWN_SKIPPED = 100
