import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { asNumber, parseObject } from '../json.ts'
import { type Procedures, readBody, serveConnect } from './connect-json.ts'
import { relayEgress } from './egress-relay.ts'
import { type Boot, decodeBoot } from './environment.ts'
import { serveFiles } from './files-http.ts'
import { filesystemService } from './filesystem-service.ts'
import { Interpreter } from './interpreter.ts'
import { openMetadata } from './metadata.ts'
import { endProcessesWith, kill } from './own-processes.ts'
import { proxyToPort, proxyUpgrade } from './port-proxy.ts'
import { processService } from './process-service.ts'
import { ProcessTable } from './process-table.ts'

const ENVD_PORT = 49983
const INTERPRETER_PORT = 49999

/**
 * The agent: the only program of ours inside a sandbox. It serves everything the daemon lets through on one socket, which
 * arrives open as a descriptor, so that no path to it exists that the sandbox's own processes could touch. It ends with another
 * descriptor, its lifeline, whose other end the daemon has.
 * It holds no secret: tokens are checked before a request gets here.
 */
function main(): void {
  const groups = new Set<number>()
  let sandboxId: string | undefined
  let route: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null = null
  const server = createServer((request, response) => {
    const answer = route ?? boot
    answer(request, response).catch(() => response.destroy())
  })

  const boot = async (request: IncomingMessage, response: ServerResponse) => {
    const settings = decodeBoot(parseObject((await readBody(request)).toString('utf8')), groups)
    sandboxId = settings.env.E2B_SANDBOX_ID
    if (settings.egress !== null) await relayEgress(settings.egress)
    route = router(settings)
    response.writeHead(204).end()
  }

  server.on('upgrade', (request, socket, head) => proxyUpgrade(portOf(request), request, socket, head))
  // The daemon keeps its connections for as long as it likes; closing one here could meet a request on its way.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.listen({ fd: asNumber(Number(process.argv[2])) ?? 3 })
  // Requests have nothing to do with each other: a fault in one must not take every command of the sandbox with it.
  process.on('uncaughtException', (error) => console.error(error))
  const endsCommands = process.argv[4] === 'ends-commands'
  new Socket({ fd: Number(process.argv[3]) }).resume().once('close', () => {
    if (endsCommands) endCommands(groups, sandboxId)
    process.exit(0)
  })
}

/**
 * Ends the commands, where no namespace ends them with the agent: their groups, and what has left these but has the sandbox's
 * id in its environment.
 */
function endCommands(groups: ReadonlySet<number>, sandboxId: string | undefined): void {
  for (const group of groups) kill(-group)
  if (sandboxId !== undefined) endProcessesWith(`E2B_SANDBOX_ID=${sandboxId}`)
}

function router(boot: Boot): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  mkdirSync(boot.home, { recursive: true })
  process.chdir(boot.home)
  const metadata = openMetadata(boot, `${boot.runtime}-state/metadata-used`)
  const table = new ProcessTable(boot)
  const services = [processService(table), filesystemService(boot, metadata)]
  const procedures: Procedures = {
    unary: new Map(services.flatMap((service) => [...service.unary])),
    streaming: new Map(services.flatMap((service) => [...service.streaming])),
    collecting: new Map(services.flatMap((service) => [...service.collecting])),
    keepalive: new Map(services.flatMap((service) => [...service.keepalive])),
  }
  const interpreter = new Interpreter(boot)

  return async (request, response) => {
    const port = portOf(request)
    if (port === INTERPRETER_PORT) return interpreter.serve(request, response)
    if (port !== ENVD_PORT) return proxyToPort(port, request, response)
    const path = (request.url ?? '').split('?', 1)[0]
    if (path === '/files') return serveFiles(boot, metadata, request, response)
    if (path === '/health') return void response.writeHead(204).end()
    if (!(await serveConnect(procedures, request, response))) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 'unimplemented', message: 'no such endpoint' }))
    }
  }
}

function portOf(request: IncomingMessage): number {
  return Number(request.headers['e2b-sandbox-port'] ?? ENVD_PORT)
}

main()
