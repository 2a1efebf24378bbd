import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { health } from './health.ts'
import { compileCache, home } from './settings.mjs'

const NAME = 'reader of documents'

/** A token for one run. */
export const newReaderToken = () => randomBytes(24).toString('base64url')

/**
 * Reader of documents and pages, as a {@link Service} behind that socket.
 * @param token proves that the request is the Worker's
 * @returns the service, and the Worker's bindings to it
 */
export function readerService(children, { port, fd }, token) {
  const args = [join(home, 'src/readerd/main.ts'), '--fd', '3']
  const { PATH } = process.env
  // No secret but its own, since its input comes from strangers.
  const env = { ...(PATH && { PATH }), READER_TOKEN: token, NODE_COMPILE_CACHE: compileCache }
  return {
    name: NAME,
    consequence: 'documents that were being read can be asked for again',
    ask: (signal) => health(port, signal),
    launch: () => children.startServer(NAME, process.execPath, args, { cwd: home, env, descriptors: [fd] }),
    bindings: { READER_URL: `http://127.0.0.1:${port}`, READER_TOKEN: token },
  }
}
