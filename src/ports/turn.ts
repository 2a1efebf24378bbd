/**
 * Runs `work` when nothing else changes the session's files, and after what running commands wrote so far was taken
 * over. For a tool that waits long and then writes: what it looks up in there still holds when it commits.
 */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>
