/**
 * Looks for what the machine needs besides npm's packages, and installs what is missing with apt: at once when run as
 * root without a terminal, after a question in a terminal; otherwise it prints the one command to run and fails.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createInterface } from 'node:readline'

/** Sandboxes see the system's own programs, not those of a version manager in somebody's home. Tests name another one. */
const SYSTEM_PATH = process.env.TOOLYARD_SYSTEM_PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

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

const isolated = process.env.ISOLATION !== 'none'
if (isolated && process.platform !== 'linux') {
  refuse(`Isolated sandboxes need Linux: run this in a Linux virtual machine or container. For code that you trust as
your own, ISOLATION=none runs it here without any isolation.`)
}
const missing = findMissing()
if (missing.length > 0) await install(missing)

function findMissing() {
  const programs = isolated ? [...ISOLATION, ...PROGRAMS] : PROGRAMS
  return [...programs.filter(({ name }) => !onPath(name)), ...missingModules()]
}

function onPath(name) {
  return SYSTEM_PATH.split(':').some((directory) => {
    try {
      accessSync(`${directory}/${name}`, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function missingModules() {
  if (!onPath('python3')) return PYTHON_MODULES
  const script = 'import importlib.util as u, sys\nfor n in sys.argv[1:]:\n  if u.find_spec(n): print(n)'
  const { stdout } = spawnSync('python3', ['-I', '-c', script, ...PYTHON_MODULES.map(({ name }) => name)], {
    env: { PATH: SYSTEM_PATH },
    encoding: 'utf8',
  })
  const found = (stdout ?? '').split('\n')
  return PYTHON_MODULES.filter(({ name }) => !found.includes(name))
}

async function install(parts) {
  const packages = parts.map(({ apt }) => apt)
  const root = process.getuid?.() === 0
  const [program, ...first] = root ? ['apt-get'] : ['sudo', 'apt-get']
  const command = `${[program, ...first].join(' ')} install -y --no-install-recommends ${packages.join(' ')}`
  console.error('Toolyard needs a few programs that this machine lacks:')
  for (const { apt, why } of parts) console.error(`  ${apt.padEnd(18)} ${why}`)

  if (!onPath('apt-get')) refuse(`Install them with this system's package manager, then run this again.`)
  const terminal = process.stdin.isTTY && process.stdout.isTTY
  if (!terminal && !root) refuse(`Run this, then try again:\n\n  ${command}\n`)
  if (terminal && !(await agreed(`Run "${command}" now? [Y/n] `))) refuse(`Run this, then try again:\n\n  ${command}\n`)

  console.error('Installing them with apt-get; this may take a minute …')
  const apt = (...args) =>
    spawnSync(program, [...first, ...args], {
      stdio: ['inherit', 'ignore', 'inherit'],
      env: { ...process.env, PATH: SYSTEM_PATH, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  // One of many package sources may be out of reach; what matters is whether the next line works.
  apt('update', '-qq')
  if (!apt('install', '-y', '-qq', '--no-install-recommends', ...packages)) {
    refuse(`apt-get failed, as it says above. The command was:\n\n  ${command}\n`)
  }
  const still = findMissing().map(({ apt: name }) => name)
  if (still.length > 0) refuse(`apt-get installed ${still.join(' ')}, and yet what they bring is not on ${SYSTEM_PATH}`)
  console.error('Installed.')
}

/** Enter is yes; the end of input is no. */
function agreed(question) {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  return new Promise((answer) => {
    prompt.once('close', () => answer(false))
    prompt.question(question, (text) => {
      answer(!/^n/i.test(text.trim()))
      prompt.close()
    })
  })
}

function refuse(message) {
  console.error(message)
  process.exit(1)
}
