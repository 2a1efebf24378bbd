import * as z from 'zod'
import { defineTool } from '../define.ts'
import { shownLock } from './locker.ts'

/** Lists the locks of this task alone. Source: Tool Server of October 2025, tools/lock_tools, ListLocksTool. */
export const listLocks = defineTool({
  name: 'list_locks',
  description:
    'List which files and directories of the task are locked: path, who locked it, at which level, and when (UTC). Runs ' +
    'without a sandbox. Returns locks.',
  effect: 'read',
  uses: ['locks'],
  input: z.object({}),

  async run(_input, { ports: { locks } }) {
    const all = locks.list()
    const lines = all.map(({ path, name, level }) => `${path}  ${name}, level ${level}`)
    return {
      text: lines.join('\n') || 'nothing is locked',
      data: { locks: all.map(shownLock), count: all.length, message: `找到 ${all.length} 个文件锁` },
    }
  },
})
