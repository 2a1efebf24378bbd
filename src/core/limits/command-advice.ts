/** Output of a command, from its end, in which advice looks for what went wrong: errors stand at the end. */
export const MAX_ADVISED_CHARS = 4_000
/** Lines of it that name a missing file, and names in them that are looked up. */
export const MAX_ADVISED_NAMES = 20
