import { FailureError, fail, failureWith } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import { operator, say } from '../../core/saying/saying.ts'
import { UnansweredError } from '../../ports/http.ts'
import type { McpProgress } from '../../ports/mcp-servers.ts'
import type { McpExecutor } from '../../registry/mcp/mcp-executor.ts'
import { openCredentials } from './credentials.ts'
import type { Execution, ExecutorPorts } from './execution.ts'
import { RemoteProgress } from './remote-progress.ts'
import { remoteResult } from './remote-result.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * Calls a tool of a remote MCP server, within the tool's time. The server's list is looked at first, unless it is fresh: a tool that is
 * another one than was accepted is not called.
 * @throws FailureError `conflict` for a changed tool; the server's error, or why it could not be reached, without any secret
 */
export async function callRemote(
  executor: McpExecutor,
  { definition, args, used, live }: Execution,
  { mcpServers, circuits, clock, secrets }: ExecutorPorts,
  signal: AbortSignal,
): Promise<Result> {
  const { id, timeout, input_schema: inputSchema } = definition
  const { target, tool, server, pin, quarantined } = executor
  if (quarantined) fail('conflict', changed(id, server, tool))
  const { headers, mask } = await openCredentials(executor.auth, secrets)
  const address = { url: target, headers }
  const endsAt = clock.now() + timeout * 1_000
  const left = () => Math.max(1, endsAt - clock.now())
  const leave = circuits.enter(id, target)
  const progress = live && new RemoteProgress({ live, mask, now: clock.now })
  let health: Parameters<typeof leave>[0] = 'unknown'
  return withoutSecrets(mask, async () => {
    try {
      const now = await mcpServers.pinOf(address, { tool, expected: pin, timeoutMs: left() }, signal)
      if (now === null) fail('not_found', `the MCP server ${server} has no tool ${tool} any more; use another one`)
      if (now !== pin) fail('conflict', changed(id, server, tool))
      const call = {
        ...{ tool, args, inputSchema, timeoutMs: left() },
        ...(progress && { onProgress: (made: McpProgress) => progress.show(made) }),
      }
      const { result, bytesIn, bytesOut } = await mcpServers
        .call(address, call, signal)
        .catch((thrown: unknown) => inDoubt(thrown))
      used({ bytesIn, bytesOut })
      health = 'answered'
      return remoteResult(result, mask)
    } catch (thrown) {
      if (health === 'unknown' && !signal.aborted) health = healthAfter(thrown)
      throw thrown
    } finally {
      progress?.end()
      leave(health)
    }
  })
}

/** Words for a call of a tool that its server describes otherwise than its owner accepted. */
const changed = (id: string, server: string, tool: string) =>
  say`${id} was not called: the MCP server ${server} describes it otherwise than was accepted; use another tool, or ask the owner to accept it${operator(` (POST /v1/mcp-servers/${server}/refresh shows what changed, …/tools/${tool}/accept takes it)`)}`

/** Health of the server after a failure: its own errors are answers. */
function healthAfter(thrown: unknown): 'answered' | 'failed' | 'unknown' {
  if (!(thrown instanceof FailureError)) return 'unknown'
  const { code } = thrown.failure
  if (code === 'timeout' || code === 'upstream') return 'failed'
  return code === 'invalid_input' || code === 'conflict' || code === 'not_found' ? 'answered' : 'unknown'
}

/** Throws the failure of a call; of one that the server may have acted on, it says so. */
function inDoubt(thrown: unknown): never {
  if (!(thrown instanceof UnansweredError)) throw thrown
  const { code, message, data } = thrown.failure
  const doubt = `${message}: the MCP server may have acted on the call; look there before you repeat it`
  throw new UnansweredError(failureWith(code, doubt, data), { cause: thrown })
}
