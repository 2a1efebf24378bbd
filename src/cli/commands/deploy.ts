import { command, type Options } from '../command.ts'
import { openDeployment } from '../deploy/open.ts'
import { planSteps, runSteps } from '../deploy/run-steps.ts'
import type { Step, StepReport } from '../deploy/step.ts'
import { deploymentSteps } from '../deploy/steps/index.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'

const options = {
  'dry-run': { type: 'boolean', help: 'say what each step would do, with its commands, and change nothing' },
  config: { type: 'string', value: 'FILE', help: 'configuration of wrangler, in the checkout; wrangler.toml' },
  env: { type: 'string', value: 'NAME', help: 'environment of it; production' },
  url: {
    type: 'string',
    value: 'URL',
    help: 'address to look at in the end; that of the configuration or of workers.dev',
  },
  secret: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    help: 'a further secret that the Worker gets from the environment, where it has none of that name',
  },
  'without-sandboxes': { type: 'boolean', help: 'no template and no E2B_API_KEY: what needs no sandbox works' },
} as const satisfies Options

/** `toolyard deploy`. */
export const deploy = command({
  summary: 'Bring a server to your Cloudflare account, step by step',
  details: `Makes the bucket and the databases, builds the template of sandboxes, applies migrations, sets the
secrets ADMIN_TOKEN, SECRETS_KEY and E2B_API_KEY from the environment, uploads both Workers, and looks
at the address. Each step asks the account whether it is done: run it again after whatever stopped it,
and for a new version. Sign in by npx wrangler login, or set CLOUDFLARE_API_TOKEN.`,
  arguments: [],
  options,
  examples: [
    { args: 'deploy --dry-run', does: 'what would be done, and by which commands' },
    { args: 'deploy', does: 'does it, or what is left of it' },
    { args: 'deploy --secret BRAVE_API_KEY', does: 'with a key for a provider of tools' },
  ],
  async run(context) {
    const { output, values, signal } = context
    for (const name of values.secret) checkSecretName(name)
    const deployment = await openDeployment(context, { ...values, secrets: values.secret })
    const steps = deploymentSteps(deployment, {
      withSandboxes: !values['without-sandboxes'],
      secrets: values.secret,
      isNew: true,
    })
    const { configuration, account } = deployment.parts
    await output.note(`Worker "${configuration.worker}" in the account ${account.id}, by ${configuration.file}`)
    const listener = {
      onStart: (step: Step) =>
        output.note(
          `  …  ${step.name}: ${step.describe()}${step
            .commands()
            .map((line) => `\n       ${line}`)
            .join('')}`,
        ),
      onReport: (report: StepReport) => output.item(report, reportLine(report)),
    }
    if (values['dry-run']) return (await planSteps(steps, listener)) ? EXIT.good : EXIT.failed
    await runSteps(steps, listener, signal)
    return EXIT.good
  },
})

function checkSecretName(name: string): void {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) {
    throw usageError(
      `--secret ${name} is no name of a secret`,
      'write its name alone; its value comes from the environment',
    )
  }
}

const WORDS: Readonly<Record<StepReport['state'], string>> = {
  done: 'done',
  changed: 'DONE',
  planned: 'to do',
  blocked: 'STOPS',
  failed: 'FAILED',
}

/** A report for people. */
function reportLine({ name, state, does, found, commands }: StepReport): string {
  const line = `${WORDS[state].padEnd(7)}${name}: ${found}`
  if (state !== 'planned') return line
  return [line, `       ${does}`, ...commands.map((text) => `         ${text}`)].join('\n')
}
