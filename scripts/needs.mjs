/**
 * Needs of a server's machine besides npm's packages, and those that it lacks: `setup.mjs` installs it, `doctor.mjs` names it.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

/** Sandboxes see the system's own programs, not those of a version manager in somebody's home. Tests name another one. */
export const SYSTEM_PATH =
  process.env.TOOLYARD_SYSTEM_PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const ISOLATION = [
  { name: 'bwrap', apt: 'bubblewrap', why: 'isolates sandboxes' },
  { name: 'slirp4netns', apt: 'slirp4netns', why: 'gives sandboxes a network of their own' },
  { name: 'ip', apt: 'iproute2', why: 'closes private networks to sandboxes' },
]
const PROGRAMS = [
  { name: 'git', apt: 'git', why: 'git_clone' },
  { name: 'curl', apt: 'curl', why: 'the examples' },
  { name: 'python3', apt: 'python3', why: 'execute_code' },
]
const PYTHON_MODULES = [
  { name: 'venv', apt: 'python3-venv', why: "a task's own environment" },
  { name: 'pip', apt: 'python3-pip', why: 'pip_install' },
  { name: 'IPython', apt: 'python3-ipython', why: 'the interactive Python context' },
]

/** Whether sandboxes are isolated, as ISOLATION says. */
export const isolated = process.env.ISOLATION !== 'none'

/** Why this machine cannot run isolated sandboxes at all; null where it may. */
export const unfitSystem = () =>
  isolated && process.platform !== 'linux'
    ? `Isolated sandboxes need Linux: run this in a Linux virtual machine or container. For code that you trust as
your own, ISOLATION=none runs it here without any isolation.`
    : null

/** Required programs and modules of Python that the machine lacks. */
export function missingNeeds() {
  const programs = isolated ? [...ISOLATION, ...PROGRAMS] : PROGRAMS
  return [...programs.filter(({ name }) => !onPath(name)), ...missingModules(PYTHON_MODULES)]
}

/** Whether the system has a program. */
export function onPath(name) {
  return SYSTEM_PATH.split(':').some((directory) => {
    try {
      accessSync(`${directory}/${name}`, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Modules, of the given ones, that the system's Python lacks. */
export function missingModules(modules) {
  if (!onPath('python3')) return modules
  const script = 'import importlib.util as u, sys\nfor n in sys.argv[1:]:\n  if u.find_spec(n): print(n)'
  const found = linesOf('python3', ['-I', '-c', script, ...modules.map(({ name }) => name)])
  return modules.filter(({ name }) => !found.includes(name))
}

/** Lines that a program of the system prints. */
export function linesOf(program, args) {
  const { stdout } = spawnSync(program, args, { env: { PATH: SYSTEM_PATH, LC_ALL: 'C' }, encoding: 'utf8' })
  return (stdout ?? '').split('\n')
}
