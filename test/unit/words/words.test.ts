import { describe, expect, it } from 'vitest'
import { BEGINNINGS, KEPT, NAMES, PHRASES, WORDS } from './forbidden.ts'
import {
  CODE,
  commentLines,
  DOCUMENTED,
  docComments,
  identifiers,
  PAGES,
  type Placed,
  PROGRAMS,
  textOf,
  wordsOf,
} from './sources.ts'

describe('the words of the code', () => {
  it('are read of all code with its tests, programs and pages', () => {
    expect([CODE.length > 1_300, PROGRAMS.length > 40, PAGES.length > 60]).toEqual([true, true, true])
  })

  it('name each thing by the field’s word, in identifiers', () => {
    const suspect = new RegExp([...Object.keys(NAMES), ...Object.keys(PHRASES).map(inOneWord)].join('|'), 'i')
    const found = CODE.flatMap((path) =>
      identifiers(path, textOf(path), suspect)
        .filter(({ text }) => !KEPT[path]?.includes(text))
        .flatMap((name) => inNames(name)),
    )
    expect(found).toEqual([])
  })

  it('name each thing by the field’s word, in file names', () => {
    const found = [...CODE, ...PROGRAMS, ...PAGES].flatMap((path) => inNames({ at: path, text: path }))
    expect(found).toEqual([])
  })

  it('are those of the field in comments, programs for sandboxes and pages', () => {
    const lines = [
      ...CODE.flatMap((path) => commentLines(path, textOf(path))),
      ...[...PROGRAMS, ...PAGES].flatMap((path) => linesOf(path)),
    ]
    expect(lines.flatMap((line) => offences(line, WORDS))).toEqual([])
  })

  it('begin a doc comment with its subject', () => {
    const comments = DOCUMENTED.flatMap((path) => docComments(path, textOf(path)))
    expect(comments.length).toBeGreaterThan(4_000)
    expect(comments.flatMap((comment) => offences(comment, BEGINNINGS))).toEqual([])
  })

  it('have no exception that is not needed any more', () => {
    const unused = Object.entries(KEPT).flatMap(([path, names]) => {
      const used = new Set(identifiers(path, textOf(path), new RegExp(names.join('|'))).map(({ text }) => text))
      return names.filter((name) => !used.has(name)).map((name) => `${path}: ${name}`)
    })
    expect(unused).toEqual([])
  })
})

const inOneWord = (phrase: string) => phrase.replaceAll(' ', '[_-]?')

/** Words of a name that are none of the field, each with the field's word. */
function inNames({ at, text }: Placed): string[] {
  const words = wordsOf(text)
  const spaced = ` ${words.join(' ')} `
  return [
    ...words.flatMap((word) => (Object.hasOwn(NAMES, word) ? [[word, NAMES[word]]] : [])),
    ...Object.entries(PHRASES).filter(([phrase]) => spaced.includes(` ${phrase} `)),
  ].map(([word, instead]) => `${at} ${text}: not "${word}" but ${instead}`)
}

const linesOf = (path: string): Placed[] =>
  textOf(path)
    .split('\n')
    .map((text, at) => ({ at: `${path}:${at + 1}`, text }))

const offences = ({ at, text }: Placed, rules: readonly (readonly [RegExp, string])[]): string[] =>
  rules.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)
    return found ? [`${at} "${text.slice(found.index, found.index + 60).replaceAll('\n', ' ')}": ${instead}`] : []
  })
