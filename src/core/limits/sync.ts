/** Sync between a session's workspace and its sandbox, and our own short scripts there. */

/** Time for a short script of ours in a sandbox: it takes milliseconds, and seconds on a busy machine. */
export const SANDBOX_SCRIPT_MS = 20_000
/** Time to prepare a new sandbox, files and packages apart. */
export const BOOTSTRAP_MS = 60_000

/** Time to list 100,000 files on a busy machine. */
export const SYNC_LIST_MS = 60_000
/** Time to unpack an archive of 5 GB in a sandbox, which comes over a slow line. */
export const SYNC_PUSH_MS = 15 * 60_000
/**
 * Size of one file of the archive that carries files into a sandbox, or out of it. Hosts bound a file's size: the local one at 1,024 MiB, which an
 * archive of a whole workspace may exceed.
 */
export const MAX_ARCHIVE_PART_BYTES = 256 * 1024 * 1024
/**
 * Size of files from which on a sample of an archive decides whether it is packed: what is packed already, as pictures or archives, becomes no
 * smaller, and a GiB of it takes half a minute of a processor on each side.
 */
export const MIN_SAMPLED_BYTES = 16 * 1024 * 1024
/** Size of such a sample: some 30 ms. */
export const SAMPLE_BYTES = 1024 * 1024
/** Part of its size that a sample has at most, packed, where packing is worth its time. */
export const MAX_PACKED_SHARE = 0.9
/** Bytes of one file in a sample in the sandbox: files of many kinds may come together. */
export const SAMPLED_FILE_BYTES = 256 * 1024
/** Time for a sample in the sandbox, in seconds: code of the task may have put something there that is read for ever. */
export const SAMPLE_SECONDS = 5
/** Time to pack files in a sandbox, however few bytes they have: many small files on a busy machine. */
export const SYNC_PACK_MS = 15 * 60_000
/** Time to transfer an archive, apart from what depends on its size. */
export const TRANSFER_BASE_MS = 60_000
/** Least speed of a transfer: that of a slow line. A slower archive is slow on purpose. */
export const MIN_TRANSFER_BYTES_PER_MS = 512

/** Size of one entry of a listing: the longest path, as long a target, and the numbers. */
export const MAX_LISTING_RECORD_BYTES = 8 * 1024
/** Size of the headers of one entry of an archive, the longest name included, and what fills its last block. */
export const MAX_ENTRY_OVERHEAD_BYTES = 8 * 1024
/** Growth of all files together between listing and packing. */
export const MAX_GROWTH_BYTES = 32 * 1024 * 1024

/** Rules of a `.toolyardignore`; further lines are not read: each rule is a test at every file of a listing. */
export const MAX_IGNORE_RULES = 100
/** Size of a `.toolyardignore`. A larger one is not read; the defaults hold then. */
export const MAX_IGNORE_FILE_BYTES = 1024 * 1024

/** Time after which a change that was taken over by the watcher's word alone is followed by a look at all files. */
export const FILE_CHECK_MS = 30_000
/** Least time between two such looks, in times of the last one's duration: calls wait while one is under way. */
export const FILE_CHECK_SHARE = 50

/** Processes of commands that are asked what they hold before a push replaces or removes files: more would delay the push, and its answer names few. */
export const MAX_HOLDERS = 100
/** Size of what such processes are said to hold: some hundred files. */
export const MAX_HOLDER_BYTES = 64 * 1024
/** Notes on held files in one answer. */
export const MAX_HOLDER_NOTES = 5
/** Length of a program's name in these notes: Linux keeps so much of it, and a file's name may forge a longer one. */
export const MAX_PROGRAM_NAME_CHARS = 15
