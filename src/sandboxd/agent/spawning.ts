import type { ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { errnoOf, messageOf } from '../json.ts'
import { RpcError } from './connect-json.ts'
import type { Boot } from './environment.ts'

/** Command with an address-space limit: the least bound, where there is no cgroup. */
export function limited(boot: Boot, command: readonly string[]): readonly string[] {
  return boot.addressSpaceBytes > 0 ? ['/usr/bin/prlimit', `--as=${boot.addressSpaceBytes}`, '--', ...command] : command
}

/** Remembers a child's group until it ends, and lets the kernel take it before the agent when memory runs out. */
export function adopt(boot: Boot, child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  boot.groups.add(pid)
  child.once('close', () => boot.groups.delete(pid))
  const file = `/proc/${pid}/oom_score_adj`
  try {
    if (existsSync(file)) writeFileSync(file, '500')
  } catch (error) {
    // The process may have ended already (ENOENT, ESRCH), or have changed its credentials (EACCES).
    if (errnoOf(error) === null) throw error
  }
}

/**
 * Spawns, or throws a refusal. Some refusals (EACCES, E2BIG, EAGAIN) are thrown by `spawn`, others arrive as its `error`
 * event.
 */
export function spawnOrRefuse<T>(start: () => T): T {
  try {
    return start()
  } catch (error) {
    throw refusal(error)
  }
}

/** Error for a client about a command that could not be started. */
export function refusal(error: unknown): RpcError {
  const code = errnoOf(error)
  if (code === 'ENOENT') return new RpcError('not_found', messageOf(error))
  if (code === 'EAGAIN') return new RpcError('resource_exhausted', 'the sandbox has reached its process limit')
  return new RpcError('invalid_argument', messageOf(error))
}
