import { describe, expect, it } from 'vitest'
import { gistOf, inOneLine } from '../../../src/console/pages/session/calls/call-gist.ts'
import { changesOf } from '../../../src/console/pages/session/calls/changes-of-call.ts'
import {
  directoriesTo,
  type ReadDirectory,
  rowsOf,
  sorted,
} from '../../../src/console/pages/session/files/tree-rows.ts'

describe('the gist of arguments', () => {
  it('is the first text by itself, and the others with their names', () => {
    expect(gistOf('{"command":"echo \\"a\\"\\nls"}')).toBe('echo "a" ↵ ls')
    expect(gistOf('{"wait_seconds":0,"human_task":"May I?"}')).toBe('May I?  wait_seconds: 0')
    expect(gistOf('{"file_path":"a.md","content":"# A\\n\\ntext"}')).toBe('a.md  content: # A ↵ text')
  })

  it('is the text itself where that was cut, or is no object', () => {
    expect(gistOf('{"command":"ech')).toBe('{"command":"ech')
    expect(gistOf('[1]')).toBe('[1]')
    expect(gistOf('{}')).toBe('')
  })

  it('keeps lines apart by a mark', () => {
    expect(inOneLine('17 report.md\nexit code 0\n')).toBe('17 report.md ↵ exit code 0')
  })
})

describe('rows of the tree of files', () => {
  const file = (path: string) => ({ path, type: 'file', size: 1, modified_at: '' }) as const
  const directory = (path: string) => ({ path, type: 'directory', size: null, modified_at: '' }) as const
  const read = (...entries: readonly ReturnType<typeof file | typeof directory>[]): ReadDirectory => ({
    entries: sorted(entries),
    note: '',
  })

  it('are directories before files, with what is in the open ones below each', () => {
    const directories = new Map([
      ['', read(file('a.md'), directory('z'), directory('b'))],
      ['b', read(file('b/x'))],
      ['z', read()],
    ])
    const shown = rowsOf(directories, new Set(['b', 'z'])).map(({ path, depth, note }) => [depth, note || path])
    expect(shown).toEqual([
      [0, 'b'],
      [1, 'b/x'],
      [0, 'z'],
      [1, 'Empty'],
      [0, 'a.md'],
    ])
  })

  it('say of an open directory that is on its way that it is', () => {
    const rows = rowsOf(new Map([['', read(directory('b'))]]), new Set(['b']))
    expect(rows.map(({ note }) => note)).toEqual(['', 'Loading …'])
  })

  it('know the directories on the way to a file', () => {
    expect(directoriesTo('a/b/c.md')).toEqual(['a', 'a/b'])
    expect(directoriesTo('c.md')).toEqual([])
  })
})

describe('files that a call of several commits changed', () => {
  const changed = (path: string, change: 'created' | 'modified' | 'deleted', size = 1) => ({ path, change, size })

  it('are each as the last left it, with the commit before the first, and the last', () => {
    const commits = [
      { commit: 9, changes: [changed('a', 'modified', 3), changed('gone', 'deleted'), changed('again', 'created')] },
      { commit: 7, changes: [changed('a', 'created', 2), changed('b', 'modified'), changed('again', 'deleted')] },
      { commit: 4, changes: [changed('gone', 'modified')] },
    ]
    expect(changesOf(commits)).toEqual([
      { path: 'a', change: 'created', size: 3, before: 6, after: 9 },
      { path: 'gone', change: 'deleted', size: 1, before: 3, after: 9 },
      { path: 'again', change: 'modified', size: 1, before: 6, after: 9 },
      { path: 'b', change: 'modified', size: 1, before: 6, after: 7 },
    ])
  })

  it('are none that came and went meanwhile', () => {
    const commits = [
      { commit: 2, changes: [changed('scratch', 'deleted')] },
      { commit: 1, changes: [changed('scratch', 'created')] },
    ]
    expect(changesOf(commits)).toEqual([])
  })
})
