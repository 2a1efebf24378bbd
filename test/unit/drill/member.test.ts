import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Connection } from '../../../drill/clients/connection.ts'
import { Member } from '../../../drill/clients/member.ts'
import { Ledger } from '../../../drill/ledger.ts'
import { randomOf } from '../../support/random.ts'
import { type StandInAnswer, startStandIn } from '../../support/stand-in.ts'

const EMPTY = { tree: { path: 'upload/client', type: 'directory', children: [] } }
const ENVELOPE = { success: true, error: null, timestamp: '', execution_time: 0, task_id: 's', tool_name: '' }
const PROBLEM = { type: 'about:blank', title: '', status: 400, code: '', retryable: false, hint: '', request_id: '' }
const json = (body: object, status = 200): StandInAnswer => ({ status, body: JSON.stringify(body) })

/** What an honest client says of a server that answers so. */
async function workingWith(answer: (tool: string) => StandInAnswer) {
  const server = await startStandIn(({ body }) => {
    const { tool, tool_name } = JSON.parse(body)
    return answer(tool ?? tool_name)
  })
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-drill-test-'))
  onTestFinished(async () => {
    await server.stop()
    rmSync(directory, { recursive: true })
  })
  const ledger = new Ledger(join(directory, 'ledger'))
  const random = randomOf(1)
  const manner = { cutShare: 0, isStrict: true, signal: AbortSignal.any([]), isCounted: () => true }
  const connection = new Connection(Number(new URL(server.url).port), ledger, random, manner)
  const place = { session: 's', node: 'n', directory: 'client' }
  let id = 0
  const calls = { sent: 0, done: 0 }
  const member = new Member({ name: 'client', place, calls, connection, ledger, random, nextId: () => ++id })
  return member.work(8)
}

it('a server that acknowledges changes and keeps none is found out', async () => {
  const work = workingWith(() => json({ ...ENVELOPE, state: 'done', data: { ...EMPTY, exit_code: 0 } }))
  await expect(work).rejects.toThrow(/^(lost|unasked): .*of client in upload\/client of s/s)
})

it('a server that refuses what can be done is found out', async () => {
  const refusal = { ...ENVELOPE, ...PROBLEM, success: false, error: 'f0.txt is locked by "drill"' }
  const work = workingWith((tool) =>
    tool === 'dir_list'
      ? json({ state: 'done', data: EMPTY })
      : json({ ...refusal, state: 'failed', error: { message: refusal.error }, detail: refusal.error }, 200),
  )
  await expect(work).rejects.toThrow('denied')
})

it('a server that answers errors in words of its own is found out', async () => {
  const work = workingWith(() => ({ status: 500, body: 'Error: Network connection lost.' }))
  await expect(work).rejects.toThrow('unintelligible')
})
