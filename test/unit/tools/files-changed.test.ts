import { expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { filesChanged } from '../../../src/tools/files-changed.ts'

const more = 0
const isShared = false

it('an answer names the files that a command changed, and says how many git wrote for itself', () => {
  const files = [{ path: workspacePath('a.txt'), change: 'created', size: 1 }] as const
  expect(filesChanged({ changed: { files, more, isShared, inGit: 24 } })).toEqual({
    data: { files_changed: files },
    notes: ['24 files in .git changed'],
    lines: ['files changed: a.txt (1)'],
  })
})

it('an answer has no list of changed files where git alone wrote', () => {
  expect(filesChanged({ changed: { files: [], more, isShared: true, inGit: 1 } })).toEqual({
    data: {},
    notes: ['1 file in .git changed'],
    lines: [],
  })
})
