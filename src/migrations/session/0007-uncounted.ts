import type { Migration } from '../migration.ts'

/**
 * Changes no table. From this version on some references are not in `workspace_blobs` (`workspace_uncounted` in `lazy-tables.ts`): a server
 * of an earlier one would release contents too early, and refuses this version.
 */
export const uncounted: Migration = { name: '0007-uncounted', upgrade() {} }
