import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostUser } from './host-user.ts'

/** Directories of a sandbox on the host, below its own. */
export interface Directories {
  readonly home: string
  readonly agentState: string
  /** Directory for the daemon only: the agent's socket. */
  readonly run: string
  readonly bootIdFile: string
}

/** Makes missing directories. `user` owns those that the sandbox may write. */
export function makeDirectories(dir: string, user: HostUser | null): Directories {
  const run = join(dir, 'run')
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run, { recursive: true, mode: 0o700 })
  chmodSync(dir, user === null ? 0o700 : 0o711)
  const home = ownDirectory(join(dir, 'home'), user)
  const agentState = ownDirectory(join(dir, 'agent'), user)
  // A new one per boot: programs tell a reboot by it.
  const bootIdFile = join(dir, 'boot_id')
  writeFileSync(bootIdFile, `${randomUUID()}\n`)
  chmodSync(bootIdFile, 0o644)
  return { home, agentState, run, bootIdFile }
}

function ownDirectory(path: string, user: HostUser | null): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user !== null && statSync(path).uid !== user.uid) chownSync(path, user.uid, user.gid)
  return path
}
