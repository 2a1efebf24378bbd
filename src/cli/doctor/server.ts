import { Toolyard } from '../../client/index.ts'
import type { Server } from '../config/server.ts'
import { explain } from '../failure.ts'
import { bad, type Finding, good } from './finding.ts'

/** Time that a look at a server may take. */
const LOOK_MS = 15_000
/** Time in which a command runs in a new sandbox. */
const SANDBOX_MS = 120_000

/** Whether a server answers, takes the key, and starts sandboxes. What follows from a fault is not looked at. */
export async function* serverFindings(server: Server, signal: AbortSignal): AsyncGenerator<Finding> {
  const answer = await answers(server, signal)
  yield answer
  if (answer.state !== 'good') return
  const client = new Toolyard({ baseUrl: server.url, apiKey: server.key })
  const key = await whatKeyMay(client, signal)
  yield key.finding
  if (key.mayExecute) yield await sandboxRuns(client, signal)
}

async function answers({ url, source }: Server, signal: AbortSignal): Promise<Finding> {
  const name = 'server'
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]) })
    await answer.body?.cancel()
    if (answer.ok) return good(name, `${url} answers`)
    return bad(name, `${url}/health is answered ${answer.status}`, 'see its log for the reason')
  } catch {
    signal.throwIfAborted()
    // Who named no server may not have one, and wants to know of the machine.
    if (source === 'default')
      return { name, state: 'warning', found: `no server answers on ${url}`, advice: 'toolyard dev starts one' }
    return bad(name, `${url} does not answer`, 'start it, or name another by --profile or TOOLYARD_BASE_URL')
  }
}

async function whatKeyMay(client: Toolyard, signal: AbortSignal) {
  const name = 'key'
  try {
    const { tenant, scopes } = await client.request('GET /v1/keys/current', {}, { signal })
    const mayExecute = scopes.includes('execute')
    const found = `good, of the tenant ${tenant}, for ${scopes.join(', ')}`
    const finding: Finding = mayExecute
      ? good(name, found)
      : { name, state: 'warning', found, advice: 'a key with the scope execute is needed to run anything' }
    return { finding, mayExecute }
  } catch (failure) {
    signal.throwIfAborted()
    return { finding: bad(name, explain(failure).line, ''), mayExecute: false }
  }
}

async function sandboxRuns(client: Toolyard, signal: AbortSignal): Promise<Finding> {
  const name = 'sandboxes of the server'
  const within = AbortSignal.any([signal, AbortSignal.timeout(SANDBOX_MS)])
  try {
    const session = await client.sessions.create({}, { signal: within })
    try {
      const { exitCode } = await session.run('true', { signal: within })
      if (exitCode === 0) return good(name, 'one started, and ran a command')
      return bad(name, `a command ended with ${exitCode}`, 'see the log of the server')
    } finally {
      await session[Symbol.asyncDispose]()
    }
  } catch (failure) {
    signal.throwIfAborted()
    return bad(name, explain(failure).line, 'see the log of the server, and E2B_API_KEY there')
  }
}
