import { pythonTimestamp } from '../../../core/timestamp.ts'
import type { SessionSpec } from '../../../session/api.ts'
import { specifiers } from '../../specifiers.ts'

/** Request for a new task. */
export interface NewTask {
  readonly id: string
  readonly name: string
  readonly requirements: string | null
}

/** Initial content of a new task: the directories of the published server, and its `config/meta.json`. */
export function taskSpec({ id, name, requirements }: NewTask, now: number): SessionSpec {
  const meta = {
    task_id: id,
    task_name: name,
    created_at: pythonTimestamp(now),
    status: 'active',
    embedded_files: [],
    requirements,
  }
  return {
    title: name,
    requirements: specifiers(requirements ?? ''),
    directories: ['config', 'upload', 'rag_db', 'code_env', 'code_run', 'logs', 'checkpoint'],
    files: [{ path: 'config/meta.json', text: JSON.stringify(meta, null, 2) }],
  }
}
