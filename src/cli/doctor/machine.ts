import { join } from 'node:path'
import { runChild } from '../deploy/child.ts'
import { CliError } from '../failure.ts'
import { nodeOf } from '../package-root.ts'
import { bad, type Finding } from './finding.ts'

/** Secrets that the checks, and the sandbox host that they start, have no use for. */
const SECRETS = [
  'ADMIN_TOKEN',
  'SECRETS_KEY',
  'E2B_API_KEY',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_API_KEY',
  'TOOLYARD_API_KEY',
]

interface MachineSurroundings {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Whether this machine can run the server, by the checks that the server's own start has: `scripts/doctor.mjs`. @throws CliError */
export async function machineFindings({ root, env, signal }: MachineSurroundings): Promise<readonly Finding[]> {
  const script = join(root, 'scripts/doctor.mjs')
  const args = ['--disable-warning=ExperimentalWarning', script]
  const plainEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)))
  const { code, stdout, output } = await runChild({ program: nodeOf(root), args, cwd: root, env: plainEnv, signal })
  signal.throwIfAborted()
  const findings = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Finding] : []))
  if (findings.length === 0) throw new CliError('the machine could not be looked at', output.trim().slice(-500))
  // What ended before its last look found nothing there, whatever it had found good.
  if (code !== 0 && findings.every(({ state }) => state !== 'bad'))
    return [...findings, bad('machine', 'not looked at to the end', output.trim().slice(-500))]
  return findings
}
