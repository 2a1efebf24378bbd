import { closeSync, openSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** A listening unix socket, made here and served by the agent, which gets it as an open descriptor. */
export interface AgentSocket {
  /** Path to which the daemon connects. */
  readonly path: string
  /** Descriptor for the child's `stdio`. */
  readonly fd: number
  /** Stops listening in this process; the child goes on. Must be called once the child is spawned. */
  release(): void
  /** Frees what `path` needs. */
  close(): void
}

/** Longest path the kernel takes for a unix socket, in bytes. */
const MAX_SOCKET_PATH = 107
/** Longest name of a socket in its directory, with the slash before it. */
const MAX_SOCKET_NAME = 10

/**
 * The sandbox must not be able to touch the path: were it a file in a shared directory, a tenant could put a link to
 * another socket of the host there and have the daemon talk to that.
 * Connections wait in the backlog until the agent accepts, so there is no "not ready yet".
 */
export async function listenForAgent(dir: string): Promise<AgentSocket> {
  const { base, close } = socketDirectory(dir)
  const temporary = join(base, 'agent.new')
  const path = join(base, 'agent')
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(temporary, resolve)
  })
  // `release` removes the name that the socket was bound to; under its new name the socket stays.
  renameSync(temporary, path)
  return {
    path,
    fd: descriptorOf(server),
    release: () => server.close(),
    close,
  }
}

/** A directory by a path that is short enough for sockets in it. */
export function socketDirectory(dir: string): { readonly base: string; close(): void } {
  if (dir.length + MAX_SOCKET_NAME <= MAX_SOCKET_PATH) return { base: dir, close: () => undefined }
  // Below a long directory, the path goes through the directory's own descriptor.
  const fd = openSync(dir, 'r')
  return { base: `/proc/self/fd/${fd}`, close: () => closeSync(fd) }
}

/** Node passes descriptors to children but names a server's only here. */
function descriptorOf(server: unknown): number {
  const { fd } = (server as { _handle: { fd: number } })._handle
  if (!(fd >= 0)) throw new Error('this Node does not tell the descriptor of a listening socket')
  return fd
}
