import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf } from '../json.ts'

export interface CgroupLimits {
  readonly memoryBytes: number
  readonly pids: number
}

/** Control group of one sandbox. */
export interface Cgroup {
  attach(pid: number): void
  /** Freezer; `null` where frozen processes could not be killed, as before version 2. */
  readonly freezer: { freeze(): Promise<boolean>; thaw(): void } | null
  cpuMicros(): number
  memoryBytes(): number
  /** Removes the group. All processes must be gone. */
  remove(): Promise<void>
}

export interface Cgroups {
  /** The daemon's own groups, one per hierarchy. */
  readonly bases: readonly string[]
  open(id: string, limits: CgroupLimits): Cgroup
  /** Removes the daemon's own level. */
  close(): void
}

const MOUNT = '/sys/fs/cgroup'

const PREFIX = 'sandboxd-'

/**
 * Control groups below this daemon's own, named after its state directory; `null` when the machine grants none.
 * @param isAbandoned whether the daemon of another name has ended: after a `kill -9` its empty groups are still there, and
 *   are removed here
 */
export async function openCgroups(
  name: string,
  isAbandoned: (name: string) => Promise<boolean>,
): Promise<Cgroups | null> {
  const cgroups = openV2(PREFIX + name) ?? openV1(PREFIX + name)
  for (const base of cgroups?.bases ?? []) {
    for (const sibling of readdirSync(join(base, '..'))) {
      if (!sibling.startsWith(PREFIX) || sibling === PREFIX + name) continue
      if (await isAbandoned(sibling.slice(PREFIX.length))) removeTree(join(base, '..', sibling))
    }
  }
  return cgroups
}

function openV2(name: string): Cgroups | null {
  if (!existsSync(join(MOUNT, 'cgroup.controllers'))) return null
  for (const parent of [join(MOUNT, ownPath('')), MOUNT]) {
    const base = join(parent, name)
    if (!makeBase(base)) continue
    tryWrite(join(parent, 'cgroup.subtree_control'), '+memory +pids')
    tryWrite(join(base, 'cgroup.subtree_control'), '+memory +pids')
    const enabled = tryRead(join(base, 'cgroup.subtree_control'))
    if (!enabled.includes('memory') || !enabled.includes('pids')) {
      removeDirectory(base)
      continue
    }
    return { bases: [base], open: (id, limits) => v2Group(join(base, id), limits), close: () => removeDirectory(base) }
  }
  return null
}

function v2Group(dir: string, limits: CgroupLimits): Cgroup {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'memory.max'), String(limits.memoryBytes))
  tryWrite(join(dir, 'memory.swap.max'), '0')
  writeFileSync(join(dir, 'pids.max'), String(limits.pids))
  return {
    attach: (pid) => writeFileSync(join(dir, 'cgroup.procs'), String(pid)),
    freezer: {
      async freeze() {
        writeFileSync(join(dir, 'cgroup.freeze'), '1')
        return await until(() => tryRead(join(dir, 'cgroup.events')).includes('frozen 1'))
      },
      thaw: () => tryWrite(join(dir, 'cgroup.freeze'), '0'),
    },
    cpuMicros: () => Number(/usage_usec (\d+)/.exec(tryRead(join(dir, 'cpu.stat')))?.[1] ?? 0),
    memoryBytes: () => Number(tryRead(join(dir, 'memory.current'))),
    remove: () => removeWhenEmpty(dir),
  }
}

const V1_REQUIRED = ['memory', 'pids']
const V1_OPTIONAL = ['cpuacct']

function openV1(name: string): Cgroups | null {
  const bases = new Map<string, string>()
  for (const controller of [...V1_REQUIRED, ...V1_OPTIONAL]) {
    const mount = join(MOUNT, controller)
    const base = [join(mount, ownPath(controller), name), join(mount, name)].find(makeBase)
    if (base !== undefined) bases.set(controller, base)
  }
  const close = () => {
    for (const base of bases.values()) removeDirectory(base)
  }
  if (!V1_REQUIRED.every((controller) => bases.has(controller))) {
    close()
    return null
  }
  return { bases: [...bases.values()], open: (id, limits) => v1Group(bases, id, limits), close }
}

function v1Group(bases: ReadonlyMap<string, string>, id: string, limits: CgroupLimits): Cgroup {
  const dirs = new Map([...bases].map(([controller, base]) => [controller, join(base, id)]))
  for (const dir of dirs.values()) mkdirSync(dir, { recursive: true })
  const file = (controller: string, name: string) => join(dirs.get(controller) ?? '', name)
  writeFileSync(file('memory', 'memory.limit_in_bytes'), String(limits.memoryBytes))
  tryWrite(file('memory', 'memory.memsw.limit_in_bytes'), String(limits.memoryBytes))
  writeFileSync(file('pids', 'pids.max'), String(limits.pids))
  return {
    attach(pid) {
      for (const dir of dirs.values()) writeFileSync(join(dir, 'cgroup.procs'), String(pid))
    },
    freezer: null,
    cpuMicros: () => (dirs.has('cpuacct') ? Number(tryRead(file('cpuacct', 'cpuacct.usage'))) / 1000 : 0),
    memoryBytes: () => Number(tryRead(file('memory', 'memory.usage_in_bytes'))),
    async remove() {
      for (const dir of dirs.values()) await removeWhenEmpty(dir)
    },
  }
}

/** Path of this process's group in a hierarchy: v1 lines are `N:memory:/path`, the v2 line is `0::/path`. */
function ownPath(controller: string): string {
  const lines = tryRead('/proc/self/cgroup').split('\n')
  const line = lines.find((text) => text.split(':')[1]?.split(',').includes(controller))
  return line?.split(':').slice(2).join(':') ?? '/'
}

function makeBase(base: string): boolean {
  try {
    accessSync(join(base, '..'), constants.W_OK)
    removeTree(base)
    mkdirSync(base, { recursive: true })
    return true
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return false
  }
}

/** A group and those directly below it, as far as they are empty. */
function removeTree(base: string): void {
  const entries = existsSync(base) ? readdirSync(base, { withFileTypes: true }) : []
  for (const entry of entries) if (entry.isDirectory()) removeDirectory(join(base, entry.name))
  removeDirectory(base)
}

function removeDirectory(dir: string): boolean {
  try {
    rmdirSync(dir)
    return true
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return errnoOf(error) === 'ENOENT'
  }
}

async function removeWhenEmpty(dir: string): Promise<void> {
  await until(() => removeDirectory(dir))
}

/** The kernel offers no event for these; they take a few milliseconds. */
async function until(done: () => boolean, timeoutMs = 5000): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!done()) {
    if (Date.now() > deadline) return false
    await sleep(2)
  }
  return true
}

function tryWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    if (errnoOf(error) === null) throw error
  }
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return ''
  }
}
