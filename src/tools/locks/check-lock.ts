import * as z from 'zod'
import { workspacePath } from '../../core/workspace-path.ts'
import { onePath } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { shownLock } from './locker.ts'

/** Source: Tool Server of October 2025, tools/lock_tools, CheckLockTool. */
export const checkLock = defineTool({
  name: 'check_lock',
  description:
    'Tell whether a file or directory is locked, by whom and at which level: by its own lock, or by that of a directory ' +
    'above it. Runs without a sandbox. Returns can_access (whether it may be changed) and lock_info. Reading is always ' +
    'possible.',
  effect: 'read',
  uses: ['locks'],
  input: z.object({ file_path: onePath.describe('File or directory, relative to the task root') }),

  async run({ file_path }, { ports: { locks } }) {
    const lock = locks.holding(workspacePath(file_path))
    const message = lock ? `文件被锁定 - 锁定者: ${lock.name}, 等级: ${lock.level}` : '文件可访问'
    return {
      text: lock ? `${file_path} is locked by ${lock.name}, level ${lock.level}` : `${file_path} is not locked`,
      data: {
        file_path,
        can_access: lock === null,
        is_locked: lock !== null,
        ...(lock && { lock_info: shownLock(lock) }),
        message,
      },
    }
  },
})
