import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { keyFile, ownKey } from './api-key.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { watchDisk } from './disk-watch.ts'
import { openBwrap } from './isolation/bwrap.ts'
import { type Isolation, IsolationUnavailable } from './isolation/isolation.ts'
import { openNone } from './isolation/none.ts'
import { messageOf } from './json.ts'
import { sandboxFacts } from './sandbox-facts.ts'
import { SandboxRegistry } from './sandbox-registry.ts'
import { createDaemonServer } from './server.ts'
import { openStateDirectory } from './state-directory.ts'
import { lockState, stateName } from './state-lock.ts'

const EXIT_USAGE = 2
const HOUR_MS = 60 * 60 * 1000

/** stdout carries one line for programs (`ready`), stderr the lines for people. */
const log = (line: string) => console.error(`sandboxd: ${line}`)

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env)
  openStateDirectory(config.stateDir)
  const unlock = await lockState(stateName(config.stateDir))
  if (unlock === null) throw new ConfigError(`another sandboxd uses ${config.stateDir}`)
  const isolation = await openIsolation(config)
  for (const note of isolation.notes) log(note)

  const registry = new SandboxRegistry(config, isolation, log)
  const apiKey = config.apiKey ?? ownKey(config.stateDir)
  if (config.apiKey === null) log(`the key for X-API-KEY (E2B_API_KEY) is in ${keyFile(config.stateDir)}`)
  const server = createDaemonServer(registry, { ...config, apiKey }, sandboxFacts(config, isolation), log)
  const stopWatching = watchDisk(registry, config, log)
  const sweep = setInterval(() => void registry.sweep().catch((error) => log(messageOf(error))), HOUR_MS)

  const stop = async () => {
    clearInterval(sweep)
    stopWatching()
    server.close()
    await registry.close()
    server.closeAllConnections()
    await isolation.close()
    unlock()
  }
  let stopping = false
  const stopOnce = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      (error) => {
        log(`did not stop cleanly: ${messageOf(error)}`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOnce)
  if (config.untilStdinEnds) process.stdin.on('end', stopOnce).resume()

  if (config.fd === null) server.listen(config.port, '127.0.0.1')
  else server.listen({ fd: config.fd })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  console.log(JSON.stringify({ ready: true, port, pid: process.pid, isolation: config.isolation }))
}

function openIsolation(config: Config): Promise<Isolation> {
  if (config.isolation === 'none') return openNone(config)
  if (process.platform !== 'linux') {
    throw new IsolationUnavailable('isolation needs Linux: run the daemon in a Linux container or virtual machine')
  }
  return openBwrap(config)
}

main().catch((error: unknown) => {
  if (error instanceof IsolationUnavailable) {
    log(error.message)
    log('to run without any isolation, for code you trust only: ISOLATION=none')
  } else {
    log(messageOf(error))
  }
  process.exit(error instanceof ConfigError || error instanceof IsolationUnavailable ? EXIT_USAGE : 1)
})
