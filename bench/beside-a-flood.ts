import type { Caller } from './caller.ts'
import { compare } from './measure.ts'

const FLOOD_CALLERS = 32
const FLOODS = ['file_read', 'file_write'] as const

export interface FloodTimes {
  readonly tool: (typeof FLOODS)[number]
  /** p50 in milliseconds of the other tenant's `file_read`. */
  readonly quiet: number
  readonly flooded: number
}

/** Measures one tenant's `file_read`, alone and while 32 callers of another tenant call a tool without a pause. */
export async function besideAFlood(
  flooding: Caller,
  calm: Caller,
  quick: boolean,
  progress: (what: string) => (done: number) => void,
): Promise<FloodTimes[]> {
  for (const caller of [flooding, calm]) {
    await caller.create('flood')
    await caller.tool('flood', 'file_write', { file_path: 'a.txt', content: 'x'.repeat(100) })
  }
  const read = () => calm.tool('flood', 'file_read', { file_path: 'a.txt' })
  const size = { rounds: quick ? 3 : 8, perRound: 50, concurrent: 1 }
  const times: FloodTimes[] = []
  for (const tool of FLOODS) {
    const { read: quiet } = await compare({ read }, size, progress(`beside no ${tool}`))
    const stop = flood(() => flooding.tool('flood', tool, { file_path: 'a.txt', content: 'x'.repeat(100) }))
    const { read: flooded } = await compare({ read }, size, progress(`beside 32 times ${tool}`))
    await stop()
    times.push({ tool, quiet, flooded })
  }
  return times
}

function flood(call: () => Promise<unknown>): () => Promise<unknown> {
  let over = false
  const all = Promise.all(
    Array.from({ length: FLOOD_CALLERS }, async () => {
      while (!over) await call()
    }),
  )
  return () => {
    over = true
    return all
  }
}
