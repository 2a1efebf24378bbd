import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages that PyPI has, and the versions of all that they bring. */
const LISTS = ['examples/adapters/requirements.txt', 'examples/adapters/constraints.txt']
/** Debian's interpreter, unless PYTHON names another one. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3'
/** Oldest Python that all of the packages take. */
const OLDEST = '3.10'
/** A small package among them: whoever has it has an index of packages. */
const PROBE = 'smolagents'
/** Milliseconds for the probe: a machine without an index must not wait for it. */
const PROBE_MS = 20_000
/** Milliseconds for the installation, which took three minutes on two busy cores: more is a connection that takes too long for a run of tests. */
const INSTALL_MS = 600_000

/** Milliseconds after which {@link pythonFrameworks} has answered in any case. */
export const FRAMEWORKS_MS = PROBE_MS + INSTALL_MS + 60_000

/** Interpreter that has the frameworks of the Python examples, or why there is none. */
export type PythonFrameworks = { readonly python: string } | { readonly absent: string }

/**
 * Finds the packages of the Python examples in the user's cache, and installs them there if an index of packages answers pip. They come
 * from PyPI, which the tests do without where they must: npm and Debian have none of them.
 * @throws Error instead of `absent` where PYTHON_FRAMEWORKS is `required`
 */
export async function pythonFrameworks(): Promise<PythonFrameworks> {
  const isRequired = process.env.PYTHON_FRAMEWORKS === 'required'
  try {
    const home = await homeOfFrameworks()
    if (!existsSync(home)) {
      if (!isRequired) await probe()
      await install(home)
    }
    return { python: join(home, 'bin/python') }
  } catch (thrown) {
    if (isRequired) throw thrown
    return { absent: reasonOf(thrown) }
  }
}

/** Directory of the environment with these packages: another list, or another Python, has another one. */
async function homeOfFrameworks(): Promise<string> {
  const script = `import sys; print(*sys.version_info[:2], sep="."); sys.exit(sys.version_info < (${OLDEST.replace('.', ', ')}))`
  const { stdout } = await run(PYTHON, ['-c', script]).catch((thrown: Error) => {
    throw new Error(`${PYTHON} is no Python from ${OLDEST} on: ${thrown.message}`)
  })
  const hash = createHash('sha256')
  for (const list of LISTS) hash.update(readFileSync(list))
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'toolyard', `python-frameworks-${stdout.trim()}-${hash.digest('hex').slice(0, 12)}`)
}

/** @throws Error where no index of packages answers soon */
async function probe(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-probe-'))
  const options = ['--no-deps', '--no-cache-dir', '--only-binary', ':all:', '--timeout', '5', '--retries', '0']
  try {
    await pip(PYTHON, ['download', '--quiet', ...options, '--dest', directory, PROBE], PROBE_MS)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Installs beside the place first: what is in it is whole. */
async function install(home: string): Promise<void> {
  await mkdir(join(home, '..'), { recursive: true })
  const made = await mkdtemp(`${home}-`)
  try {
    await run(PYTHON, ['-m', 'venv', made])
    const [requirements = '', constraints = ''] = LISTS
    const lists = ['--requirement', requirements, '--constraint', constraints]
    await pip(join(made, 'bin/python'), ['install', '--quiet', '--only-binary', ':all:', ...lists], INSTALL_MS)
    await rename(made, home)
  } catch (thrown) {
    // Another run was faster.
    if (!existsSync(home)) throw thrown
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

async function pip(python: string, args: readonly string[], timeout: number): Promise<void> {
  const settings = ['--disable-pip-version-check', '--no-input']
  await run(python, ['-m', 'pip', ...settings, ...args], { timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 24 })
}

/** Last line that a program printed, which says what was wrong. */
function reasonOf(thrown: unknown): string {
  const { stderr = '', killed, message } = thrown as { stderr?: string; killed?: boolean; message: string }
  if (killed) return 'the index of packages did not answer in time'
  return stderr.trim().split('\n').at(-1) || message
}
