import { signal } from '@preact/signals'
import { get, type Listed } from '../api.ts'

/** A question of an agent that waits for a person, as `/v1/questions` lists it; `text` is cut where it is long. */
export interface WaitingQuestion {
  readonly session: string
  readonly id: string
  readonly text: string
  readonly created_at: string
}

/** Questions of a page of the list, which is as many as are counted. */
const PAGE = 100

/** How many questions wait for a person, as words: '' for none, `100+` where there are more than a page. */
export const waiting = signal('')

/** Reads a page of the questions that wait, newest first. The first one sets {@link waiting}. @throws Problem */
export async function readWaiting(cursor: string | null, signal?: AbortSignal): Promise<Listed<WaitingQuestion>> {
  const page = await get<Listed<WaitingQuestion>>('/v1/questions', { limit: PAGE, cursor }, signal)
  if (cursor === null) waiting.value = page.next_cursor ? `${PAGE}+` : String(page.data.length || '')
  return page
}
