import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GIT_CONFIG, MACHINE_GIT_CONFIG, WITH_MACHINE_GIT_CONFIG } from './git-config.ts'
import { GATEWAY, HOST_NAME, NAMESERVER } from './isolation/policy.ts'

const AGENT_SOURCE = fileURLToPath(new URL('./agent/', import.meta.url))
const SHARED_SOURCE = fileURLToPath(new URL('./json.ts', import.meta.url))
/** File that `py/kernel.py` shares with the kernel of notebooks. */
const DRIVERS_SOURCE = fileURLToPath(new URL('../guest/kernel/drivers.py', import.meta.url))

const LOOPBACK_HOSTS = '127.0.0.1 localhost sandbox\n::1 localhost ip6-localhost\n'

/** The files of ours that every sandbox sees, read-only; `etc/` holds generated stand-ins for the host's own. */
const FILES: Readonly<Record<string, string>> = {
  'etc/passwd':
    'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/home/user:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n',
  'etc/group': 'root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  'etc/hostname': 'sandbox\n',
  'etc/hosts': LOOPBACK_HOSTS,
  'etc/hosts-internet': `${LOOPBACK_HOSTS}${GATEWAY} ${HOST_NAME}\n`,
  'etc/resolv.conf': '# no network\n',
  'etc/resolv-internet.conf': `nameserver ${NAMESERVER}\noptions timeout:3 attempts:2\n`,
  // Read by every `bash -l`: this file must stay almost empty to be fast. PATH comes with the environment.
  'etc/profile': 'if [ -n "$PS1" ]; then PS1="\\u@sandbox:\\w\\$ "; fi\n',
  'etc/gitconfig': GIT_CONFIG,
  [MACHINE_GIT_CONFIG]: WITH_MACHINE_GIT_CONFIG,
  // There are no privileges to gain, so `sudo CMD` is CMD.
  'bin/sudo':
    '#!/bin/sh\nwhile :; do case "$1" in -u|-g|-h|-p) shift 2;; --) shift; break;; -*) shift;; *) break;; esac; done\nexec "$@"\n',
}

/**
 * Prepares the agent, bundled into one file, and its other files in a directory named by its content.
 * @returns that directory; an existing one is reused
 */
export async function prepareRuntime(stateDir: string): Promise<string> {
  const root = join(stateDir, 'runtime')
  const dir = join(root, contentHash())
  if (existsSync(join(dir, 'agent.cjs'))) return dir
  const unfinished = `${dir}.${process.pid}`
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(unfinished, name, '..'), { recursive: true, mode: 0o755 })
    writeFileSync(join(unfinished, name), text, { mode: name.startsWith('bin/') ? 0o755 : 0o644 })
  }
  for (const name of readdirSync(join(AGENT_SOURCE, 'py'))) {
    if (name.endsWith('.py')) copyFileSync(join(AGENT_SOURCE, 'py', name), join(unfinished, name))
  }
  copyFileSync(DRIVERS_SOURCE, join(unfinished, 'toolyard_drivers.py'))
  await bundleAgent(join(unfinished, 'agent.cjs'))
  // The umask of the parent process must not hide these files from the sandboxes' users.
  for (const name of ['', 'etc', 'bin', ...readdirSync(unfinished)]) chmodSync(join(unfinished, name), 0o755)
  for (const name of Object.keys(FILES)) chmodSync(join(unfinished, name), 0o755)
  rmSync(dir, { recursive: true, force: true })
  renameSync(unfinished, dir)
  return dir
}

/** A copy of the Node binary below the state directory, for hosts where the original is in a closed directory. */
export function copyNode(stateDir: string): string {
  const copy = join(stateDir, 'runtime', `node-${process.version}`)
  if (!existsSync(copy)) {
    copyFileSync(process.execPath, `${copy}.new`, constants.COPYFILE_FICLONE)
    chmodSync(`${copy}.new`, 0o755)
    renameSync(`${copy}.new`, copy)
  }
  return copy
}

async function bundleAgent(outfile: string): Promise<void> {
  // Loaded only when something has to be built: it is a development tool, not part of the daemon.
  const { build, stop } = await import('esbuild')
  await build({
    entryPoints: [join(AGENT_SOURCE, 'main.ts')],
    bundle: true,
    minify: true,
    platform: 'node',
    // CommonJS starts some milliseconds faster than a module.
    format: 'cjs',
    target: 'node22',
    outfile,
  })
  // The helper process of esbuild would stay as long as the daemon.
  await stop()
}

function contentHash(): string {
  const hash = createHash('sha256').update(JSON.stringify(FILES))
  for (const source of [SHARED_SOURCE, DRIVERS_SOURCE]) hash.update(readFileSync(source))
  const names = readdirSync(AGENT_SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|py)$/.test(name),
  )
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(AGENT_SOURCE, name)))
  return hash.digest('hex').slice(0, 16)
}
