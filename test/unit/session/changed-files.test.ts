import { describe, expect, it } from 'vitest'
import { MAX_CHANGED_FILES } from '../../../src/core/limits/answers.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import type { FileChange } from '../../../src/ports/runner.ts'
import { ChangeCollectors } from '../../../src/session/sandbox/changed-files.ts'

const file = (path: string, change: FileChange['change'], size = 1): FileChange =>
  change === 'deleted' ? { path: workspacePath(path), change } : { path: workspacePath(path), change, size }

/** Changes that a command is told of when the looks during it find these, one list for each look. */
function changedBy(...looks: FileChange[][]) {
  const collectors = new ChangeCollectors()
  const collector = collectors.open(false)
  for (const changes of looks) collectors.note(changes)
  collector.close()
  collectors.note([file('later', 'created')])
  return collector.without([])?.files ?? []
}

describe('files changed by a command', () => {
  it.each([
    [[file('a', 'created', 1)], [file('a', 'modified', 2)], [file('a', 'created', 2)]],
    [[file('a', 'created')], [file('a', 'deleted')], []],
    [[file('a', 'modified')], [file('a', 'deleted')], [file('a', 'deleted')]],
    [[file('a', 'deleted')], [file('a', 'created', 3)], [file('a', 'modified', 3)]],
    [[file('a', 'created')], [file('b', 'deleted')], [file('a', 'created'), file('b', 'deleted')]],
  ])('are named once, by what they came to: %j then %j', (first, second, files) => {
    expect(changedBy(first, second)).toEqual(files)
  })

  it('are named up to a bound, and counted beyond it', () => {
    const collector = new ChangeCollectors().open(false)
    collector.note(Array.from({ length: MAX_CHANGED_FILES + 7 }, (_, at) => file(`f${at}`, 'created')))
    expect(collector.without([])).toMatchObject({ more: 7, isShared: false })
    expect(collector.without([])?.files).toHaveLength(MAX_CHANGED_FILES)
  })

  it('are counted once beyond the bound, and not at all when they are gone again', () => {
    const collector = new ChangeCollectors().open(false)
    const many = Array.from({ length: MAX_CHANGED_FILES + 7 }, (_, at) => `f${at}`)
    collector.note(many.map((path) => file(path, 'created')))
    collector.note(many.map((path) => file(path, 'modified')))
    expect(collector.without([])).toMatchObject({ more: 7 })
    collector.note(many.slice(0, -2).map((path) => file(path, 'deleted')))
    expect(collector.without([])?.files.map(({ path }) => path)).toEqual(many.slice(-2))
    expect(collector.without([])).toMatchObject({ more: 0 })
  })

  it('are said to be maybe of others, where others ran beside it, to each of them', () => {
    const collectors = new ChangeCollectors()
    const first = collectors.open(false)
    const second = collectors.open(false)
    collectors.note([file('a', 'created')])
    first.close()
    second.close()
    for (const each of [first, second])
      expect(each.without([])).toMatchObject({ isShared: true, files: [{ path: 'a' }] })
    const alone = collectors.open(false)
    alone.note([file('b', 'created')])
    expect(alone.without([])).toMatchObject({ isShared: false })
    expect(collectors.open(true).isShared).toBe(true)
  })

  it('leave out what git writes for itself, and count it', () => {
    const collector = new ChangeCollectors().open(false)
    const inGit = Array.from({ length: MAX_CHANGED_FILES }, (_, at) => file(`repo/.git/objects/${at}`, 'created'))
    collector.note([file('.git/HEAD', 'created'), ...inGit])
    expect(collector.without([])).toEqual({ files: [], more: 0, inGit: MAX_CHANGED_FILES + 1, isShared: false })
    const own = [file('repo/.gitignore', 'created'), file('repo/a.git/b', 'modified')]
    collector.note(own)
    expect(collector.without([])).toMatchObject({ files: own, more: 0, inGit: MAX_CHANGED_FILES + 1 })
  })

  it('leave out the files with the whole output', () => {
    const collector = new ChangeCollectors().open(false)
    collector.note([file('logs/x.stdout.txt', 'created'), file('a', 'created')])
    expect(collector.without([workspacePath('logs/x.stdout.txt')])?.files).toEqual([file('a', 'created')])
  })
})
