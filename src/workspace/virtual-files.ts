import type { WorkspacePath } from '../core/workspace-path.ts'

/** Files of a workspace that are written when they are read. They are in no listing, and a stored entry comes before them. */
export interface VirtualFiles {
  /** @returns null when there is none at `path` */
  read(path: WorkspacePath): Uint8Array | null
}
