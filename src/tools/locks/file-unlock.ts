import * as z from 'zod'
import { workspacePath } from '../../core/workspace-path.ts'
import { onePath } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { lockerName, lockLevel } from './locker.ts'

/** Source: Tool Server of October 2025, tools/lock_tools, FileUnlockTool. */
export const fileUnlock = defineTool({
  name: 'file_unlock',
  description:
    'Take away the lock that file_lock put on a file or directory: with the name that locked it, or with any name and a ' +
    'higher level. Runs without a sandbox. Returns unlocked: true.',
  effect: 'write',
  uses: ['locks'],
  input: z.object({
    file_path: onePath.describe('The path that was locked, relative to the task root; list_locks shows it'),
    unlocker_name: lockerName.describe('Who unlocks: the name that locked. Default "task"'),
    unlocker_level: lockLevel.describe('Level from 1. Default 1'),
  }),

  async run({ file_path, unlocker_name, unlocker_level }, { ports: { locks } }) {
    const path = workspacePath(file_path)
    locks.unlock(path, { name: unlocker_name, level: unlocker_level })
    return {
      text: `unlocked ${path}`,
      data: { file_path, unlocker_name, unlocker_level, unlocked: true, message: `成功解锁文件: ${path}` },
    }
  },
})
