/**
 * The reader as a process of this machine: listens on 127.0.0.1, prints `{ready, port}` as one line, and stops on SIGTERM,
 * SIGINT. READER_TOKEN: what askers have to show. `--port N`: 0, which it is without, is any free one. `--fd N`: that descriptor
 * of a listening socket instead.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createReaderServer } from './server.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, fd: { type: 'string' } } })
const token = process.env.READER_TOKEN
if (!token) {
  console.error('reader: READER_TOKEN is not set; give it a secret that the server has too')
  process.exit(2)
}
const { server, close } = createReaderServer({ token })
const stop = () => void close().then(() => process.exit(0))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
if (values.fd === undefined) server.listen(Number(values.port), '127.0.0.1')
else server.listen({ fd: Number(values.fd) })
await once(server, 'listening')
const { port } = server.address() as AddressInfo // a TCP server's address is never a string
console.log(JSON.stringify({ ready: true, port, pid: process.pid }))
