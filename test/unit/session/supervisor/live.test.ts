import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LivePiece } from '../../../../src/ports/runner.ts'
import { LiveMask } from '../../../../src/session/live/live-mask.ts'
import { liveReader } from '../../../../src/session/live/live-reader.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { type LiveMessage, supervisorBench } from '../../../support/supervisor-bench.ts'

const textOf = (live: readonly LiveMessage[], of: LiveMessage['stream']) =>
  live.map(({ stream, text }) => (stream === of ? text : '')).join('')

describe('what a followed command prints', () => {
  it('comes while it runs, both outputs, each byte once, and all of it before its end', async () => {
    const { home, run, live } = await supervisorBench()
    const running = run('echo one; echo two >&2; until [ -e go ]; do sleep 0.02; done; echo three', { live: 0 })
    await expect.poll(() => [textOf(live, 'stdout'), textOf(live, 'stderr')]).toEqual(['one\n', 'two\n'])
    writeFileSync(join(home, 'workspace', 'go'), '')
    expect((await running).out.head).toBe('one\nthree\n')
    expect([textOf(live, 'stdout'), textOf(live, 'stderr')]).toEqual(['one\nthree\n', 'two\n'])
    expect(live.map(({ n }) => n)).toEqual(live.map((_, at) => at + 1))
  })

  it('is whole where a character comes in two parts', async () => {
    const { home, run, live } = await supervisorBench()
    const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`
    const script = `printf '\\xe2\\x82'; echo 1 >&2; ${until('a')}; echo 2 >&2; ${until('b')}; printf '\\xac\\xff.'`
    const running = run(script, { live: 0 })
    // A look that shows the second line came after one that read the first part.
    for (const [file, seen] of [
      ['a', '1\n'],
      ['b', '1\n2\n'],
    ] as const) {
      await expect.poll(() => textOf(live, 'stderr')).toBe(seen)
      writeFileSync(join(home, 'workspace', file), '')
    }
    await running
    expect(textOf(live, 'stdout')).toBe('€\ufffd.')
  })

  it('is the newest, and says how much is skipped, where it comes faster than it may', async () => {
    const { run, live } = await supervisorBench()
    const { out } = await run("head -c 3000000 /dev/zero | tr '\\0' x; echo the end", { live: 0 })
    const shown = textOf(live, 'stdout')
    expect(shown.length).toBeLessThan(400_000)
    expect(shown).toMatch(/x\nthe end\n$|xthe end\n$/)
    expect(shown.length + live.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(out.bytes)
  })

  it('is sent from a second on for those who may come later: all of it then, and nothing of what ends sooner', async () => {
    const { home, run, live } = await supervisorBench()
    expect((await run('echo quick', { live: 1 })).out.head).toBe('quick\n')
    expect(live).toEqual([])
    const running = run('echo one; until [ -e go ]; do sleep 0.02; done; echo two', { live: 1 })
    await expect.poll(() => textOf(live, 'stdout')).toBe('one\n')
    writeFileSync(join(home, 'workspace', 'go'), '')
    await running
    expect(textOf(live, 'stdout')).toBe('one\ntwo\n')
  })

  it('is sent by nobody where nobody follows', async () => {
    const { run, live } = await supervisorBench()
    await run('echo one; sleep 0.5')
    expect(live).toEqual([])
  })
})

it('a message is taken once, however many connections hear it, and a forged one not at all', () => {
  const heard: LivePiece[] = []
  const read = liveReader((piece) => heard.push(piece))
  const message = { of: 'c', n: 1, stream: 'stdout', text: 'a', skipped: 0 }
  for (const each of [message, message, { ...message, n: 2, skipped: 5 }, { ...message, n: 1 }]) read(each)
  for (const forged of [null, 'x', { ...message, n: 3, stream: 'stdin' }, { ...message, n: 3, text: 'x'.repeat(1e6) }])
    read(forged)
  expect(heard).toEqual([
    { stream: 'stdout', text: 'a' },
    { stream: 'stdout', text: 'a', skipped: 5 },
  ])
})

describe('secrets in live output', () => {
  function masked(texts: readonly string[], secrets = ['hunter2', 'hunting']) {
    const heard: LivePiece[] = []
    const mask = new LiveMask(secrets, (piece) => heard.push(piece))
    for (const text of texts) mask.write({ stream: 'stdout', text })
    const before = heard.map(({ text }) => text).join('')
    mask.end()
    return { before, after: heard.map(({ text }) => text).join('') }
  }

  it.each([[['a hunter2 b']], [['a hun', 'ter2 b']], [[...'a hunter2 b']], [['a h', 'unter', '2 ', 'b']]])(
    'are masked, in however many pieces they come: %j',
    (texts) => {
      expect(masked(texts).after).toBe('a *** b')
    },
  )

  it.each([[['a hunter2-long b']], [['a hunter2', '-long b']], [[...'a hunter2-long b']]])(
    'are masked whole where one begins another, in however many pieces they come: %j',
    (texts) => {
      expect(masked(texts, ['hunter2', 'hunter2-long']).after).toBe('a *** b')
    },
  )

  it('show nothing of one whose end is skipped', () => {
    const heard: LivePiece[] = []
    const mask = new LiveMask(['hunter2'], (piece) => heard.push(piece))
    mask.write({ stream: 'stdout', text: 'a hunter' })
    mask.write({ stream: 'stdout', text: 'b', skipped: 9 })
    expect(heard.map(({ text }) => text)).toEqual(['a ', '***', 'b'])
  })

  it('hold back no more than what may be the begin of one', () => {
    expect(masked(['no secret\n']).before).toBe('no secret\n')
    expect(masked(['a hunt'])).toEqual({ before: 'a ', after: 'a hunt' })
    expect(masked(['a hunt', 'ed b'])).toEqual({ before: 'a hunted b', after: 'a hunted b' })
  })

  it('end what is shown at every begin of one, also where a shorter begin follows within a longer one', () => {
    const secrets = ['ababac', 'abab!', 'b']
    for (const text of ['xababab', 'xaba', 'ababa', 'xababac', 'ababab!']) {
      for (let cut = 1; cut < text.length; cut++) {
        const whole = masked([text], secrets).after
        expect(masked([text.slice(0, cut), text.slice(cut)], secrets).after).toBe(whole)
      }
      expect(masked([...text], secrets).after).toBe(masked([text], secrets).after)
    }
  })

  it('cost time that grows with their length, and not with its square', async () => {
    const length = 100_000
    // Each place of the text begins the secret, and differs at its very end.
    const texts = ['a'.repeat(length - 2), 'b'].join('')
    await expectCost(() => expect(masked([texts], ['a'.repeat(length)]).before).toBe(texts), {
      below: () => 20 * plainPassMs(length),
    })
  })
})
