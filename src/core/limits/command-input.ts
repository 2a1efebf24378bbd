/** Input and environment that a call gives its command. */

/** Size of the text on a command's standard input, in UTF-8: what a pipe holds, so that writing it never waits for the command. */
export const MAX_STDIN_BYTES = 64 * 1024
/** Environment variables of one command. */
export const MAX_ENV_VARIABLES = 100
/** Size of all of them together, names included, in UTF-8: Linux takes 128 KiB for one, and the script may need as much. */
export const MAX_ENV_BYTES = 64 * 1024
/** Length from which the value of a variable that a name calls secret is masked: a shorter one stands in texts by chance. */
export const MIN_MASKED_CHARS = 8
/** Arguments of one program, and their length together in UTF-16 units. */
export const MAX_PROGRAM_ARGUMENTS = 200
export const MAX_PROGRAM_ARGUMENT_CHARS = 16_000
