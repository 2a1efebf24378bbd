import { serverKeys } from '../../../core/server-keys.ts'
import type { Deployment } from '../deployment.ts'
import type { Step } from '../step.ts'
import { wranglerCommand } from '../wrangler.ts'

/** Least characters of what guards a server in production (`src/config.ts`). */
const LEAST_CHARS = 32

/** Secret that a deployment has, and how its owner comes to one. */
interface Secret {
  readonly name: string
  /** Advice to who has none. */
  readonly advice: string
  /** Fault of a value, without a word of it; null for none. */
  readonly problem?: (value: string) => string | null
}

const longEnough = (value: string): string | null =>
  value.length < LEAST_CHARS ? `has ${value.length} characters, and ${LEAST_CHARS} are the least` : null

const ADMIN_TOKEN: Secret = {
  name: 'ADMIN_TOKEN',
  advice:
    'export ADMIN_TOKEN="$(openssl rand -base64 32)", and keep it where you keep passwords: nothing shows it again',
  problem: longEnough,
}
const SECRETS_KEY: Secret = {
  name: 'SECRETS_KEY',
  advice: 'export SECRETS_KEY="$(openssl rand -base64 32)", and keep it: what tenants keep secret opens by it alone',
  problem: (value) => {
    try {
      return longEnough(serverKeys(value)[0].text)
    } catch (failure) {
      return failure instanceof Error ? failure.message : 'is no key'
    }
  },
}
const E2B_API_KEY: Secret = { name: 'E2B_API_KEY', advice: 'take one from https://e2b.dev/dashboard?tab=keys' }

/** Secrets of a server: those that every deployment has, and further ones by name, as providers of tools want them. */
export function wantedSecrets(withSandboxes: boolean, further: readonly string[]): readonly Secret[] {
  const usual = [ADMIN_TOKEN, SECRETS_KEY, ...(withSandboxes ? [E2B_API_KEY] : [])]
  const others = further.filter((name) => !usual.some((secret) => secret.name === name))
  return [...usual, ...others.map((name) => ({ name, advice: `export ${name}=…` }))]
}

/** Gives the Worker those secrets that it does not have, from the environment. What it has stays. */
export function secretsStep(deployment: Deployment, secrets: readonly Secret[]): Step {
  const { account, configuration, wrangler, env } = deployment.parts
  const args = ['secret', 'bulk', ...deployment.wranglerOptions]
  const missing = async () => {
    const there = new Set(await account.secrets(configuration.worker))
    return secrets.filter(({ name }) => !there.has(name))
  }
  return {
    name: 'secrets',
    describe: () =>
      `gives the Worker the secrets that it does not have, of ${secrets.map(({ name }) => name).join(', ')}`,
    commands: () => [`${wranglerCommand(args)}  (values by stdin)`],
    async isDone() {
      const names = (await missing()).map(({ name }) => name)
      return { isDone: names.length === 0, found: names.length === 0 ? 'all there' : `not there: ${names.join(', ')}` }
    },
    async blocker() {
      const problems = (await missing()).flatMap(({ name, advice, problem }) => {
        const value = env[name]
        if (!value) return [`${name} is not set: ${advice}`]
        const wrong = problem?.(value) ?? null
        return wrong === null ? [] : [`${name} ${wrong}: ${advice}`]
      })
      return problems.length === 0 ? null : problems.join('; ')
    },
    async run() {
      const values = (await missing()).map(({ name }) => [name, env[name] ?? ''] as const)
      await wrangler.run(args, JSON.stringify(Object.fromEntries(values)))
      return `set: ${values.map(([name]) => name).join(', ')}`
    },
  }
}
