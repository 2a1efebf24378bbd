import { stat } from 'node:fs/promises'
import { asString } from '../json.ts'
import { RpcError, type Streaming } from './connect-json.ts'
import { describeEntry } from './entry-info.ts'
import { type Boot, checkUser, resolvePath } from './environment.ts'
import { fileError } from './file-error.ts'
import { MAX_WATCHES } from './limits.ts'
import type { Metadata } from './metadata.ts'
import { type FileChange, watchTree } from './watch-tree.ts'

const EVENT_TYPES = { create: 1, write: 2, remove: 3, rename: 4, chmod: 5 } as const

/** `WatchDir`: one `start`, then a `filesystem` event per change until the client leaves or its time is over. */
export function watchProcedure(boot: Boot, metadata: Metadata): Streaming {
  let open = 0
  return async (input, context, stream) => {
    checkUser(context.username)
    const path = resolvePath(boot, asString(input.path) ?? '')
    await requireDirectory(path)
    if (open >= MAX_WATCHES) throw new RpcError('resource_exhausted', `at most ${MAX_WATCHES} watches at the same time`)

    const publish = async (change: FileChange) => {
      const entry = input.includeEntry === true ? await entryOrNull(change.path, metadata) : null
      stream.send({
        filesystem: { name: change.name, type: EVENT_TYPES[change.kind], ...(entry === null ? {} : { entry }) },
      })
    }
    const stop = watchTree(path, input.recursive === true, publish, (error) => stream.end(fileError(error)))
    open++
    const timer =
      context.timeoutMs === null
        ? undefined
        : setTimeout(() => stream.end(new RpcError('deadline_exceeded', 'timeout')), context.timeoutMs)
    stream.onClosed(() => {
      open--
      clearTimeout(timer)
      stop()
    })
    stream.send({ start: {} })
  }
}

async function requireDirectory(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return
  } catch (error) {
    throw fileError(error)
  }
  throw new RpcError('invalid_argument', `path ${path} is not a directory`)
}

async function entryOrNull(path: string, metadata: Metadata) {
  try {
    return await describeEntry(path, metadata)
  } catch (error) {
    if (fileError(error).code === 'not_found') return null
    throw error
  }
}
