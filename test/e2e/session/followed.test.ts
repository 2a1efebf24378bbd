import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

type Running = { readonly data: readonly { readonly call_id: string }[] }

/** What a stream of events prints until a text is there. */
async function printedUntil(path: string, text: string): Promise<string> {
  const { body } = await fetch(`${bench.url}${path}`, { headers: { Accept: 'text/event-stream' } })
  let printed = ''
  for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    printed += piece
    if (printed.includes(text)) break
  }
  return printed
}

const UNTIL_GO = 'until [ -e ~/workspace/go ]; do sleep 0.1; done'
const PYTHON = `import os, time
print("begun", flush=True)
while not os.path.exists(os.path.expanduser("~/workspace/go")): time.sleep(0.1)
print("ended")`

describe('a call whose caller waits for its answer', () => {
  it.each([
    ['execute_shell', { command: `echo begun; ${UNTIL_GO}; echo ended` }],
    ['shell_command', { command: `echo begun; ${UNTIL_GO}; echo ended`, keep: true, wait_ms: 100_000 }],
    ['notebook_execute', { code: PYTHON }],
  ])('is followed by others while it runs, and answered whole to its caller: %s', async (tool, args) => {
    const session = `followed-${tool.toLowerCase()}`
    const path = `/v1/sessions/${session}/calls`
    await bench.ask('POST', '/v1/sessions', { name: session })
    const answered = bench.ask<object>('POST', path, { tool, arguments: args })
    await expect.poll(async () => (await bench.ask<Running>('GET', `${path}?state=running`)).data).toHaveLength(1)
    const { data } = await bench.ask<Running>('GET', `${path}?state=running`)
    const printed = await printedUntil(`${path}/${data[0]?.call_id}/events`, '"text":"begun')
    expect(printed).not.toContain('"text":"ended')
    await bench.call(session, 'execute_shell', { command: 'touch go', workdir: '.' })
    const answer = JSON.stringify(await answered)
    for (const word of ['begun', 'ended']) expect(answer).toContain(word)
  })
})
