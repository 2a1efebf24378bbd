import { percentDecoded } from '../../../core/percent-decoded.ts'

/**
 * Task ids in URLs. One of the two known clients uses absolute paths as ids and puts them into the URL unencoded
 * (`/api/task//home/me/project/status`), so an id may have any number of segments. All functions take the path as it was sent,
 * percent-encoding included.
 */

/** The id in `/api/task/{id}/status`; null when this is not such a path. */
export function statusTaskId(pathname: string): string | null {
  const below = pathname.slice(TASK.length)
  if (!pathname.startsWith(TASK) || !below.endsWith(STATUS) || below.length === STATUS.length) return null
  return percentDecoded(below.slice(0, -STATUS.length))
}

/** The id in `/api/task/{id}`; null when there is none. */
export function taskId(pathname: string): string | null {
  const below = pathname.slice(TASK.length)
  return pathname.startsWith(TASK) && below !== '' ? percentDecoded(below) : null
}

/** Every way to read `/api/download/{id}/{path}`, the shortest id first. */
export function downloadSplits(pathname: string): { readonly id: string; readonly path: string }[] {
  if (!pathname.startsWith(DOWNLOAD)) return []
  const below = pathname.slice(DOWNLOAD.length)
  const splits: { id: string; path: string }[] = []
  for (let at = below.indexOf('/', 1); at !== -1 && splits.length < MAX_SPLITS; at = below.indexOf('/', at + 1)) {
    splits.push({ id: percentDecoded(below.slice(0, at)), path: percentDecoded(below.slice(at + 1)) })
  }
  return splits
}

/** Id in `/api/human-tasks/{id}`, where nothing follows it; null when this is not such a path. */
export function humanTasksTaskId(pathname: string): string | null {
  const below = pathname.slice(HUMAN_TASKS.length)
  return pathname.startsWith(HUMAN_TASKS) && below !== '' ? percentDecoded(below) : null
}

/** Both ids in `/api/human-tasks/{id}/{human task}`; the second has no slash. */
export function humanTaskIds(pathname: string): { readonly id: string; readonly humanTask: string } | null {
  const at = pathname.lastIndexOf('/')
  const id = humanTasksTaskId(pathname.slice(0, Math.max(at, 0)))
  return id === null ? null : { id, humanTask: percentDecoded(pathname.slice(at + 1)) }
}

/** True when following `path` from a directory would lead out of it. */
export function climbsOut(path: string): boolean {
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}

const TASK = '/api/task/'
const STATUS = '/status'
const DOWNLOAD = '/api/download/'
const HUMAN_TASKS = '/api/human-tasks/'

/** Splits to try, each of which looks up a task of that name; ids are rarely deeper. */
const MAX_SPLITS = 16
