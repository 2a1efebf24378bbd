/**
 * Builds the template that production's sandboxes are made from, in E2B's cloud, with the name that SANDBOX_TEMPLATE has
 * in the environment, as in [env.production] of wrangler.toml (toolyard). Needs E2B_API_KEY. With --print it only prints the definition, as JSON.
 */
import { readFileSync } from 'node:fs'
import { defaultBuildLogger, Sandbox, Template } from '@e2b/code-interpreter'
import { GIT_CONFIG } from '../src/sandboxd/git-config.ts'
import { GROUPS } from './packages.mjs'

const NAME = process.env.SANDBOX_TEMPLATE || 'toolyard'
const CPUS = 2
/** LibreOffice, XeTeX and Claude Code each take some 200 to 400 MB. */
const MEMORY_MB = 2048

/**
 * Node on Debian 12, whose packages `packages.mjs` names and tests use. Not E2B's image for code: its Jupyter server listens on port
 * 49999, and no tool needs it.
 */
const NODE = '22-bookworm'

/**
 * Programs that the tools, the sync with a sandbox and its watcher start. Most are in the base image already; apt then does
 * nothing.
 */
const APT_PACKAGES = [
  ...['bash', 'coreutils', 'curl', 'findutils', 'git', 'gzip', 'procps', 'tar', 'util-linux'],
  ...['python3', 'python3-pip', 'python3-venv', 'python3-ipython'],
]

/** End the build where a sandbox made from it could not work. */
const CHECKS = [
  'python3 -m pip --version && python3 -c "import venv, ctypes"',
  'python3 -m venv --without-pip --system-site-packages /tmp/env && /tmp/env/bin/python -m pip --version && rm -r /tmp/env',
  'git --version && find --version && tar --version && gzip --version && setsid --version',
  'node --version',
  'python3 -c "import IPython"', // notebooks: without it their cells have no `!command`
]

/** Script that ends with 1 in a sandbox where a server for code listens, which anything in the sandbox could use. */
const NO_JUPYTER = '! (exec 3<>/dev/tcp/127.0.0.1/49999) 2>/dev/null'

const { latex, documents, data, claude } = GROUPS
const template = Template()
  .fromNodeImage(NODE)
  .aptInstall(APT_PACKAGES, { noInstallRecommends: true })
  .aptInstall([...documents.apt.tests, ...documents.apt.more], { noInstallRecommends: true })
  .aptInstall([...latex.apt.tests, ...latex.apt.more], { noInstallRecommends: true })
  .aptInstall([...data.apt.tests, ...data.apt.more], { noInstallRecommends: true })
  .npmInstall(claude.npm, { g: true })
  .runCmd(`printf '${GIT_CONFIG.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}' > /etc/gitconfig`, { user: 'root' })
  .runCmd([...CHECKS, ...Object.values(GROUPS).flatMap(({ checks }) => checks.map((check) => `( ${check} )`))], {
    user: 'user',
  })

if (process.argv.includes('--print')) {
  const definition = JSON.parse(await Template.toJSON(template, false))
  console.log(JSON.stringify({ name: NAME, cpuCount: CPUS, memoryMB: MEMORY_MB, ...definition }, null, 2))
} else if (!process.env.E2B_API_KEY) {
  console.error('E2B_API_KEY is not set; a key is at https://e2b.dev/dashboard?tab=keys')
  process.exit(1)
} else {
  const built = await Template.build(template, NAME, {
    cpuCount: CPUS,
    memoryMB: MEMORY_MB,
    onBuildLogs: defaultBuildLogger(),
  })
  console.log(`Built ${built.name} (${built.templateId}). New sandboxes are made from it.`)
  console.log(`New tasks say what it has with this variable of the Worker, in [env.production.vars] of wrangler.toml:
SANDBOX_ENVIRONMENT = '${await environment()}'`)
}

/**
 * Programs and packages that commands in a sandbox of the new template have, as JSON: asked in one, which is ended then.
 * @throws where the template has a server for code after all
 */
async function environment() {
  const sandbox = await Sandbox.create(NAME, { timeoutMs: 60_000 })
  try {
    await sandbox.files.write(
      '/tmp/environment.py',
      readFileSync(new URL('../src/guest/environment.py', import.meta.url), 'utf8'),
    )
    await sandbox.commands.run(NO_JUPYTER)
    const { stdout } = await sandbox.commands.run('python3 -I /tmp/environment.py')
    return JSON.stringify({ ...JSON.parse(stdout), internet: true, memory_mb: MEMORY_MB })
  } finally {
    await sandbox.kill()
  }
}
