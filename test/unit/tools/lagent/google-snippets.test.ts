import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { toRepr } from '../../../../src/lagent/python/to-text.ts'
import { outsideBench } from '../../../support/outside-bench.ts'
import { jsonAnswer } from '../../../support/stand-in.ts'

const SERPER = { settings: { SERPER_API_KEY: 'key-of-the-operator' } }
const organic = (...snippets: string[]) =>
  jsonAnswer({ organic: snippets.map((snippet, at) => ({ title: 'T', link: `https://x.example/${at}`, snippet })) })

describe('google_snippets', () => {
  it('returns what the first results say, as a Python list', async () => {
    const bench = await outsideBench(() => organic("it's", 'a "b"', '', '北京'), SERPER)
    const { text, data } = await bench.call('google_snippets', { query: 'x', k: '4' })
    expect(text).toBe(`["it's", 'a "b"', '北京']`)
    expect(data).toEqual({ snippets: ["it's", 'a "b"', '北京'] })
    expect(JSON.parse(bench.service.requests[0]?.body ?? '')).toMatchObject({ q: 'x', num: 4 })
  })

  it('says so when there is nothing', async () => {
    const bench = await outsideBench(() => organic(), SERPER)
    expect((await bench.call('google_snippets', { query: 'x' })).text).toBe(
      "['No good Google Search Result was found']",
    )
  })

  it('fails as another service does, and without one names the settings', async () => {
    const down = await outsideBench(() => ({ status: 500 }), SERPER)
    expect((await down.failure('google_snippets', { query: 'x' })).code).toBe('upstream')
    const none = await outsideBench(() => organic())
    expect((await none.failure('google_snippets', { query: 'x' })).message).toContain('SERPER_API_KEY')
  })

  it('writes texts exactly as Python does', () => {
    const texts = [
      '',
      "'",
      '"',
      `'"`,
      '\\',
      'a\nb\r\t',
      '\0\u001f\u007f\u0080\u00a0\u00ad',
      '\u2028\u3000',
      '😀é',
      '\ue000',
      '\u{e0001}',
    ]
    const printed = execFileSync('python3', ['-c', 'import json,sys; print(repr(json.load(sys.stdin)))'], {
      input: JSON.stringify(texts),
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    })
    expect(`${toRepr(texts)}\n`).toBe(printed.toString())
  })
})
