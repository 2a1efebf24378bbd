import { join } from 'node:path'
import type { Config } from '../config.ts'
import { copyNode, prepareRuntime } from '../runtime-files.ts'
import { lockState, stateName } from '../state-lock.ts'
import { type BwrapHost, bootBwrap } from './bwrap-boot.ts'
import { openCgroups } from './cgroup.ts'
import { impassable } from './host-user.ts'
import type { Isolation } from './isolation.ts'
import { seccompFilter } from './seccomp.ts'
import { findTools } from './tools.ts'

/**
 * Isolation by bubblewrap: namespaces, an own host user where the daemon is root, a system call filter, a control group
 * and a user-mode network per sandbox, as far as the machine allows.
 * @throws IsolationUnavailable
 */
export async function openBwrap(config: Config): Promise<Isolation> {
  const tools = findTools()
  const notes: string[] = []
  const runtimeDir = await prepareRuntime(config.stateDir)
  const cgroups = await openCgroups(stateName(config.stateDir), isAbandoned)
  const filter = seccompFilter(process.arch)
  const separateUsers = canSeparateUsers(config.stateDir, notes)
  const nodePath =
    separateUsers && impassable(process.execPath).length > 0 ? copyNode(config.stateDir) : process.execPath

  if (cgroups === null) notes.push('no writable cgroup: memory is limited per process only')
  if (filter === null) notes.push(`no seccomp table for ${process.arch}: system calls are not filtered`)
  if (tools.whyOffline !== null) notes.push(`sandboxes have no network: ${tools.whyOffline}`)

  const internet = tools.whyOffline === null
  const host: BwrapHost = { config, cgroups, filter, runtimeDir, nodePath, separateUsers, internet }
  return {
    notes,
    internet,
    limitsMemory: cgroups !== null,
    boot: (spec) => bootBwrap(spec, host),
    async close() {
      cgroups?.close()
    },
  }
}

function canSeparateUsers(stateDir: string, notes: string[]): boolean {
  if (process.getuid?.() !== 0) return false
  const blocked = impassable(join(stateDir, 'sandbox'))
  if (blocked.length === 0) return true
  notes.push(
    `sandboxes run as this host's root user, because others may not enter ${blocked.join(', ')}: chmod o+x, or another --state`,
  )
  return false
}

/** Whether no daemon holds that name's lock. */
async function isAbandoned(name: string): Promise<boolean> {
  const unlock = await lockState(name)
  unlock?.()
  return unlock !== null
}
