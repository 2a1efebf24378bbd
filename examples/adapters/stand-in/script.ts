import { isDeepStrictEqual } from 'node:util'
import { type CallResult, type Conversation, type ModelCall, must, type PastTurn, type Turn } from './conversation.ts'
import { lookAt } from './picture.ts'

const DRAW = `import struct, zlib

width, height, orange = 48, 32, bytes([255, 140, 0])
rows = b"".join(b"\\0" + orange * width for _ in range(height))

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
with open("picture.png", "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
print("drawn")
`

/** Tool by which an agent gives its answer, where it has one. */
const END = 'final_answer'

/** A turn of the script, and what its results must be. */
interface Step {
  readonly calls: readonly Omit<ModelCall, 'id'>[]
  check(results: readonly CallResult[]): void
}

/** The agent writes a program, runs it, looks for the picture in the wrong place, and then looks at it and asks for its size at once. */
const STEPS: readonly Step[] = [
  {
    calls: [{ name: 'file_write', args: { file_path: 'code_run/draw.py', content: DRAW } }],
    check: ([written]) => says(written, 'code_run/draw.py'),
  },
  {
    calls: [{ name: 'execute_shell', args: { command: 'python3 draw.py' } }],
    check: ([ran]) => says(ran, 'drawn'),
  },
  {
    calls: [{ name: 'image_read', args: { file_path: 'picture.png' } }],
    check([failed]) {
      must(failed?.isError !== false, 'the failure of a tool is not marked as an error')
      must(failed?.text.includes('File not found: picture.png') ?? false, `no failure in: ${failed?.text}`)
    },
  },
  {
    calls: [
      { name: 'image_read', args: { file_path: 'code_run/picture.png' } },
      { name: 'execute_shell', args: { command: 'wc -c < picture.png' } },
    ],
    check([read, counted]) {
      says(read, '48 by 32 pixels')
      must(/\b\d{2,4}\n/.test(counted?.text ?? ''), `no number of bytes in: ${counted?.text}`)
      const pictures = [read, counted].flatMap((result) => result?.pictures ?? [])
      must(pictures.length === 1, `${pictures.length} pictures came, not one`)
    },
  },
]

/** Names of the tools that the script calls. */
const TOOLS = new Set(STEPS.flatMap(({ calls }) => calls.map(({ name }) => name)))

/** Calls of the script's turn of this number, with their ids; empty behind its last one. */
export const callsOf = (turn: number): readonly ModelCall[] =>
  (STEPS[turn]?.calls ?? []).map((call, at) => ({ id: `call_${turn}_${at}`, ...call }))

/** Turn that comes next. @throws Refusal where the conversation is not the script's */
export function nextTurn({ tools, turns }: Conversation): Turn {
  for (const name of TOOLS) must(tools.includes(name), `there is no tool ${name} among ${tools.join(', ') || 'none'}`)
  must(turns.length <= STEPS.length, `the conversation has ${turns.length} turns of calls, the script ${STEPS.length}`)
  for (const [at, turn] of turns.entries()) checkTurn(turn, at)
  if (turns.length < STEPS.length) return { calls: callsOf(turns.length) }
  const [read, counted] = turns.at(-1)?.results ?? []
  const [picture] = [read, counted].flatMap((result) => result?.pictures ?? [])
  const bytes = /\b(\d{2,4})\n/.exec(counted?.text ?? '')?.[1]
  const text = `I see a picture: ${picture && lookAt(picture)}. Its file has ${bytes} bytes.`
  // Agents of smolagents end by a call of a tool of their own.
  if (!tools.includes(END)) return { text }
  return { calls: [{ id: `call_${turns.length}_0`, name: END, args: { answer: text } }] }
}

function checkTurn({ calls, results }: PastTurn, at: number): void {
  const made = callsOf(at)
  must(isDeepStrictEqual(calls, made), `calls were ${JSON.stringify(made)}, and came back as ${JSON.stringify(calls)}`)
  const byId = made.map(({ id }, place) => {
    const own = results.filter((result) => result.id === id || (result.id === null && result === results[place]))
    must(own.length === 1, `call ${id} has ${own.length} results`)
    return own[0] as CallResult
  })
  must(results.length === made.length, `${results.length} results came for ${made.length} calls`)
  STEPS[at]?.check(byId)
}

function says(result: CallResult | undefined, words: string): void {
  must(result?.isError !== true, `a call failed: ${result?.text}`)
  must(result?.text.includes(words) ?? false, `"${words}" is not in: ${result?.text}`)
}
