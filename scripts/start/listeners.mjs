import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { getSystemErrorName } from 'node:util'

/** Connections that wait for a process that is being started. The kernel takes fewer where `somaxconn` is smaller. */
const BACKLOG = 511
/** Makes its descriptors from 3 on listen, and ends before it could accept. */
const LISTEN = `
let left = Number(process.argv[1])
for (let fd = 3 + left; fd-- > 3; ) require('node:net').createServer().listen({ fd, backlog: ${BACKLOG} }, () => --left || process.exit())`

/**
 * Opens listening sockets of 127.0.0.1, which this process keeps and never accepts on: a child that gets the descriptor
 * does. While that child is started again, connections wait in the kernel's queue instead of being refused.
 * @param ports as wanted; 0 for any free one
 * @returns for each `{ port, fd }`, where they are now
 * @throws Error with `code`, e.g. EADDRINUSE
 */
export async function openListeners(ports) {
  const bound = ports.map(bind)
  const descriptors = bound.map(({ fd }) => fd)
  // A process of its own: Node accepts on every socket that it listens on itself.
  const child = spawn(process.execPath, ['-e', LISTEN, String(ports.length)], {
    stdio: ['ignore', 'ignore', 'inherit', ...descriptors],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`port ${ports.join(', ')}: another process was faster; start again`)
  return bound
}

function bind(wanted) {
  // By the name in Node's cluster, whose main process binds for others too.
  const handle = net._createServerHandle('127.0.0.1', wanted, 4)
  const where = {}
  const failed = typeof handle === 'number' ? handle : handle.getsockname(where)
  if (failed)
    throw Object.assign(new Error(`port ${wanted} cannot be listened on`), { code: getSystemErrorName(failed) })
  held.push(handle)
  return { port: where.port, fd: handle.fd }
}

/** Sockets, which end with this process, and not by garbage collection. */
const held = []
