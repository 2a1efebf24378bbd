const WHAT_TO_DO =
  'files can still be read; ask whoever runs the server to free space on its disk, then call again: nothing has to be restarted'

/** Failure of a write that was refused because the server's disk is full. */
export const DISK_FULL = {
  code: 'insufficient_storage',
  message: `insufficient storage: the disk of the server is full, so nothing was changed; ${WHAT_TO_DO}`,
} as const

/** Failure of a call that met the full disk in its middle: nobody knows how far it came. */
export const CUT_OFF_BY_FULL_DISK = {
  code: 'insufficient_storage',
  message: `insufficient storage: the disk of the server became full during the call, which may have been carried out in part and is in no history: look before you repeat it; ${WHAT_TO_DO}`,
} as const

/**
 * Texts of disk errors from SQLite, Node and workerd's own files, and of our own failure, whose class is lost between objects.
 */
const SIGNS = /SQLITE_FULL|ENOSPC|No space left on device|\[insufficient_storage\]/

/** Whether an error means that a disk of this server is full. */
export const isDiskFull = (thrown: unknown): boolean => thrown instanceof Error && SIGNS.test(thrown.message)
