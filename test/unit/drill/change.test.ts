import { describe, expect, it } from 'vitest'
import { type Change, changed } from '../../../drill/model/change.ts'
import { DIRECTORY, EMPTY, type Tree } from '../../../drill/model/tree.ts'

/** @returns texts by path, null for a directory; or null when the last change is refused */
function after(...changes: Change[]) {
  let tree: Tree | null = EMPTY
  for (const change of changes) tree = tree && changed(tree, change, false)
  if (tree === null) return null
  return Object.fromEntries([...tree.entries].map(([path, one]) => [path, one === DIRECTORY ? null : one.text]))
}

const write = (path: string, text = `${path}\n`): Change => ({ kind: 'write', path, text })
const mkdir = (path: string): Change => ({ kind: 'mkdir', path })
const move = (from: string, to: string): Change => ({ kind: 'move', from, to })
const copy = (from: string, to: string): Change => ({ kind: 'copy', from, to })
const lock = (path: string): Change => ({ kind: 'lock', path })

describe('the drill knows the rules of the file tools:', () => {
  it.each<[string, Change[], object | null]>([
    ['a write makes the directories on the way', [write('d/f')], { d: null, 'd/f': 'd/f\n' }],
    ['a write does not replace a directory', [mkdir('d'), write('d')], null],
    ['an append makes the file', [{ kind: 'append', path: 'f', text: 'x\n' }], { f: 'x\n' }],
    [
      'an edit replaces a line',
      [write('f', 'a\nb\n'), { kind: 'edit', path: 'f', line: 1, text: 'x\n' }],
      { f: 'x\nb\n' },
    ],
    ['an edit needs that line', [write('f', 'a\n'), { kind: 'edit', path: 'f', line: 2, text: 'x\n' }], null],
    ['a delete takes all below with it', [write('d/e/f'), { kind: 'delete', path: 'd/e' }], { d: null }],
    ['a move goes into a directory that is there', [write('f'), mkdir('d'), move('f', 'd')], { d: null, 'd/f': 'f\n' }],
    ['a move does not replace there', [write('f'), write('d/f'), move('f', 'd')], null],
    ['a move replaces a file', [write('f'), write('g'), move('f', 'g')], { g: 'f\n' }],
    ['a directory is not moved into itself', [mkdir('d'), move('d', 'd/e')], null],
    [
      'a copied directory is merged',
      [write('d/f'), write('e/g'), copy('d', 'e')],
      { d: null, 'd/f': 'd/f\n', e: null, 'e/f': 'd/f\n', 'e/g': 'e/g\n' },
    ],
    ['a copied file keeps its extension', [write('f.txt'), copy('f.txt', 'd')], null],
    ['a locked file is not written', [write('f'), lock('f'), write('f', 'x\n')], null],
    ['what holds a lock is not deleted', [write('d/f'), lock('d/f'), { kind: 'delete', path: 'd' }], null],
    ['what is below a lock is not written', [lock('d'), write('d/f')], null],
    ['a lock is taken once', [lock('f'), lock('f')], null],
    [
      'a lock that was given back holds no more',
      [lock('f'), { kind: 'unlock', path: 'f' }, write('f', 'x\n')],
      { f: 'x\n' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(after(...changes)).toEqual(expected)
  })

  it('commands are not held by locks', () => {
    const locked = changed(EMPTY, lock('f'), false)
    expect(locked && changed(locked, write('f'), true)?.entries.has('f')).toBe(true)
  })
})
