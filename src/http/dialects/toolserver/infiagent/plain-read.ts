import type { Params } from '../../../parameters/params.ts'
import type { ExecuteRequest } from '../codec.ts'
import { without } from './calls.ts'

/**
 * Parameters of a call, with a model's guess `path` of `file_read` under its published name, so that the answer is the published one, and
 * several `paths` as infiAgent's list.
 * infiAgent's calls are left: they give a list, or `show_line_numbers`, or are of a task whose id is its directory.
 */
export function plainRead({
  tool_name,
  params,
  task_id,
}: Pick<ExecuteRequest, 'tool_name' | 'params' | 'task_id'>): Params {
  const { path, paths, file_paths = paths } = params
  if (tool_name === 'file_read' && isSeveral(file_paths) && !isGiven(path) && !isGiven(params.file_path)) {
    return { show_line_numbers: false, ...without(params, 'paths', 'file_paths'), path: file_paths }
  }
  if (tool_name !== 'file_read' || typeof path !== 'string' || DIRECTORY.test(task_id)) return params
  if (isGiven(params.show_line_numbers) || isGiven(params.file_path)) return params
  return { ...without(params, 'path'), file_path: path }
}

const isSeveral = (paths: unknown) => Array.isArray(paths) && paths.length > 1

const isGiven = (value: unknown) => value !== undefined && value !== null

/** A task id that is the absolute path of a directory. */
const DIRECTORY = /^(?:\/|[A-Za-z]:[\\/])/
