import * as z from 'zod'
import { MAX_CODE_CALLS, MAX_CODE_CALLS_AT_ONCE, MAX_REFUSED_CODE_CALLS } from '../../core/limits/code-mode.ts'

const Message = z.object({ n: z.int().min(1), call: z.string(), watched: z.string().nullable() })

/** Answers a call of a command's program: a line, and the count of the watcher when it was sent. Never rejects. */
export type AnswerCall = (line: string, watched: string | null) => Promise<string>

/**
 * Reads messages from the sandbox about calls of a command's program, each once: two connections may hear one. What our supervisor
 * would not send, code of the task has forged, and it counts for nothing.
 * @param calls gives the answer of a call, with the watcher's count when it was made; never rejects
 * @param answer sends it; an answer that does not arrive is for a program that has ended
 */
export function callReader(
  calls: AnswerCall,
  answer: (n: number, text: string) => Promise<unknown>,
): (message: unknown) => void {
  const heard = new Set<number>()
  let underWay = 0
  return (message) => {
    const { data } = Message.safeParse(message)
    if (!data || heard.has(data.n)) return
    if (heard.size >= MAX_CODE_CALLS + MAX_REFUSED_CODE_CALLS || underWay >= MAX_CODE_CALLS_AT_ONCE) return
    heard.add(data.n)
    underWay += 1
    const done = () => {
      underWay -= 1
    }
    calls(data.call, data.watched)
      .then((text) => {
        // The supervisor may pass on the next call before it says that it has this answer.
        done()
        return answer(data.n, text)
      })
      .catch(() => undefined)
  }
}
