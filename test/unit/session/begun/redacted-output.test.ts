import { expect, it } from 'vitest'
import type { LivePiece } from '../../../../src/ports/runner.ts'
import { RedactedOutput } from '../../../../src/session/begun/redacted-output.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

/** Texts that come of some pieces, before the end and with it. */
function shown(...texts: readonly string[]) {
  const pieces: LivePiece[] = []
  const output = new RedactedOutput((piece) => pieces.push(piece))
  for (const text of texts) output.write({ stream: 'stdout', text })
  const before = pieces.map(({ text }) => text).join('')
  output.end()
  return { before, after: pieces.map(({ text }) => text).join('') }
}

it('a credential is masked wherever pieces end in it, and what is none comes through', () => {
  for (let at = 0; at <= TOKEN.length; at++) {
    const { after } = shown(`the token is ${TOKEN.slice(0, at)}`, `${TOKEN.slice(at)} and more\n`)
    expect(after, String(at)).toBe('the token is *** and more\n')
  }
  expect(shown('one two\n', 'three ')).toEqual({ before: 'one two\nthree ', after: 'one two\nthree ' })
})

it('a last word is held back until something follows it, and a word longer than any credential is not', () => {
  expect(shown('Continue? [y/N]')).toEqual({ before: 'Continue? ', after: 'Continue? [y/N]' })
  const long = '.'.repeat(5_000)
  expect(shown(long)).toEqual({ before: long, after: long })
})
