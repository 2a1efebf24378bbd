import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The user on the host that a sandbox's processes and files belong to. */
export interface HostUser {
  readonly uid: number
  readonly gid: number
}

/** First of the uids that a root daemon gives to sandboxes; above what distributions and container tools hand out. */
const FIRST_UID = 1_879_048_192

/**
 * Host user of a sandbox. With a root daemon each sandbox gets an unprivileged uid of its own, so that neither it nor its
 * files are root's, nor another sandbox's. With an ordinary user, that user.
 */
export function hostUser(slot: number): HostUser | null {
  return process.getuid?.() === 0 ? { uid: FIRST_UID + slot, gid: FIRST_UID + slot } : null
}

/** The directories above `path` that such a user could not pass through. bwrap resolves its mounts as that user. */
export function impassable(path: string): string[] {
  const blocked: string[] = []
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) blocked.push(dir)
    if (dir === dirname(dir)) return blocked
  }
}
