/**
 * Looks for what the machine needs besides npm's packages, and installs what is missing with apt: at once when run as
 * root without a terminal, after a question in a terminal; otherwise it prints the one command to run and fails.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createInterface } from 'node:readline/promises'

/** Sandboxes see the system's own programs, not those of a version manager in somebody's home. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const PROGRAMS = [
  { name: 'bwrap', apt: 'bubblewrap', why: 'isolates sandboxes' },
  { name: 'slirp4netns', apt: 'slirp4netns', why: 'gives sandboxes a network of their own' },
  { name: 'ip', apt: 'iproute2', why: 'closes private networks to sandboxes' },
  { name: 'git', apt: 'git', why: 'git_clone' },
  { name: 'curl', apt: 'curl', why: 'the examples' },
  { name: 'python3', apt: 'python3', why: 'execute_code' },
]
const MODULES = [
  { name: 'venv', apt: 'python3-venv', why: "a task's own environment" },
  { name: 'pip', apt: 'python3-pip', why: 'pip_install' },
  { name: 'IPython', apt: 'python3-ipython', why: 'the interactive Python context' },
]

const onPath = (name) =>
  SYSTEM_PATH.split(':').some((directory) => {
    try {
      accessSync(`${directory}/${name}`, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

function missingModules() {
  if (!onPath('python3')) return MODULES
  const script = `import importlib.util as u, sys\nfor n in sys.argv[1:]:\n  if u.find_spec(n) is None: print(n)`
  const { stdout } = spawnSync('python3', ['-I', '-c', script, ...MODULES.map(({ name }) => name)], {
    env: { PATH: SYSTEM_PATH },
    encoding: 'utf8',
  })
  const names = new Set((stdout ?? '').split('\n'))
  return MODULES.filter(({ name }) => names.has(name))
}

const missing = [...PROGRAMS.filter(({ name }) => !onPath(name)), ...missingModules()]
if (missing.length > 0) await install(missing)

async function install(parts) {
  const packages = parts.map(({ apt }) => apt)
  const root = process.getuid?.() === 0
  const command = `${root ? '' : 'sudo '}apt-get install -y --no-install-recommends ${packages.join(' ')}`
  console.error('Toolyard needs a few programs that this machine lacks:')
  for (const { apt, why } of parts) console.error(`  ${apt.padEnd(18)} ${why}`)

  if (!onPath('apt-get')) return refuse(`Install them with this system's package manager, then run this again.`)
  const terminal = process.stdin.isTTY && process.stdout.isTTY
  if (!terminal && !root) return refuse(`Run this, then try again:\n\n  ${command}\n`)
  if (terminal) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await prompt.question(`Run "${command}" now? [Y/n] `)
    prompt.close()
    if (/^n/i.test(answer.trim())) return refuse(`Run this, then try again:\n\n  ${command}\n`)
  }
  const apt = (...args) =>
    execFileSync(root ? 'apt-get' : 'sudo', root ? args : ['apt-get', ...args], {
      stdio: ['inherit', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    apt('update', '-qq')
    apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
  } catch {
    return refuse(`apt-get failed, as it says above. The command was:\n\n  ${command}\n`)
  }
  console.error('Installed.')
}

function refuse(message) {
  console.error(message)
  process.exit(1)
}
