import { describe, expect, it } from 'vitest'
import {
  MAX_REMOTE_PROGRESS_CHARS,
  REMOTE_PROGRESS_BURST,
  REMOTE_PROGRESS_PAUSE_MS,
} from '../../../src/core/limits/mcp-servers.ts'
import type { LivePiece } from '../../../src/ports/runner.ts'
import { Mask } from '../../../src/tools/registered/masked.ts'
import { RemoteProgress } from '../../../src/tools/registered/remote-progress.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openServers } from './open.ts'
import { type Message, scriptedServer, textResult } from './scripted-server.ts'

const SECRET = 'sk-very-secret-123'
const CALM = { progress: 1, total: null, message: '' }

const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
const notice = (params: object) => event({ method: 'notifications/progress', params })
const tokenOf = ({ params }: Message) => params?._meta?.progressToken

/** Calls a tool whose server sends these events before its answer, and others after it. */
async function followed(
  before: (token: string | undefined) => readonly string[],
  after: (token: string | undefined) => readonly string[] = () => [],
) {
  const messages: Message[] = []
  const remote = await scriptedServer({
    call: (message) => {
      messages.push(message)
      const { id } = message
      const answer = event({ id, result: { resultType: 'complete', ...textResult('sunny') } })
      const body = [...before(tokenOf(message)), answer, ...after(tokenOf(message))].join('')
      return { raw: { headers: { 'content-type': 'text/event-stream' }, body } }
    },
  })
  const { add, run, later } = openServers([remote.host], { WEATHER_KEY: SECRET })
  const added = await add({ name: 'far', url: remote.url, auth: [{ type: 'bearer', secret: 'WEATHER_KEY' }] })
  expect(added.status).toBe(201)
  const pieces: LivePiece[] = []
  const text = () => pieces.map((piece) => piece.text).join('')
  const call = () => run('far_now', {}, undefined, (piece) => pieces.push(piece))
  return { call, run, later, pieces, text, messages }
}

describe('progress of a remote call', () => {
  it('is shown line by line to those who follow the call', async () => {
    const { call, pieces } = await followed((progressToken) => [
      notice({ progressToken, progress: 1, total: 3, message: 'looks up' }),
      notice({ progressToken, progress: 2.5, total: 3 }),
      notice({ progressToken, progress: 4, message: 'a\nb\u202e\u0007  c' }),
    ])
    expect((await call()).text).toBe('sunny')
    expect(pieces).toEqual([
      { stream: 'stdout', text: '[1/3] looks up\n' },
      { stream: 'stdout', text: '[2.5/3]\n' },
      { stream: 'stdout', text: '[4] a b c\n' },
    ])
  })

  it('is not asked for where nobody follows, and is nothing then', async () => {
    const { run, messages } = await followed(() => [notice({ progressToken: 0, progress: 1, message: 'hello' })])
    expect((await run('far_now')).text).toBe('sunny')
    expect(messages.map(tokenOf)).toEqual([undefined])
  })

  it('has no secret of the server, cut or not', async () => {
    const { call, text } = await followed((progressToken) => [
      notice({ progressToken, progress: 1, message: `you sent Bearer ${SECRET}` }),
      notice({ progressToken, progress: 2, message: `you sent sk-very-\u200bsecret-123` }),
      notice({ progressToken, progress: 3, message: 'x'.repeat(MAX_REMOTE_PROGRESS_CHARS - 15) + SECRET }),
    ])
    await call()
    expect(text()).toContain('[1] you sent Bearer ***\n[2] you sent ***\n')
    expect(text()).not.toContain('sk-')
  })
})

describe('a hostile server', () => {
  it('that makes progress without end shows a few lines, and its answer counts', async () => {
    const { call, pieces } = await followed((progressToken) =>
      Array.from({ length: 5_000 }, (_, progress) => notice({ progressToken, progress, message: 'more' })),
    )
    expect((await call()).text).toBe('sunny')
    expect(pieces).toHaveLength(REMOTE_PROGRESS_BURST)
  })

  it('that sends megabytes of it is refused, as for a large answer', async () => {
    const { call } = await followed((progressToken) =>
      Array.from({ length: 6 }, (_, progress) => notice({ progressToken, progress, message: 'x'.repeat(1024 ** 2) })),
    )
    expect(await failureOf(call(), 'the call')).toMatchObject({ code: 'limit_exceeded' })
  })

  it('that sends huge messages shows their begins', async () => {
    const { call, pieces } = await followed((progressToken) => [
      notice({ progressToken, progress: 1, message: 'x'.repeat(2 * 1024 ** 2) }),
      notice({ progressToken, progress: 2, message: `${' '.repeat(1024 ** 2)}y` }),
    ])
    await call()
    expect(pieces.map(({ text }) => text.length)).toEqual([MAX_REMOTE_PROGRESS_CHARS + 1, '[2]\n'.length])
  })

  it('shows nothing after its answer, under tokens of other calls, or without a number', async () => {
    const { call, pieces } = await followed(
      (progressToken) => [
        notice({ progressToken: 0, progress: 1, message: 'of another one' }),
        notice({ progressToken: `${progressToken}x`, progress: 1, message: 'of another one' }),
        notice({ progressToken, progress: '1', message: 'no number' }),
        notice({ progressToken, message: 'no number' }),
        event({ method: 'notifications/progress' }),
        event({ id: 4_711, result: textResult('of another one') }),
      ],
      (progressToken) => [notice({ progressToken, progress: 2, message: 'too late' })],
    )
    expect((await call()).text).toBe('sunny')
    expect(pieces).toEqual([])
  })
})

describe('the pace of progress', () => {
  const open = () => {
    const clock = { at: 0 }
    const pieces: LivePiece[] = []
    const live = (piece: LivePiece) => pieces.push(piece)
    return { clock, pieces, progress: new RemoteProgress({ live, mask: new Mask([]), now: () => clock.at }) }
  }

  it('is one line in a while after the first ones, with the bytes that were left out', () => {
    const { clock, pieces, progress } = open()
    for (let at = 0; at < REMOTE_PROGRESS_BURST + 3; at++) progress.show({ ...CALM, message: 'ä' })
    expect(pieces).toHaveLength(REMOTE_PROGRESS_BURST)
    clock.at += REMOTE_PROGRESS_PAUSE_MS
    progress.show({ ...CALM, message: 'b' })
    progress.show({ ...CALM, message: 'c' })
    expect(pieces.slice(REMOTE_PROGRESS_BURST)).toEqual([{ stream: 'stdout', text: '[1] b\n', skipped: 9 }])
    clock.at = Number.MAX_SAFE_INTEGER
    for (let at = 0; at < 3 * REMOTE_PROGRESS_BURST; at++) progress.show(CALM)
    expect(pieces).toHaveLength(2 * REMOTE_PROGRESS_BURST + 1)
  })

  it('ends with the call', () => {
    const { pieces, progress } = open()
    progress.end()
    progress.show(CALM)
    expect(pieces).toEqual([])
  })
})
