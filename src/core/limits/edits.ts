/** Edits of text files: what they look through, what they change at once, and what they show. */

/** Unchanged lines shown on either side of changed ones: enough to see the place, as in a unified diff. */
export const CHANGE_CONTEXT_LINES = 3
/** Changed lines that one answer or refusal shows, in UTF-16 units: the model wrote most of them itself. */
export const MAX_SHOWN_CHANGE_CHARS = 6_000
/** Length of one line in such a view, in UTF-16 units. */
export const MAX_SHOWN_CHANGE_LINE_CHARS = 500
/** Line numbers that one refusal names. */
export const MAX_NAMED_LINES = 10

/** Places that `file_edit` replaces at once: some bytes of memory each; more than any text that is edited by hand has. */
export const MAX_REPLACED_PLACES = 100_000

/** Part of a file that is looked through for lines like a text that was not found, in UTF-16 units: tens of milliseconds. */
export const MAX_COMPARED_CHARS = 1_000_000
/** Lines of such a text that are compared: more say nothing new about the place. A bit of a byte each. */
export const MAX_COMPARED_LINES = 8
/** Length of a line as it is compared, in UTF-16 units. */
export const MAX_COMPARED_LINE_CHARS = 500

/** Entries of a directory whose names are compared with one that was not found: a misspelled name costs a thousand units per name. */
export const MAX_COMPARED_NAMES = 1_000
/** Entries among which a name that was not found is looked for by equality: some milliseconds. */
export const MAX_NAMES_LOOKED_THROUGH = 5_000

/** Length of a patch, in UTF-16 units: more than a model writes; it is held in lines, beside the files that it changes. */
export const MAX_PATCH_CHARS = 1_000_000
/** Files of one patch: each is read, and named in the answer. */
export const MAX_PATCH_FILES = 100
/** Hunks of one patch: each that does not fit at its line is looked for in the whole file. */
export const MAX_PATCH_HUNKS = 1_000
/** Size of all files that one patch changes, as MAX_EDIT_BYTES is for one: they are held in memory together until all fit. */
export const MAX_PATCHED_BYTES = 20 * 1024 * 1024
/** Lines compared while hunks are looked for elsewhere than at their line numbers, in one file: about a tenth of a second. */
export const MAX_COMPARED_HUNK_LINES = 20_000_000

/** Replacements of one `file_edit`: each reads the whole file, of up to MAX_EDIT_BYTES. */
export const MAX_EDITS = 50
/** Length of the file times the number of edits, in UTF-16 units: a second or two. */
export const MAX_EDITS_CHARS = 50_000_000
