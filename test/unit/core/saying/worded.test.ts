import { describe, expect, it } from 'vitest'
import { fail, failureIn, failureWith, messageParts } from '../../../../src/core/failure.ts'
import { DIRECTORY, field, ifKnown, operator, SESSION, say, tool } from '../../../../src/core/saying/saying.ts'
import { CANONICAL, NAMELESS, operatorAdvice, type Vocabulary, worded } from '../../../../src/core/saying/worded.ts'

const HERE: Vocabulary = {
  tool: (name) => (name === 'dir_list' ? 'Files_show' : null),
  field: (name) => (name === 'file_path' ? 'filepath' : null),
  places: { directory: 'workspace', root: 'workspace', session: 'node', 'session id': 'node id' },
}

describe('a message in parts', () => {
  it('has the names of the dialect that words it', () => {
    const saying = say`${field('file_path')} is not in the ${DIRECTORY} of this ${SESSION}; ${tool('dir_list')} shows ${2} others`
    expect(worded(saying)).toBe('file_path is not in the task directory of this task; dir_list shows 2 others')
    expect(worded(saying, HERE)).toBe('filepath is not in the workspace of this node; Files_show shows 2 others')
  })

  it('says what a tool is for and an argument in words where a dialect has none', () => {
    const saying = say`${field('start_line')}: use ${tool('execute_shell')}`
    expect(worded(saying, HERE)).toBe('start line: use a shell command')
    expect(worded(say`${tool('dir_list')} shows it`, NAMELESS)).toBe('a listing of the files shows it')
  })

  it('leaves out advice that a dialect has no names for', () => {
    const release = say`${tool('file_unlock')} it`
    const saying = say`it is locked${ifKnown(say`; ${release}`)}`
    expect(worded(saying)).toBe('it is locked; file_unlock it')
    expect(worded(saying, HERE)).toBe('it is locked')
    expect(worded(say`${ifKnown(release, 'wait')}`, HERE)).toBe('wait')
  })

  it('tells nobody but the owner what the owner can do', () => {
    const saying = say`search is not available${operator('; set SEARCH_KEY')}`
    expect(worded(saying)).toBe('search is not available')
    expect(worded(saying, { ...HERE, isOwner: true })).toBe('search is not available; set SEARCH_KEY')
    expect(operatorAdvice(saying)).toBe('; set SEARCH_KEY')
    expect(operatorAdvice(say`nothing`)).toBe('')
  })

  it('keeps its parts within another message', () => {
    const inner = failureWith('not_found', say`no file; ${tool('dir_list')} shows them`)
    expect(worded(say`step one failed: ${messageParts(inner)}`, HERE)).toBe(
      'step one failed: no file; Files_show shows them',
    )
    expect(messageParts({ code: 'conflict', message: 'as it is' })).toEqual(['as it is'])
  })
})

describe('a failure', () => {
  const failure = failureWith('not_found', say`${field('file_path')} is not there`, { at: 1 })

  it('has the names of the core, and its parts as plain data', () => {
    expect(structuredClone(failure)).toEqual({
      code: 'not_found',
      message: 'file_path is not there',
      parts: [{ field: 'file_path' }, ' is not there'],
      data: { at: 1 },
    })
  })

  it('has in a dialect the names of that, and no parts any more', () => {
    expect(failureIn(failure, HERE)).toEqual({ code: 'not_found', message: 'filepath is not there', data: { at: 1 } })
    expect(failureIn({ code: 'internal', message: 'x' }, HERE)).toEqual({ code: 'internal', message: 'x' })
    expect(failureIn(failure, CANONICAL)).not.toHaveProperty('said')
  })

  it('is thrown with text as with parts', () => {
    expect(() => fail('conflict', 'plain')).toThrow('[conflict] plain')
    expect(() => fail('conflict', say`${tool('file_read')} it`)).toThrow('[conflict] file_read it')
  })
})
