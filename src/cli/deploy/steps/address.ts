import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from '../../failure.ts'
import type { Deployment } from '../deployment.ts'
import type { Step } from '../step.ts'
import { wranglerCommand } from '../wrangler.ts'

/** Time in which a new address has to answer: names below workers.dev take some seconds to be known everywhere. */
const ADDRESS_MS = 120_000
/** Time between two looks. */
const PAUSE_MS = 2_000
/** Time that one look may take. */
const LOOK_MS = 15_000

/**
 * Looks whether the server answers at its address, refuses who has no key, and knows the admin token. Each run does.
 * @param isNew whether it is waited for, as an address that was made just now
 */
export function addressStep(deployment: Deployment, isNew: boolean): Step {
  const { env, signal } = deployment.parts
  const anew = wranglerCommand(['triggers', 'deploy', ...deployment.wranglerOptions])
  const withinMs = isNew ? ADDRESS_MS : 0
  let known: string | null = null
  return {
    name: 'address',
    isLook: true,
    describe: () => 'looks whether the server answers at its address, and refuses who has no key',
    commands: () => {
      const url = known ?? 'https://ADDRESS'
      const admin = env.ADMIN_TOKEN ? [`curl ${url}/admin/tenants  (with ADMIN_TOKEN)`] : []
      return [`curl ${url}/health`, `curl ${url}/v1/keys/current`, ...admin]
    },
    async isDone() {
      known = await deployment.url()
      return { isDone: false, found: 'looked at by each run' }
    },
    async run() {
      const url = await deployment.url()
      if (url === null) throw new CliError('the account has no address for it', 'name it by --url')
      await answering(`${url}/health`, `a new address may take minutes; ${anew} arranges it again`, withinMs, signal)
      const unknown = await statusOf(`${url}/v1/keys/current`, signal)
      if (unknown !== 401) {
        throw new CliError(
          `${url} answered ${unknown} to a request without a key, and not 401`,
          'see whether OPEN_TENANT is set',
        )
      }
      if (!env.ADMIN_TOKEN) return `${url} answers; ADMIN_TOKEN was not tried: it is not set here`
      const admin = await statusOf(`${url}/admin/tenants`, signal, env.ADMIN_TOKEN)
      if (admin !== 200) {
        const hint =
          'set ADMIN_TOKEN here to the one that the Worker has, or replace it: npx wrangler secret put ADMIN_TOKEN'
        throw new CliError(`${url}/admin answered ${admin} to ADMIN_TOKEN`, hint)
      }
      return `${url} answers, and takes ADMIN_TOKEN`
    },
  }
}

/** Waits until an address answers with 200. @throws CliError */
async function answering(url: string, advice: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const status = await statusOf(url, signal).catch((failure: Error) => failure.message)
    signal.throwIfAborted()
    if (status === 200) return
    if (status === 500 || Date.now() >= deadline) {
      const hint = status === 500 ? 'npx wrangler tail shows which setting it refuses' : advice
      throw new CliError(`${url} does not answer as it should (${status})`, hint)
    }
    await pause(PAUSE_MS, undefined, { signal })
  }
}

async function statusOf(url: string, signal: AbortSignal, token?: string): Promise<number> {
  const answer = await fetch(url, {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]),
  })
  await answer.body?.cancel()
  return answer.status
}
