import { ApiError, type Schemas, type ServerEvent, type Session } from '../../client/index.ts'
import { command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { durationText, timeText } from '../output/numbers.ts'
import type { Output } from '../output/output.ts'
import { pause } from '../pause.ts'
import { integerOf } from '../values.ts'

type Listed = Schemas['ListedCall']

/** Milliseconds between two looks at the list of calls. */
const LOOK_MS = 1_000
/** Most calls of one look, and of the past. */
const MAX_CALLS = 200
/** Most calls whose output is followed at the same time: each is a connection. */
const MAX_FOLLOWED = 16
/** Most ids of calls that are remembered as shown. */
const MAX_REMEMBERED = 2_000

const options = {
  follow: { type: 'boolean', short: 'f', help: 'go on with new calls and what they print, until Ctrl-C' },
  tail: { type: 'string', short: 'n', value: 'COUNT', help: 'so many calls of the past; 20 unless said' },
  tool: { type: 'string', value: 'NAME', help: 'calls of this tool alone' },
} as const

export const logs = command({
  summary: 'Show the calls of a session, oldest first, and follow them while they run',
  details: `Each call is a line when it begins and one when it has ended; with --follow what it prints stands between them, behind the end of
its id. With --json each is a JSON line: {"type": "call" | "stdout" | "stderr" | "end", …}.`,
  arguments: [{ name: 'SESSION', help: 'name of the session', completes: 'sessions' }],
  options,
  examples: [
    { args: 'logs lakes', does: 'the newest 20 calls' },
    { args: 'logs -f lakes', does: 'what an agent does, as it does it' },
    { args: 'logs -f lakes --json -n 0', does: 'new calls alone, for a program' },
  ],
  async run({ values, positionals: [name = ''], client, output, signal }) {
    const session = (await client()).sessions.open(name)
    const tail = integerOf(values.tail, '--tail', { usual: 20, max: MAX_CALLS })
    const query = values.tool === undefined ? {} : { tool: values.tool }
    // With -n 0 the past is looked at too, so that it is known as such.
    const past = await session.calls
      .list({ ...query, limit: Math.max(1, values.follow ? MAX_CALLS : tail) }, { signal })
      .page()
    const shown = tail === 0 ? [] : past.data.slice(0, tail).reverse()
    if (!values.follow) {
      for (const call of shown) {
        await printBegin(output, call)
        if (call.ended_at !== null) await printEnd(output, call)
      }
      return EXIT.good
    }
    try {
      await followed(session, query, { shown, known: past.data, output, signal })
    } catch (error) {
      // Ctrl-C is how this ends.
      if (!signal.aborted) throw error
    }
    return EXIT.good
  },
})

interface Following {
  readonly shown: readonly Listed[]
  readonly known: readonly Listed[]
  readonly output: Output
  readonly signal: AbortSignal
}

/** Shows calls and what they print. @throws what the client throws: for a session that is deleted, too */
async function followed(session: Session, query: { tool?: string }, { shown, known, output, signal }: Following) {
  const seen = new Set(known.map(({ call_id }) => call_id))
  const running = new Set<string>()
  let failure: unknown = null
  const begin = async (call: Listed) => {
    await printBegin(output, call)
    if (call.ended_at !== null) return printEnd(output, call)
    if (running.size >= MAX_FOLLOWED) {
      await output.note(`${call.call_id} is not followed: ${MAX_FOLLOWED} calls are`)
      return
    }
    running.add(call.call_id)
    void follow(session, call, output, signal)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => running.delete(call.call_id))
  }
  for (const call of shown) await begin(call)
  // Calls that ran when this began are followed, whether they are among those of the past that are shown or not.
  for (const call of known.toReversed()) if (call.ended_at === null && !shown.includes(call)) await begin(call)
  for (;;) {
    await pause(LOOK_MS, signal)
    if (failure !== null) throw failure
    const fresh: Listed[] = []
    const pages = session.calls.list({ ...query, limit: 50 }, { signal })
    for (const call of await pages.take(MAX_CALLS)) {
      if (seen.has(call.call_id)) break
      fresh.push(call)
    }
    for (const call of fresh.reverse()) {
      seen.add(call.call_id)
      await begin(call)
    }
    for (const id of seen) {
      if (seen.size <= MAX_REMEMBERED) break
      seen.delete(id)
    }
  }
}

async function follow(session: Session, call: Listed, output: Output, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of session.calls.follow(call.call_id, { signal })) await printEvent(output, call, event)
    await printEnd(output, await session.calls.get(call.call_id, {}, { signal }))
  } catch (error) {
    // A call that the session no longer knows has nothing to say; anything else ends the command.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  }
}

async function printEvent(output: Output, { call_id }: Listed, { type, data }: ServerEvent): Promise<void> {
  const { text, line } = data as { text?: string; line?: string }
  const printed = type === 'stdout' || type === 'stderr' ? text : type === 'progress' ? line : undefined
  if (printed === undefined) return
  if (output.isJson) return output.item({ type, call_id, text: printed }, '')
  const lines = printed.endsWith('\n') ? printed.slice(0, -1) : printed
  for (const each of lines.split('\n'))
    await output.item(null, `  ${shortId(call_id)} ${type === 'stderr' ? '!' : '|'} ${each}`)
}

function printBegin(output: Output, call: Listed): Promise<void> {
  const { call_id, tool, started_at } = call
  const head = `${timeText(started_at)}  ${shortId(call_id)}  ${tool}`
  return output.item({ type: 'call', ...call }, `${head}  ${oneLine(call.arguments, 160)}`)
}

function printEnd(output: Output, call: Listed): Promise<void> {
  const { call_id, state, started_at, ended_at, answer } = call
  const ms = ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at)
  const took = ms === null ? '' : ` after ${durationText(ms)}`
  const why = state === 'done' ? '' : `: ${oneLine(answer, 200)}`
  return output.item({ type: 'end', ...call }, `  ${shortId(call_id)} = ${state}${took}${why}`)
}

/** End of an id, by which lines of one call are told from those of another. */
const shortId = (id: string): string => id.slice(-6)

const oneLine = (text: string, chars: number): string => {
  const [first = ''] = text.slice(0, chars + 1).split('\n')
  return first.length < text.length ? `${first.slice(0, chars)}…` : first
}
