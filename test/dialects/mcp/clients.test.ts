import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { AI_SDK } from './clients/ai-sdk.ts'
import type { ClientKind, McpClient } from './clients/client.ts'
import { CLIENT_TWO } from './clients/client-two.ts'
import { INSPECTOR } from './clients/inspector.ts'
import { LANGCHAIN } from './clients/langchain.ts'
import { OPENAI_AGENTS } from './clients/openai-agents.ts'
import { SDK_ONE } from './clients/sdk-one.ts'
import { verifies } from './support.ts'

/** Clients that people use, as npm has them. */
const CLIENTS: Readonly<Record<string, ClientKind>> = {
  '@modelcontextprotocol/inspector 2.12 --cli': INSPECTOR,
  '@openai/agents 0.20': OPENAI_AGENTS,
  '@ai-sdk/mcp 2.0': AI_SDK,
  '@langchain/mcp-adapters 1.1': LANGCHAIN,
  '@modelcontextprotocol/client 2.4': CLIENT_TWO,
  '@modelcontextprotocol/sdk 1.32': SDK_ONE,
}

const toolyard = runningToolyard(async () => ({}))

/** The session in which all clients work, each after the other. */
const SESSION = 'clients'
const FILE = `toolyard://${SESSION}/notes/plan.md`

interface SessionCall {
  readonly call_id: string
  readonly running?: boolean
  readonly state: string
  readonly answer: string
}

/** The session's newest call, whoever made it; none in a session that has not begun. */
async function newestCall(): Promise<SessionCall | undefined> {
  const answer = await fetch(`${toolyard().url}/v1/sessions/${SESSION}/calls?limit=1`)
  const { data } = (await answer.json()) as { data?: readonly SessionCall[] }
  return data?.[0]
}

const CANCELLED = { state: 'failed', answer: expect.stringContaining('cancelled') }
const DRAW = `import struct, zlib
chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
header, pixels = struct.pack('>IIBBBBB', 2, 1, 8, 0, 0, 0, 0), zlib.compress(bytes(3))
class Dot:
    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', header) + chunk(b'IDAT', pixels) + chunk(b'IEND', b'')
Dot()`

describe.each(Object.entries(CLIENTS))('%s', (name, kind) => {
  const proves = (ids: Parameters<typeof verifies>[0], run: () => Promise<void>) => verifies(ids, run, name)
  let client: McpClient
  beforeAll(async () => {
    client = await kind.connect(`${toolyard().url}/mcp/s/${SESSION}`)
  })
  afterAll(() => client?.close())

  proves('mcp:clients:list', async () => {
    const tools = await client.tools()
    expect(tools).toEqual(expect.arrayContaining(['execute_shell', 'file_read', 'search_tools', 'call_tool']))
    expect(tools).toHaveLength(16)
  })

  proves('mcp:clients:revision', async () => {
    const unbound = await kind.connect(`${toolyard().url}/mcp`)
    const { links } = await unbound.call('file_write', { file_path: 'notes/plan.md', content: name })
    await unbound.close()
    // Where no session is named, calls of 2026-07-28 share the key's usual one, and each older connection has its own.
    const session =
      kind.revision === '2026-07-28' ? /^toolyard:\/\/mcp\/notes/ : /^toolyard:\/\/mcp_[0-9a-f]{12}\/notes/
    expect(links).toEqual([expect.stringMatching(session)])
  })

  proves(['mcp:clients:call', 'mcp:clients:resource'], async () => {
    const written = await client.call('file_write', { file_path: 'notes/plan.md', content: `by ${name}` })
    expect(written).toMatchObject({ isError: false, links: [FILE] })
    expect(await client.call('file_read', { file_path: 'notes/plan.md' })).toMatchObject({ text: `by ${name}` })
    expect(await client.read(FILE)).toBe(`by ${name}`)
  })

  proves('mcp:clients:error', async () => {
    const answer = await client.call('file_read', { file_path: 'none.txt' })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('File not found: none.txt; ') })
    await expect(client.read(`toolyard://${SESSION}/none.txt`)).rejects.toThrow('there is no file none.txt')
  })

  proves('mcp:clients:image', async () => {
    const { images, text } = await client.call('call_tool', { name: 'notebook_execute', arguments: { code: DRAW } })
    expect({ text, images }).toEqual({
      text: expect.stringContaining('image/png'),
      images: [{ mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) }],
    })
  })

  if (kind.cannot.progress === undefined) {
    proves('mcp:clients:progress', async () => {
      const leaving = new AbortController()
      const heard: string[] = []
      // The command would outlive the test: what is heard is heard while it runs.
      const call = client.call(
        'execute_shell',
        { command: 'echo begun; sleep 600' },
        {
          signal: leaving.signal,
          onProgress(message) {
            heard.push(message)
            leaving.abort()
          },
        },
      )
      await expect(call).rejects.toThrow()
      expect(heard).toEqual(['begun'])
      await expect.poll(newestCall).toMatchObject(CANCELLED)
    })
  }

  proves('mcp:clients:cancel', async () => {
    const before = await newestCall()
    const leaving = new AbortController()
    const call = client.call('execute_shell', { command: 'sleep 600' }, { signal: leaving.signal })
    const refused = expect(call).rejects.toThrow()
    await expect
      .poll(newestCall)
      .toMatchObject({ state: 'running', call_id: expect.not.stringContaining(before?.call_id ?? 'none') })
    leaving.abort()
    await refused
    await expect.poll(newestCall).toMatchObject(CANCELLED)
  })
})

it('the page of clients has each of them, with its revision and what it cannot do', () => {
  const page = readFileSync('docs/dialects/mcp-clients.md', 'utf8')
  const rows = Object.entries(CLIENTS).map(([name, { revision, cannot }]) => {
    const missing = Object.entries(cannot).map(([what, why]) => `${what}: ${why}`)
    return `| ${name} | ${revision} | ${missing.join('; ') || '–'} |`
  })
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
