/** Files of a session: names and sizes, what file tools show of them, history, locks, and how contents reach the blob store. */

/** Length of one name in a path: Linux's NAME_MAX; a longer name could not exist in a sandbox. */
export const MAX_NAME_BYTES = 255
/** Length of a path: below Linux's PATH_MAX of 4,096, with room for the workspace's own place in a sandbox. */
export const MAX_PATH_BYTES = 3_072

/** Size of a file that a tool reads or writes whole: it passes through the isolate's 128 MB of memory, a few copies at once. */
export const MAX_EDIT_BYTES = 20 * 1024 * 1024
/** Size of one file of a workspace. Larger ones stay in the sandbox and the result says so. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024
/**
 * Entries of a workspace: 100,000 files, and a directory for each ten of them. A listing of them, and the manifest, are held in
 * memory once per call.
 */
export const MAX_WORKSPACE_ENTRIES = 110_000
/** Size of all files of one workspace together. */
export const MAX_WORKSPACE_BYTES = 5 * 1024 * 1024 * 1024

/** Entries of one `dir_list`: more would flood a model, and the answer says that it was cut. */
export const MAX_LISTED_ENTRIES = 5_000
/** Files of one directory in `file_tree`, as XAgent's own server shows them. */
export const MAX_TREE_FILES_PER_DIRECTORY = 20
/** Text that one `file_read` returns at most, in UTF-16 units, and as much of a notebook; without `max_chars` it returns FILE_READ_CHARS. */
export const MAX_READ_CHARS = 1024 * 1024
/** Text that one numbered read or edit returns, in UTF-16 units without the numbers: what XAgent's own server gave. */
export const MAX_NUMBERED_CHARS = 100_000

/** Length of the text that `file_search` looks for: a long line. */
export const MAX_SEARCH_CHARS = 1_000
/** Paths that one `file_delete` names: more than a model writes out, and each is looked up. */
export const MAX_DELETED_PATHS = 500
/** Length of one line that `file_search` shows, in UTF-16 units. */
export const MAX_SHOWN_LINE_CHARS = 1_000
/** Places that `file_search` names in one line. */
export const MAX_MATCHES_PER_LINE = 100

/**
 * Changes of one commit up to which its contents are kept in its own transaction; those of a larger one are kept ahead of it, in
 * slices, between which everybody else goes on.
 */
export const MAX_COMMIT_CHANGES_AT_ONCE = 128
/** Contents of one such slice, and their size in bytes: some twenty milliseconds; each is a write to the disk of its own. */
export const COMMIT_SLICE_CONTENTS = 512
export const COMMIT_SLICE_BYTES = 1024 * 1024
/** Length of the JSON that a statement takes as a parameter: a Durable Object takes texts of 2 MB, and UTF-8 may be three times as long. */
export const JSON_BATCH_CHARS = 256 * 1024

/** Locks of one session: every commit checks them, in memory. */
export const MAX_LOCKS = 1_000
/** Length of a locker's name, in UTF-16 units: it stands in errors. */
export const MAX_LOCKER_NAME_CHARS = 200

/** Time for which a superseded state of a workspace can be restored. */
export const COMMIT_RETENTION_MS = 7 * 24 * 60 * 60_000
/** Commits kept even when young: bounds the table under a loop of writes. */
export const MAX_COMMITS = 10_000
/** Changes of single paths kept in a workspace's history, and the contents they lead back to: bounds a loop of moves or of large writes. */
export const MAX_KEPT_CHANGES = 500_000
/** Changes of a commit from which on undoing it leaves references uncounted: counting fewer takes less time than a table of its own. */
export const UNCOUNTED_FROM_CHANGES = 1_000
/** Size of the contents that history keeps, as MAX_WORKSPACE_BYTES: history may cost as much again as the workspace itself. */
export const MAX_KEPT_BYTES = 5 * 1024 * 1024 * 1024
/** Commits dropped in one step: some milliseconds, in which the session's calls wait. */
export const EXPIRE_BATCH_COMMITS = 500
/** Steps of one alarm that drops commits. */
export const EXPIRE_BATCHES = 10
/** Pause between two alarms while there is more to drop: 5,000 commits a second, several times what a session can make. */
export const EXPIRE_AGAIN_MS = 1_000
/** Interval at which an unused session still drops its old commits, until none is left. */
export const HISTORY_UPKEEP_MS = 24 * 60 * 60_000

/** Manifest entries that a session holds in memory, of some hundred bytes each; an agent works on fewer paths. */
export const MAX_KNOWN_ENTRIES = 256

/** Entries among which directories are counted for who looks at a session: a scan of so many rows takes some milliseconds. */
export const MAX_COUNTED_ENTRIES = 10_000

/** Size of a content that is committed in SQLite first: one local write. SQLite's rows must stay under 2 MB. */
export const MAX_INLINE_BLOB_BYTES = 64 * 1024
/**
 * Size of the small contents kept beside the manifest, those that reached the blob store among them: reading them stays local, and a
 * search of 10,000 files fetches none. SQLite costs 13 times as much as R2: these cost two and a half cents a month. To drop 10,000 writes
 * 20,000 rows, which costs as much.
 */
export const MAX_LOCAL_CONTENT_BYTES = 128 * 1024 * 1024
/**
 * Small contents that wait in SQLite until there are more, and their size. To carry one to the blob store costs a request there and
 * seven rows, as much as 64 KiB in SQLite for a month; most are replaced and forgotten before. A fork copies them.
 */
export const MAX_WAITING_CONTENTS = 1_024
export const MAX_WAITING_CONTENT_BYTES = 8 * 1024 * 1024
/** Time after a call until the session does what may come later, such as sending contents to the blob store, for many calls together. */
export const FLUSH_AFTER_MS = 10_000
/** Contents that go to the blob store in one step: 4 MiB of memory at most. */
export const FLUSH_BATCH_BLOBS = 64
/**
 * Steps of one alarm that sends contents: 640 contents, each a request to the blob store, of which a Worker may make 1,000 at a
 * time.
 */
export const FLUSH_BATCHES = 10
/**
 * Time until an alarm that left contents unsent goes on: requests in between do not wait for the object's only thread. 100,000 contents
 * are sent in some minutes, and a fork of their session copies those that are not.
 */
export const FLUSH_AGAIN_MS = 500

/** Blobs released in one step: one call's arguments stay near 64 KiB. */
export const RELEASE_BATCH_BLOBS = 1_000
/**
 * Time that an unreferenced blob is kept: downloads that began before can end, and content that is written again soon need not be
 * sent again.
 */
export const BLOB_GRACE_MS = 24 * 60 * 60_000
/** Longest time for which an owner may have them kept: three times as long as the platform keeps states of objects (OBJECT_STATES_DAYS). */
export const MAX_BLOB_GRACE_DAYS = 90
/** Blobs deleted in one step: R2 takes 1,000 keys in a call. */
export const DELETE_BATCH_BLOBS = 1_000
/** Size above which a content passes through to R2 without being held in memory, at the price of a second write there. */
export const MAX_BUFFERED_BLOB_BYTES = 8 * 1024 * 1024
