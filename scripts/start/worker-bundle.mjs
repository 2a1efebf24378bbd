import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { home, state, WRANGLER_ENV, workerState } from './settings.mjs'

/** Files that decide about the bundle: sources, settings, versions of packages, and the build itself. */
const INPUTS = ['src', 'wrangler.toml', 'tsconfig.json', 'package-lock.json', 'scripts/start/build-worker.mjs']
/** Number of bundles that are kept. More than one: branches are switched back and forth. */
const KEPT = 3
const HOUR_MS = 60 * 60_000

/**
 * Bundle of the Worker as a file that workerd serves, built once for each content of its sources and then kept.
 * @param children runs the build
 * @param names bindings that are texts; their values come by the environment when the Worker starts
 * @returns the file's path: a copy in the state, which no other process replaces while the server runs
 * @throws Error with the build's output
 */
export async function workerBundle(children, names) {
  const own = join(workerState, 'config.bin')
  copyFileSync(join(await builtBundle(children, names), 'config.bin'), own)
  chmodSync(own, 0o600)
  return own
}

/**
 * Directory with the file; read only.
 * @param changes module that changes the configuration (see build-worker.mjs), and paths of its other inputs
 */
export async function builtBundle(children, names, changes = []) {
  const key = digest(names, changes)
  const cached = cacheDirectories().map((directory) => join(directory, key))
  const found = cached.find((directory) => existsSync(join(directory, 'config.bin')))
  if (found !== undefined) return found

  console.log('Toolyard: building the Worker …')
  const directory = cached.find((path) => canWrite(dirname(path)))
  const making = `${directory}.${process.pid}`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  try {
    const args = [join(home, 'scripts/start/build-worker.mjs'), making, names.join(','), ...changes.slice(0, 1)]
    await children.run('build of the worker', process.execPath, args, { cwd: home, env: WRANGLER_ENV })
    // Another process may have made the same one meanwhile.
    if (!existsSync(directory)) renameSync(making, directory)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  removeOld(dirname(directory))
  return directory
}

/** Directories for built bundles, the preferred one first: with the packages, else in the state, where that is not writable. */
const cacheDirectories = () => [join(home, 'node_modules/.cache/toolyard-worker'), join(state, 'worker-cache')]

function canWrite(directory) {
  try {
    mkdirSync(directory, { recursive: true })
    mkdirSync(join(directory, `.${process.pid}`))
    rmSync(join(directory, `.${process.pid}`), { recursive: true })
    return true
  } catch {
    return false
  }
}

function digest(names, changes) {
  const hash = createHash('sha256').update(names.join(','))
  for (const input of [...INPUTS, ...changes]) {
    for (const file of filesBelow(resolve(home, input))) {
      const content = readFileSync(file)
      hash.update(`\0${relative(home, file)}\0${content.length}\0`).update(content)
    }
  }
  const extra = process.env.NODE_EXTRA_CA_CERTS
  if (extra && existsSync(extra)) hash.update(readFileSync(extra))
  return hash.digest('hex').slice(0, 32)
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Removes all but the newest bundles, and what killed builds left. A directory younger than an hour may be in the making. */
function removeOld(directory) {
  const paths = readdirSync(directory).map((name) => join(directory, name))
  const newestFirst = paths.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at)
  const removed = newestFirst.slice(KEPT).filter(({ at }) => at < Date.now() - HOUR_MS)
  for (const { path } of removed) rmSync(path, { recursive: true, force: true })
}
