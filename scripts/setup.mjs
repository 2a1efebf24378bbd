/**
 * Looks for what the machine needs besides npm's packages, and installs what is missing with apt: at once when run as
 * root without a terminal, after a question in a terminal; otherwise it prints the commands to run and fails.
 *
 * `--with latex,documents` also installs these groups of packages.mjs, `--all` every group, `--tests` what the tests
 * need of them, the linters, shells and the browser that they run, and what the Python client is made and tested with. Then the console is built, which the server serves. Without such a word a terminal is told in one line which groups are missing.
 */
import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { buildConsoleAssets } from './console-assets.mjs'
import { linesOf, missingModules, missingNeeds, onPath, SYSTEM_PATH, unfitSystem } from './needs.mjs'
import { BROWSERS, GROUPS, LINTERS, PYTHON_CLIENT, SHELLS } from './packages.mjs'

/** Prefix of programs from npm, visible to sandboxes. */
const NPM_PREFIX = '/usr/local'

const unfit = unfitSystem()
if (unfit !== null) refuse(unfit)
const chosen = chosenParts(process.argv.slice(2))
const missing = findMissing()
if (missing.length > 0) await install(missing)
await buildConsoleAssets()
if (chosen.length === 0 && process.stdout.isTTY) tellOptional()

/** Parts that the command line requests besides the required ones. */
function chosenParts(words) {
  const names = Object.keys(GROUPS)
  if (words.length === 0) return []
  const [word, list = ''] = words[0].split(/=(.*)/s)
  const given = list || words[1] || ''
  if (word === '--tests')
    return [
      ...names.flatMap((name) => partsOf(name, GROUPS[name].apt.tests)),
      ...LINTERS,
      ...PYTHON_CLIENT,
      ...SHELLS,
      ...BROWSERS,
    ]
  const wanted = word === '--all' ? names : word === '--with' ? given.split(',').filter(Boolean) : []
  const unknown = wanted.filter((name) => !names.includes(name))
  if (wanted.length === 0 || unknown.length > 0) {
    const problem = unknown.length > 0 ? `There is no group ${unknown.join(', ')}. ` : ''
    refuse(`${problem}Usage: node scripts/setup.mjs [--with ${names.join(',')}] [--all] [--tests]`)
  }
  return wanted.flatMap((name) => partsOf(name, [...GROUPS[name].apt.tests, ...GROUPS[name].apt.more]))
}

function partsOf(group, packages) {
  const { why, npm, programs } = GROUPS[group]
  return [...packages.map((apt) => ({ apt, why })), ...(npm ? [{ npm, why, name: programs[0] }] : [])]
}

function findMissing() {
  const installed = installedPackages(chosen.flatMap(({ apt }) => apt ?? []))
  return [...missingNeeds(), ...chosen.filter(({ apt, name }) => (apt ? !installed.has(apt) : !onPath(name)))]
}

/**
 * Installed packages. Most of a group are files and no programs, so dpkg is asked; its exit code says only whether it knew
 * them all.
 */
function installedPackages(names) {
  if (names.length === 0) return new Set()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
  const format = '${db:Status-Status} ${Package}\n'
  const known = linesOf('dpkg-query', ['-W', '-f', format, ...names]).map((line) => line.split(' '))
  return new Set(known.filter(([status]) => status === 'installed').map(([, name]) => name))
}

async function install(parts) {
  const packages = parts.flatMap(({ apt }) => apt ?? [])
  const programs = parts.flatMap(({ npm }) => npm ?? [])
  const root = process.getuid?.() === 0
  const apt = (...args) => (root ? ['apt-get', ...args] : ['sudo', 'apt-get', ...args])
  const npm = ['npm', 'install', '--global', '--prefix', NPM_PREFIX, ...programs]
  const commands = [
    packages.length > 0 && apt('install', '-y', '--no-install-recommends', ...packages).join(' '),
    programs.length > 0 && [...(root ? [] : ['sudo']), ...npm].join(' '),
  ].filter(Boolean)
  const byHand = `Run this, then try again:\n\n${commands.map((command) => `  ${command}\n`).join('')}`
  console.error('Toolyard needs a few programs that this machine lacks:')
  for (const { apt: name, npm: spec, why } of parts) console.error(`  ${(name ?? spec).padEnd(27)} ${why}`)

  if (packages.length > 0 && !onPath('apt-get'))
    refuse(`Install them with this system's package manager, then run this again.`)
  const terminal = process.stdin.isTTY && process.stdout.isTTY
  if (!terminal && !root) refuse(byHand)
  if (terminal && !(await agreed(`Run "${commands.join(' && ')}" now? [Y/n] `))) refuse(byHand)

  console.error(`Installing them; this may take ${parts.length > 10 ? 'some minutes' : 'a minute'} …`)
  if (packages.length > 0) {
    // One of many package sources may be unreachable; the next line shows whether that matters.
    run(apt('update', '-qq'))
    if (!run(apt('install', '-y', '-qq', '--no-install-recommends', ...packages))) {
      refuse(`apt-get failed, as it says above. The command was:\n\n  ${commands[0]}\n`)
    }
  }
  // npm and its node may be of a version manager, which sudo's own path does not have.
  if (programs.length > 0 && !run([...(root ? [] : ['sudo']), 'env', `PATH=${npmPath()}`, ...npm])) {
    refuse(`npm failed, as it says above. The command was:\n\n  ${commands.at(-1)}\n`)
  }
  const still = findMissing().map(({ apt: name, npm: spec }) => name ?? spec)
  if (still.length > 0) refuse(`${still.join(' ')}: installed, and yet what they bring is not on ${SYSTEM_PATH}`)
  console.error('Installed.')
}

function npmPath() {
  return process.env.TOOLYARD_SYSTEM_PATH ? SYSTEM_PATH : `${process.env.PATH}:${SYSTEM_PATH}`
}

function run([program, ...args]) {
  return (
    spawnSync(program, args, {
      stdio: ['inherit', 'ignore', 'inherit'],
      env: { ...process.env, PATH: SYSTEM_PATH, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  )
}

function tellOptional() {
  const absent = Object.keys(GROUPS).filter((group) => {
    const { programs = [], modules = [] } = GROUPS[group]
    return programs.some((name) => !onPath(name)) || missingModules(modules.map((name) => ({ name }))).length > 0
  })
  if (absent.length === 0) return
  const list = absent.map((name) => `${name} (${GROUPS[name].why})`).join(', ')
  console.log(
    `Not installed, and needed for some tools only: ${list}. To install: node scripts/setup.mjs --with ${absent}`,
  )
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
