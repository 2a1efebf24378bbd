import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ReadingLimits } from '../../src/readerd/pool.ts'
import { createReaderServer } from '../../src/readerd/server.ts'

/** A reader as `npm start` has one: reading processes, made when they are first needed. */
export interface ReaderHost {
  /** Bindings of the server that name this reader. */
  readonly vars: { readonly READER_URL: string; readonly READER_TOKEN: string }
  stop(): Promise<void>
}

/** Starts a reader. @param limits of one reading; by default the product's */
export async function startReader(limits: Partial<ReadingLimits> = {}): Promise<ReaderHost> {
  const token = crypto.randomUUID()
  const { server, close } = createReaderServer({ token, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return { vars: { READER_URL: `http://127.0.0.1:${port}`, READER_TOKEN: token }, stop: close }
}
