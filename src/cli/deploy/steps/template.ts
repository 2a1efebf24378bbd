import { join } from 'node:path'
import { CliError } from '../../failure.ts'
import { nodeOf } from '../../package-root.ts'
import { runChild } from '../child.ts'
import type { Deployment } from '../deployment.ts'
import type { Step } from '../step.ts'

/** E2B's API, where E2B_API_URL names no other, as for its SDK. */
const E2B_URL = 'https://api.e2b.app'
const QUESTION_MS = 30_000

/** Builds the template that sandboxes are made from, in E2B's cloud. */
export function templateStep(deployment: Deployment): Step {
  const { root, env, plainEnv, configuration, account, signal, onOutput } = deployment.parts
  const name = configuration.template
  const key = env.E2B_API_KEY
  return {
    name: `template ${name}`,
    describe: () => "builds the template of sandboxes in E2B's cloud, which takes some minutes",
    commands: () => ['npm run template  (with E2B_API_KEY from the environment)'],
    async isDone() {
      if (key) return builtTemplate(name, key, env.E2B_API_URL || E2B_URL, signal)
      const isKnown = (await account.secrets(configuration.worker)).includes('E2B_API_KEY')
      const found = isKnown
        ? 'not looked at: E2B_API_KEY is a secret of the Worker, and not set here'
        : 'E2B_API_KEY is not set'
      return { isDone: isKnown, found }
    },
    async blocker() {
      if (key) return null
      return 'set E2B_API_KEY (https://e2b.dev/dashboard?tab=keys), or leave sandboxes out by --without-sandboxes'
    },
    async run() {
      const script = join(root, 'scripts/build-template.mjs')
      const { code, output } = await runChild({
        program: nodeOf(root),
        args: ['--disable-warning=ExperimentalWarning', script],
        cwd: root,
        env: { ...plainEnv, E2B_API_KEY: key, SANDBOX_TEMPLATE: name },
        onOutput,
        signal,
      })
      if (code !== 0) throw new CliError(lastLine(output), 'what the build said is above')
      const environment = output.split('\n').find((line) => line.startsWith('SANDBOX_ENVIRONMENT = '))
      return environment ? `built; for [env.${configuration.environment}.vars], if you like: ${environment}` : 'built'
    },
  }
}

/** Whether E2B has a template of that name with a build that went well. @throws CliError */
async function builtTemplate(name: string, key: string, url: string, signal: AbortSignal) {
  const alias = await askE2b(`${url}/templates/aliases/${encodeURIComponent(name)}`, key, signal)
  if (alias.status === 404) return { isDone: false, found: 'E2B has none of that name' }
  if (alias.status === 403)
    throw new CliError(`the template "${name}" belongs to somebody else`, 'name another as SANDBOX_TEMPLATE')
  const { templateID } = alias.body as { readonly templateID: string }
  const template = await askE2b(`${url}/templates/${encodeURIComponent(templateID)}`, key, signal)
  const { builds = [] } = template.body as { readonly builds?: readonly { readonly status: string }[] }
  const isDone = builds.some(({ status }) => status === 'ready')
  return { isDone, found: isDone ? `built (${templateID})` : 'E2B has it, and no build of it went well' }
}

async function askE2b(url: string, key: string, signal: AbortSignal) {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, {
      headers: { 'X-API-Key': key },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(QUESTION_MS)]),
    })
    text = await answer.text()
  } catch (failure) {
    signal.throwIfAborted()
    const why = failure instanceof Error ? failure.message : String(failure)
    throw new CliError(`E2B did not answer (${why})`, 'see whether this machine reaches it')
  }
  const { status } = answer
  if (status === 401)
    throw new CliError('E2B does not know E2B_API_KEY', 'take one from https://e2b.dev/dashboard?tab=keys')
  if (!answer.ok && status !== 404 && status !== 403) {
    throw new CliError(`E2B answered ${status} to ${new URL(url).pathname}`, 'try again in a moment')
  }
  return { status, body: status === 200 ? (JSON.parse(text) as unknown) : {} }
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1) ?? ''
