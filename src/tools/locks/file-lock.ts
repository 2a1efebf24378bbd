import * as z from 'zod'
import { workspacePath } from '../../core/workspace-path.ts'
import { onePath } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { lockerName, lockLevel } from './locker.ts'

/** Locks a file; reading stays free, unlike there. Source: Tool Server of October 2025, tools/lock_tools, FileLockTool. */
export const fileLock = defineTool({
  name: 'file_lock',
  description:
    'Lock a file, or a directory with all below it, until file_unlock: no tool can change, move or delete it, not yours ' +
    'either; reading stays possible. The path need not exist yet. Runs without a sandbox; code run by execute_code or ' +
    'execute_shell is not held back, and its answer says in notes what it changed. Returns level and locker_name.',
  effect: 'write',
  uses: ['locks'],
  input: z.object({
    file_path: onePath.describe('File or directory, relative to the task root'),
    locker_name: lockerName.describe('Who locks, by any name; the same name can unlock. Default "task"'),
    level: lockLevel.describe('Level from 1: who unlocks with a higher level needs no name. Default 1'),
  }),

  async run({ file_path, locker_name, level }, { ports: { locks } }) {
    const { path } = locks.lock(workspacePath(file_path), { name: locker_name, level })
    return {
      text: `locked ${path} for ${locker_name}, level ${level}`,
      data: { file_path, level, locker_name, locked: true, message: `成功锁定文件: ${path}` },
    }
  },
})
