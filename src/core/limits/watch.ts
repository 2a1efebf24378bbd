/** Limits of those who watch a session's files. */

/** Watchers of one session: each costs a message for each commit, and a look at the tables. */
export const MAX_WATCHERS = 64
/** Time after a commit in which further ones are waited for, so that a loop of writes is one message to each watcher. */
export const WATCH_BATCH_MS = 50
/** Silence after which a watcher is sent a line, in milliseconds: proxies close what is silent for half a minute. */
export const WATCH_HEARTBEAT_MS = 15_000
/** Commits that one look at the tables gives a watcher. */
export const MAX_WATCHED_COMMITS = 50
/** Paths that the event of one commit names; it counts the rest. */
export const MAX_WATCHED_CHANGES = 100
