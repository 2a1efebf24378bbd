import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { textOf } from './documents.ts'

/** Tests of the page are files, or folders of them; that they are there is looked at here, since a row is worth what its test is. */
const testsIn = (text: string): string[] => [...text.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path)

const PAGE = textOf('docs/what-survives-what.md')
const [FIRST = '', ...OTHERS] = PAGE.match(/(?:^\|.*\n)+/gm) ?? []

it('each event that files, history, packages and processes may meet names a test of it that is there', () => {
  const [, , ...rows] = FIRST.trimEnd().split('\n')
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter((row) => !testsIn(row).some(existsSync)).map((row) => row.slice(0, 60))).toEqual([])
})

it('behind each other table stand tests of it that are there', () => {
  expect(OTHERS.length).toBeGreaterThan(4)
  const behind = OTHERS.map(
    (table) => /^\nTests: (.*)\n/.exec(PAGE.slice(PAGE.indexOf(table) + table.length))?.[1] ?? '',
  )
  expect(behind.filter((tests) => testsIn(tests).length === 0)).toEqual([])
})

it('names no test that is not there', () => {
  expect(testsIn(PAGE).filter((path) => !existsSync(path))).toEqual([])
})
