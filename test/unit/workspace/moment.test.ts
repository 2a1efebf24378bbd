import { describe, expect, it } from 'vitest'
import { openWorkspace, write } from './open.ts'

/** Four commits; the second one is the snapshot `good`. */
async function opened() {
  const { workspace, ...more } = openWorkspace()
  for (const text of ['one', 'two', 'three', 'four']) await workspace.commit([write('a', text)])
  const named = { moment: 2, replaces: false, author: 'call', at: 1 }
  workspace.snapshots.put({ name: 'good', ...named })
  return { workspace, named, ...more }
}

describe('a moment', () => {
  it.each([
    [3, 3],
    ['good', 2],
    ['HEAD', 4],
    ['latest', 4],
    ['HEAD~1', 3],
    ['HEAD~', 3],
    ['head^^', 2],
    ['HEAD~4', 0],
  ])('%s is commit %i', async (moment, commit) => {
    expect((await opened()).workspace.commitAt(moment)).toBe(commit)
  })

  it.each([
    ['none', 'not_found', 'there is no snapshot none; there are: good; the newest commit is 4'],
    [9, 'not_found', 'there is no commit 9: the newest is 4, the oldest that is kept 0'],
    ['HEAD~9', 'not_found', 'HEAD~9 is before the first commit: the newest is 4'],
    [
      'f00dfeed',
      'invalid_input',
      'f00dfeed is no moment of the files: give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest; the history lists the commits',
    ],
    [
      '2026-11-23T08:00:00Z',
      'invalid_input',
      '2026-11-23T08:00:00Z is no moment of the files: give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest; the history lists the commits',
    ],
  ])('%s is refused with what there is', async (moment, code, message) => {
    const { workspace } = await opened()
    expect(() => workspace.commitAt(moment)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code, message }) }),
    )
  })

  it('that is a word for the newest commit is no name of a snapshot', async () => {
    const { workspace, named } = await opened()
    for (const name of ['HEAD', 'latest', 'now'])
      expect(() => workspace.snapshots.put({ name, ...named })).toThrow(
        expect.objectContaining({
          failure: expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('another name') }),
        }),
      )
  })
})
