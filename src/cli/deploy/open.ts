import type { CommandContext } from '../command.ts'
import { usageError } from '../failure.ts'
import { checkout } from '../package-root.ts'
import { Account } from './account.ts'
import { Configuration } from './configuration.ts'
import { Deployment } from './deployment.ts'
import { Wrangler } from './wrangler.ts'

/** Secrets that no program has in its environment which does not need them: wrangler gets them by stdin. */
const SECRETS = ['ADMIN_TOKEN', 'SECRETS_KEY', 'E2B_API_KEY']

/** Options that name a deployment. */
interface DeploymentNames {
  readonly config: string | undefined
  readonly env: string | undefined
  readonly url: string | undefined
  /** Names of further secrets. */
  readonly secrets: readonly string[]
}

/** The deployment that options name, with the account that is signed in. @throws CliError */
export async function openDeployment(
  { env, cwd, signal, output }: Pick<CommandContext, 'env' | 'cwd' | 'signal' | 'output'>,
  { config = 'wrangler.toml', env: environment = 'production', url, secrets }: DeploymentNames,
): Promise<Deployment> {
  if (url !== undefined) checkUrl(url)
  const root = checkout(cwd)
  const configuration = await Configuration.read(root, config, environment)
  const hidden = [...SECRETS, ...secrets]
  const plainEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.includes(name)))
  const wrangler = new Wrangler({ root, env: plainEnv, signal })
  const account = await Account.open(wrangler, { env, configured: configuration.accountId, signal })
  wrangler.accountId = account.id
  const onOutput = (text: string) => void output.bytes(text, 'stderr').catch(() => {})
  return new Deployment({ root, configuration, account, wrangler, env, plainEnv, givenUrl: url, signal, onOutput })
}

/** Checks an address that gets ADMIN_TOKEN: over the network by HTTPS alone. @throws CliError of usage */
function checkUrl(text: string): void {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' }
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere) {
    throw usageError(`--url ${text} is no address of HTTPS`, 'write it as https://toolyard.example.com')
  }
}
