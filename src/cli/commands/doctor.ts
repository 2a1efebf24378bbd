import { type CommandContext, command, type Options } from '../command.ts'
import type { Server } from '../config/server.ts'
import { openDeployment } from '../deploy/open.ts'
import { deploymentFindings } from '../doctor/deployment.ts'
import { bad, type Finding } from '../doctor/finding.ts'
import { machineFindings } from '../doctor/machine.ts'
import { serverFindings } from '../doctor/server.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'
import { checkout } from '../package-root.ts'

const options = {
  deployment: { type: 'boolean', help: 'look at the deployment to Cloudflare in place of this machine' },
  config: { type: 'string', value: 'FILE', help: 'with --deployment: configuration of wrangler; wrangler.toml' },
  env: { type: 'string', value: 'NAME', help: 'with --deployment: environment of it; production' },
  url: { type: 'string', value: 'URL', help: 'with --deployment: address to look at; that of the configuration' },
  'without-sandboxes': { type: 'boolean', help: 'with --deployment: no template and no E2B_API_KEY is wanted' },
} as const satisfies Options

/** `toolyard doctor`. */
export const doctor = command({
  summary: 'Say what is wrong with this machine, a server, or a deployment',
  details: `Without options: whether this machine can run the server (Node, programs, port, state folder, disk, a
sandbox), and whether the server that the command line speaks to answers, takes the key and starts
sandboxes. It exits with 1 where something is bad, and changes nothing: what it makes to look, it removes.`,
  arguments: [],
  options,
  examples: [
    { args: 'doctor', does: 'this machine, and the server of the profile in use' },
    {
      args: 'doctor --deployment',
      does: 'buckets, databases, secrets, versions and the address in a Cloudflare account',
    },
  ],
  async run(context) {
    const { output, values, env, signal } = context
    let isBad = false
    const tell = async (finding: Finding) => {
      if (finding.state === 'bad') isBad = true
      await output.item(finding, findingLine(finding))
    }
    if (values.deployment) {
      try {
        const deployment = await openDeployment(context, { ...values, secrets: [] })
        for await (const finding of deploymentFindings(deployment, !values['without-sandboxes'])) await tell(finding)
      } catch (failure) {
        signal.throwIfAborted()
        if (!(failure instanceof CliError)) throw failure
        await tell(bad('account', failure.message, failure.hint))
      }
    } else {
      for (const finding of await machineFindings({ root: checkout(context.cwd), env, signal })) await tell(finding)
      for await (const finding of serverFindings(await chosenServer(context), signal)) await tell(finding)
    }
    return isBad ? EXIT.failed : EXIT.good
  },
})

/** The server that is looked at: where none was named, that of `toolyard dev` at its PORT. */
async function chosenServer({ server, env }: Pick<CommandContext, 'server' | 'env'>): Promise<Server> {
  const chosen = await server()
  return chosen.source === 'default' && env.PORT ? { ...chosen, url: `http://localhost:${env.PORT}` } : chosen
}

const WORDS: Readonly<Record<Finding['state'], string>> = { good: 'good', warning: 'look', bad: 'BAD' }

function findingLine({ name, state, found, advice }: Finding): string {
  const line = `${WORDS[state].padEnd(6)}${name}: ${found}`
  return advice === '' ? line : `${line}\n      ${advice}`
}
