import type { Task } from '../task.ts'

const MOMENT = 'give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest'

/** What changed, and the way back. */
export const HISTORY = {
  'way back in the words of git': {
    wants: 'Take the last change of a file back',
    tries: {
      before: [
        ['file_write', { file_path: 'undo.txt', content: 'good' }],
        ['file_write', { file_path: 'undo.txt', content: 'broken' }],
      ],
      sends: ['workspace_restore', { revision: 'HEAD~1', file_path: './undo.txt' }],
      message: 'restored undo.txt as after commit …, by commit …; commit … has what was before: 1 changed',
    },
  },
  'tool to undo': {
    wants: 'Take the last change back',
    tries: {
      sends: ['undo', {}],
      fails: true,
      message: 'Tool undo not found; did you mean workspace_restore?',
    },
  },
  'commit counted from the end': {
    wants: 'Take the last change back',
    tries: {
      sends: ['workspace_restore', { commit: -1 }],
      fails: true,
      message: `commit: ${MOMENT}; -1 is none, HEAD~1 may be meant`,
    },
  },
  'newest commit as the one to go back to': {
    wants: 'Take the last change back',
    tries: {
      sends: ['workspace_restore', { commit: 'latest' }],
      message: 'nothing to do: all files as after commit …; no commit was made; to undo commit … give commit: …',
    },
  },
  'hash of a commit': {
    wants: 'See what a commit changed',
    tries: {
      sends: ['workspace_diff', { to: '9fa81e24' }],
      fails: true,
      message: `9fa81e24 is no moment of the files: ${MOMENT}; the history lists the commits`,
    },
  },
  'changes since a snapshot': {
    wants: 'See what was changed in a file since a snapshot',
    tries: {
      before: [
        ['file_write', { file_path: 'since.txt', content: 'old' }],
        ['workspace_snapshot', { name: 'before-trying', replace: true }],
        ['file_write', { file_path: 'since.txt', content: 'new' }],
      ],
      sends: ['workspace_diff', { since: 'before-trying', path: '/since.txt' }],
      message: '+new',
    },
  },
  'snapshot that there is not': {
    wants: 'Go back to a snapshot',
    tries: {
      sends: ['workspace_restore', { snapshot: 'initial' }],
      fails: true,
      message: 'there is no snapshot initial; …; the newest commit is …',
    },
  },
  'snapshot to be restored by its own tool': {
    wants: 'Go back to a snapshot',
    tries: {
      sends: ['workspace_snapshot', { action: 'restore', name: 'before' }],
      fails: true,
      message: 'action: workspace_restore brings files back: give it the name of the snapshot as commit',
    },
  },
  'file before it was made': {
    wants: 'Read an earlier version of a file',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', version: 0 }],
      fails: true,
      message: 'there was no file notes.txt as of 0; workspace_history with its path names the commits that changed it',
    },
  },
} as const satisfies Record<string, Task>
