import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errnoOf, fromStringMap } from '../json.ts'
import { RpcError } from './connect-json.ts'
import { type Boot, checkUser, resolvePath } from './environment.ts'
import { fileError } from './file-error.ts'
import { MAX_PARTS } from './limits.ts'
import type { Metadata } from './metadata.ts'
import { dispositionParameter, multipartBoundary, readMultipart } from './multipart.ts'

interface Written {
  readonly name: string
  readonly path: string
  readonly type: 'file'
  readonly metadata?: Readonly<Record<string, string>>
}

/** Serves `GET` and `POST /files?path=&username=`: file contents, streamed in both directions. */
export async function serveFiles(
  boot: Boot,
  metadata: Metadata,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://agent').searchParams
  try {
    checkUser(query.get('username') || null)
    if (request.method === 'GET' || request.method === 'HEAD') {
      await download(resolvePath(boot, query.get('path') ?? ''), request, response)
    } else if (request.method === 'POST') {
      sendJson(response, 200, await upload(boot, metadata, query.get('path') ?? '', request))
    } else {
      sendJson(response, 405, { code: 405, message: 'method not allowed' })
    }
  } catch (thrown) {
    if (response.headersSent) return void response.destroy()
    // The rest of a refused upload is read and dropped: closing on it would lose the refusal on the way.
    request.unpipe()
    request.resume()
    refuse(response, thrown)
  }
}

async function download(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await openForReading(path)
  try {
    const { size } = await file.stat()
    // Clients offer gzip by default; on loopback it pays only for one that asks for nothing else.
    const gzip = request.headers['accept-encoding'] === 'gzip' && size > 0
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `inline; filename*=utf-8''${encodeURIComponent(basename(path))}`,
      ...(gzip ? { 'content-encoding': 'gzip' } : { 'content-length': size }),
    })
    if (size === 0 || request.method === 'HEAD') return void response.end()
    // A file that grows meanwhile must not exceed the length already promised.
    const content = createReadStream('', { fd: file.fd, autoClose: false, start: 0, end: size - 1 })
    await (gzip ? pipeline(content, zlib().createGzip(), response) : pipeline(content, response))
  } finally {
    await file.close()
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
  const { O_NONBLOCK, O_RDONLY } = (await import('node:fs')).constants
  const file = await open(path, O_RDONLY | O_NONBLOCK)
  const stats = await file.stat()
  if (stats.isFile()) return file
  await file.close()
  throw new RpcError(
    'invalid_argument',
    `path '${path}' is ${stats.isDirectory() ? 'a directory' : 'not a regular file'}`,
  )
}

async function upload(boot: Boot, metadata: Metadata, queryPath: string, request: IncomingMessage): Promise<Written[]> {
  const pairs = metadataHeaders(request)
  const type = request.headers['content-type'] ?? ''
  const body = decompressed(request)
  const save = async (path: string, content: AsyncIterable<Buffer>) => {
    await writeFile(path, content)
    await metadata.write(path, pairs)
    return {
      name: basename(path),
      path,
      type: 'file',
      ...(pairs.size > 0 ? { metadata: fromStringMap(pairs) } : {}),
    } as const
  }

  const boundary = multipartBoundary(type)
  if (boundary === null) {
    if (queryPath === '') throw new RpcError('invalid_argument', 'path is required')
    return [await save(resolvePath(boot, queryPath), body)]
  }
  const written: Written[] = []
  for await (const part of readMultipart(body, boundary)) {
    const disposition = part.headers.get('content-disposition') ?? ''
    if (dispositionParameter(disposition, 'name') !== 'file') continue
    if (written.length >= MAX_PARTS) throw new RpcError('invalid_argument', `at most ${MAX_PARTS} files in one upload`)
    const path = queryPath || dispositionParameter(disposition, 'filename')
    if (path === null || path === '') throw new RpcError('invalid_argument', 'a file has no name and no path was given')
    written.push(await save(resolvePath(boot, path), part.body))
  }
  return written
}

/** Compression, loaded when a client asks for it: loading takes a tenth of the agent's start. */
const zlib = () => process.getBuiltinModule('node:zlib')

function decompressed(request: IncomingMessage): AsyncIterable<Buffer> {
  // Leaving the loop early, on a full disk say, must not cut the connection before the refusal is sent.
  if (request.headers['content-encoding'] !== 'gzip') return request.iterator({ destroyOnReturn: false })
  const gunzip: Readable = request.pipe(zlib().createGunzip())
  // The reader gets the error; without a listener here, an error after that would end the agent.
  gunzip.on('error', () => {})
  request.once('close', () => request.readableEnded || gunzip.destroy(new Error('the upload was cut off')))
  return gunzip
}

async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'w')
  try {
    for await (const bytes of content) await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

const METADATA_PREFIX = 'x-metadata-'

function metadataHeaders(request: IncomingMessage): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(METADATA_PREFIX) && typeof value === 'string')
      pairs.set(name.slice(METADATA_PREFIX.length), value)
  }
  return pairs
}

const STATUS_BY_CODE = new Map([
  ['invalid_argument', 400],
  ['failed_precondition', 400],
  ['already_exists', 400],
  ['unauthenticated', 401],
  ['permission_denied', 403],
  ['not_found', 404],
  ['resource_exhausted', 507],
])

function refuse(response: ServerResponse, thrown: unknown): void {
  // zlib's own errors (`Z_DATA_ERROR`) say that the upload was not gzip.
  const error = errnoOf(thrown)?.startsWith('Z_')
    ? new RpcError('invalid_argument', 'the body is not gzip')
    : fileError(thrown)
  const status = STATUS_BY_CODE.get(error.code) ?? 500
  sendJson(response, status, { code: status, message: error.message })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}
