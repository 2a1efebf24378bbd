import { lstat, mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asNumber, asString, errnoOf, type Json } from '../json.ts'
import { type CallContext, type Procedures, RpcError, type Unary } from './connect-json.ts'
import { describeEntry, type EntryInfo } from './entry-info.ts'
import { type Boot, checkUser, resolvePath } from './environment.ts'
import { fileError } from './file-error.ts'
import { MAX_LIST_DEPTH, MAX_LIST_ENTRIES } from './limits.ts'
import type { Metadata } from './metadata.ts'
import { watchProcedure } from './watch-service.ts'

/** Service `filesystem.Filesystem` of E2B's agent. The polling watcher (`CreateWatcher` …) is not used by the JS SDK. */
export function filesystemService(boot: Boot, metadata: Metadata): Procedures {
  const unary = (act: (path: string, input: Json) => Promise<unknown>): Unary => {
    return async (input: Json, context: CallContext) => {
      checkUser(context.username)
      try {
        return await act(resolvePath(boot, asString(input.path) ?? ''), input)
      } catch (error) {
        throw fileError(error)
      }
    }
  }

  return {
    unary: new Map([
      ['/filesystem.Filesystem/Stat', unary(async (path) => ({ entry: await describeEntry(path, metadata) }))],
      ['/filesystem.Filesystem/MakeDir', unary((path) => makeDirectory(path, metadata))],
      ['/filesystem.Filesystem/Remove', unary((path) => remove(boot, path))],
      ['/filesystem.Filesystem/Move', unary((_, input) => move(boot, input, metadata))],
      [
        '/filesystem.Filesystem/ListDir',
        unary(async (path, input) => ({ entries: await list(path, asNumber(input.depth) ?? 1, metadata) })),
      ],
    ]),
    streaming: new Map([['/filesystem.Filesystem/WatchDir', watchProcedure(boot, metadata)]]),
    collecting: new Map(),
    keepalive: new Map([['/filesystem.Filesystem/WatchDir', { keepalive: {} }]]),
  }
}

async function makeDirectory(path: string, metadata: Metadata): Promise<{ entry: EntryInfo }> {
  try {
    const there = await stat(path)
    if (!there.isDirectory())
      throw new RpcError('invalid_argument', `path already exists but it is not a directory: ${path}`)
    throw new RpcError('already_exists', `directory already exists: ${path}`)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
  await mkdir(path, { recursive: true })
  return { entry: await describeEntry(path, metadata) }
}

async function remove(boot: Boot, path: string): Promise<object> {
  if (path === '/' || path === boot.home) throw new RpcError('invalid_argument', `cannot remove ${path}`)
  // Without `force`, a missing path is an error; E2B's own agent removes in silence.
  await rm(path, { recursive: true, force: true })
  return {}
}

async function move(boot: Boot, input: Json, metadata: Metadata): Promise<{ entry: EntryInfo }> {
  const source = resolvePath(boot, asString(input.source) ?? '')
  const destination = resolvePath(boot, asString(input.destination) ?? '')
  await lstat(source)
  await mkdir(dirname(destination), { recursive: true })
  await rename(source, destination)
  return { entry: await describeEntry(destination, metadata) }
}

async function list(path: string, depth: number, metadata: Metadata): Promise<EntryInfo[]> {
  if (!(await stat(path)).isDirectory()) throw new RpcError('invalid_argument', `path is not a directory: ${path}`)
  const entries: EntryInfo[] = []
  await collect(path, Math.min(Math.max(depth, 1), MAX_LIST_DEPTH), metadata, entries)
  return entries
}

async function collect(directory: string, depth: number, metadata: Metadata, entries: EntryInfo[]): Promise<void> {
  const names: { name: string; isDirectory: boolean }[] = []
  for await (const item of await opendir(directory)) names.push({ name: item.name, isDirectory: item.isDirectory() })
  names.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, isDirectory } of names) {
    if (entries.length >= MAX_LIST_ENTRIES) {
      throw new RpcError('resource_exhausted', `the listing has more than ${MAX_LIST_ENTRIES} entries`)
    }
    const path = join(directory, name)
    try {
      entries.push(await describeEntry(path, metadata))
      // A symlink to a directory is listed, not entered: it may lead anywhere, also upwards.
      if (isDirectory && depth > 1) await collect(path, depth - 1, metadata, entries)
    } catch (error) {
      // The entry vanished, or may not be read: the rest of the listing is still true.
      if (!['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    }
  }
}
