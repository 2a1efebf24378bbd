/**
 * Runs `work` when nothing else changes the session's files, after the changes of running commands so far were synced. For a tool
 * that waits long and then writes: what `work` reads still holds when it commits.
 */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>
