import { beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../../drill/model/change.ts'
import type { Operation } from '../../../drill/model/operation.ts'
import { Possibilities } from '../../../drill/model/possibilities.ts'
import { DIRECTORY, type Entry, textOf } from '../../../drill/model/tree.ts'

let possible: Possibilities
let ids = 0
beforeEach(() => {
  possible = new Possibilities()
})

const operation = (by: Operation['by'], ...steps: Change[]): Operation => ({ id: ++ids, steps, by })
const tool = (...steps: Change[]) => operation('tool', ...steps)
const sandbox = (...steps: Change[]) => operation('sandbox', ...steps)
const write = (path: string, text: string): Change => ({ kind: 'write', path, text })
const append = (path: string, text: string): Change => ({ kind: 'append', path, text })

/** @param files a text by path; null is a directory */
const shows = (files: Readonly<Record<string, string | null>>) =>
  new Map<string, Entry>(Object.entries(files).map(([path, text]) => [path, text === null ? DIRECTORY : textOf(text)]))
const seen = (files: Readonly<Record<string, string | null>>) => () => possible.observed(shows(files))

describe('after what was acknowledged', () => {
  beforeEach(() => {
    possible.acknowledged(tool(write('f', 'one\n')))
    possible.acknowledged(tool(write('d/g', 'two\n')))
  })

  it('the files as they were written are as promised', () => {
    expect(seen({ f: 'one\n', d: null, 'd/g': 'two\n' })).not.toThrow()
  })
  it.each([
    ['lost', 'f is not there', { d: null, 'd/g': 'two\n' }],
    ['lost', 'd is not there', { f: 'one\n', 'd/g': 'two\n' }],
    ['torn', 'f has "on"', { f: 'on', d: null, 'd/g': 'two\n' }],
    ['torn', 'f has ""', { f: '', d: null, 'd/g': 'two\n' }],
    ['torn', 'other is there', { f: 'one\n', d: null, 'd/g': 'two\n', other: 'x\n' }],
    ['torn', 'f is of another kind', { f: null, d: null, 'd/g': 'two\n' }],
    ['unasked', 'e is there', { f: 'one\n', d: null, 'd/g': 'two\n', e: null }],
    ['doubled', 'f has "one\\none\\n"', { f: 'one\none\n', d: null, 'd/g': 'two\n' }],
  ])('a file that is %s is noticed: %s', (breach, words, files) => {
    expect(seen(files)).toThrow(`${breach}: ${words}`)
  })

  it('an older content that is there again is noticed as resurrected', () => {
    possible.acknowledged(tool(write('f', 'new\n')))
    expect(seen({ f: 'one\n', d: null, 'd/g': 'two\n' })).toThrow('resurrected: f has "one\\n"')
  })
  it('a deleted file that is there again is noticed as resurrected', () => {
    possible.acknowledged(tool({ kind: 'delete', path: 'd' }))
    expect(seen({ f: 'one\n', d: null, 'd/g': 'two\n' })).toThrow('resurrected: d/g is there (resurrected); d is there')
    expect(seen({ f: 'one\n' })).not.toThrow()
  })
  it('a refusal that no state explains is noticed', () => {
    expect(() => possible.refused(tool({ kind: 'delete', path: 'f' }))).toThrow('denied')
    expect(() => possible.refused(tool({ kind: 'delete', path: 'no' }))).not.toThrow()
  })
  it('an answer that no state explains is noticed', () => {
    expect(() => possible.acknowledged(tool({ kind: 'delete', path: 'no' }))).toThrow('unasked')
  })
})

describe('an operation without an answer', () => {
  beforeEach(() => {
    possible.acknowledged(tool(write('f', 'one\n')))
  })

  it('may have been made or not, and it shows which', () => {
    possible.unknown(tool(append('f', 'two\n')))
    expect(seen({ f: 'one\n' })).not.toThrow()
    expect(seen({ f: 'one\ntwo\n' })).not.toThrow()
    expect(seen({ f: 'one\n' })).toThrow('resurrected')
  })
  it('is made once at most', () => {
    possible.unknown(tool(append('f', 'two\n')))
    expect(seen({ f: 'one\ntwo\ntwo\n' })).toThrow('doubled')
  })
  it('is not made any more when it is over, but may have been', () => {
    possible.unknown(tool(append('f', 'two\n')))
    possible.over(() => true)
    possible.observed(shows({ f: 'one\n' }))
    expect(seen({ f: 'one\ntwo\n' })).toThrow('resurrected')
  })
  it('may be made after a later one that was acknowledged', () => {
    possible.unknown(tool(write('f', 'late\n')))
    possible.acknowledged(tool(write('f', 'two\n')))
    expect(seen({ f: 'two\n' })).not.toThrow()
    expect(seen({ f: 'late\n' })).not.toThrow()
    expect(seen({ f: 'two\n' })).toThrow('resurrected')
  })
  it('explains a refusal and an acknowledgement that it makes possible', () => {
    possible.unknown(tool({ kind: 'delete', path: 'f' }))
    possible.refused(tool({ kind: 'delete', path: 'f' }))
    expect(seen({ f: 'one\n' })).toThrow('resurrected')
    expect(seen({})).not.toThrow()
  })
  it('of several files is stored whole or not at all, when a tool makes it', () => {
    possible.unknown(tool(write('a', 'a\n'), write('b', 'b\n')))
    expect(seen({ f: 'one\n', a: 'a\n' })).toThrow('lost: b is not there')
    expect(seen({ f: 'one\n', a: 'a\n', b: 'b\n' })).not.toThrow()
  })
  it('in the sandbox may end between two files, in their order', () => {
    possible.unknown(sandbox(write('a', 'a\n'), write('b', 'b\n')))
    expect(seen({ f: 'one\n', b: 'b\n' })).toThrow()
    expect(seen({ f: 'one\n', a: 'a\n' })).not.toThrow()
    expect(seen({ f: 'one\n', a: 'a\n', b: 'b\n' })).not.toThrow()
  })
  it('stands among others, in any order', () => {
    possible.unknown(tool(append('f', 'two\n')))
    possible.unknown(tool(append('f', 'three\n')))
    expect(possible.late).toHaveLength(2)
    expect(seen({ f: 'one\nthree\ntwo\n' })).not.toThrow()
    expect(possible.late).toHaveLength(0)
    expect(seen({ f: 'one\ntwo\nthree\n' })).toThrow()
  })
})
