import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { ProcessTree } from './isolation/isolation.ts'
import { AGENT_STALL_MS, BOOT_TIMEOUT_MS, MAX_AGENT_STALL_MS } from './limits.ts'

/** The daemon's connections to one sandbox's agent. */
export interface AgentClient {
  readonly socketPath: string
  readonly connections: Agent
  /** Continues the agent, in case it was stopped. */
  resume(): void
  close(): void
}

export function openAgentClient({ socketPath, resumeAgent }: ProcessTree): AgentClient {
  const connections = new Agent({ keepAlive: true, maxFreeSockets: 8 })
  return { socketPath, connections, resume: resumeAgent, close: () => connections.destroy() }
}

/** Continues the agent (SIGCONT) again and again until a request is answered. @returns a function that ends that */
export function untilAnswered(client: AgentClient): () => void {
  let waitMs = AGENT_STALL_MS
  const resume = () => {
    client.resume()
    waitMs *= 2
    if (waitMs <= MAX_AGENT_STALL_MS) timer = setTimeout(resume, waitMs)
  }
  let timer = setTimeout(resume, waitMs)
  return () => clearTimeout(timer)
}

/** Boot message: settings of the agent; see `agent/environment.ts`. */
export interface BootMessage {
  readonly home: string
  readonly runtime: string
  readonly env: Readonly<Record<string, string>>
  readonly addressSpaceBytes: number
  readonly egress: ProcessTree['egress']
  readonly prewarm: boolean
}

/** Waits for the agent to be up and sends its settings. @throws Error */
export function bootAgent(client: AgentClient, message: BootMessage): Promise<void> {
  const body = JSON.stringify(message)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        socketPath: client.socketPath,
        agent: client.connections,
        method: 'POST',
        path: '/boot',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(BOOT_TIMEOUT_MS),
      },
      (response: IncomingMessage) => {
        response.resume()
        if (response.statusCode === 204) response.once('end', resolve)
        else reject(new Error(`the agent answered ${response.statusCode}`))
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}
