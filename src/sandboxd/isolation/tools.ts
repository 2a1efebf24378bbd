import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { errnoOf } from '../json.ts'
import { IsolationUnavailable } from './isolation.ts'

const REQUIRED = new Map([
  ['bwrap', 'bubblewrap'],
  ['bash', 'bash'],
  ['prlimit', 'util-linux'],
  ['unshare', 'util-linux'],
])

/**
 * Looks for the programs that isolation is made of, and tries it once: some hosts have bubblewrap and forbid it.
 * @throws IsolationUnavailable with what to install or to allow
 */
export function findTools(): { internet: boolean } {
  const missing = [...REQUIRED].filter(([name]) => !isInstalled(name)).map(([, aptPackage]) => aptPackage)
  if (missing.length > 0) {
    throw new IsolationUnavailable(`isolation needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`)
  }
  const probe = spawnSync(
    'bwrap',
    ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'bash', '-c', ':'],
    {
      encoding: 'utf8',
      timeout: 10_000,
    },
  )
  if (probe.status !== 0) {
    throw new IsolationUnavailable(
      `bubblewrap cannot make a sandbox here: ${probe.stderr.trim() || 'no answer'}. Unprivileged user namespaces must be ` +
        'allowed (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; Docker: --security-opt seccomp=unconfined)',
    )
  }
  return { internet: isInstalled('slirp4netns') && isInstalled('ip') }
}

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, name), constants.X_OK)
      return true
    } catch (error) {
      if (errnoOf(error) === null) throw error
      return false
    }
  })
}
