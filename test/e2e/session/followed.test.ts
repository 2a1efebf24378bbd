import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

type Running = { readonly data: readonly { readonly call_id: string }[] }

/** Stream of the events of a call: `until` reads on until a text is there, or to its end. @returns all that came */
async function eventsOf(path: string) {
  const { body } = await fetch(`${bench.url}${path}`, { headers: { Accept: 'text/event-stream' } })
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let came = ''
  return {
    async until(text: string | null) {
      while (text === null || !came.includes(text)) {
        const { value, done } = await reader.read()
        if (done) break
        came += value
      }
      return came
    },
  }
}

const TOKEN = `ghp_${'x'.repeat(36)}`
const UNTIL_GO = 'until [ -e ~/workspace/go ]; do sleep 0.1; done'
const PYTHON = `import os, time
print("begun", flush=True)
while not os.path.exists(os.path.expanduser("~/workspace/go")): time.sleep(0.1)
print("token ghp_" + "x" * 36 + " ended")`

describe('a call whose caller waits for its answer', () => {
  it.each([
    ['execute_shell', { command: `echo begun; ${UNTIL_GO}; echo token ${TOKEN} ended` }],
    ['shell_command', { command: `echo begun; ${UNTIL_GO}; echo token ${TOKEN} ended`, keep: true, wait_ms: 100_000 }],
    ['notebook_execute', { code: PYTHON }],
  ])('is followed by others while it runs, and answered whole to its caller: %s', async (tool, args) => {
    const session = `followed-${tool.toLowerCase()}`
    const path = `/v1/sessions/${session}/calls`
    await bench.ask('POST', '/v1/sessions', { name: session })
    const answered = bench.ask<object>('POST', path, { tool, arguments: args })
    await expect.poll(async () => (await bench.ask<Running>('GET', `${path}?state=running`)).data).toHaveLength(1)
    const { data } = await bench.ask<Running>('GET', `${path}?state=running`)
    const events = await eventsOf(`${path}/${data[0]?.call_id}/events`)
    expect(await events.until('"text":"begun')).not.toContain('"text":"ended')
    await bench.call(session, 'execute_shell', { command: 'touch go', workdir: '.' })
    const answer = JSON.stringify(await answered)
    for (const word of ['begun', 'ended']) expect(answer).toContain(word)
    const all = await events.until(null)
    // The end of the output is there, too, and what looks like a credential is masked as in the history.
    expect(all).toMatch(/"text":"[^"]*ended/)
    expect(all).toMatch(/^event: result$/m)
    expect(all).toContain('token ***')
    expect(all.split('event: result')[0]).not.toContain(TOKEN)
  })
})
