import { untilEnd } from '../../admission/until-end.ts'

/** The answer, of whose body's end somebody hears once: it was read, or its reader has gone. Without a body it has ended already. */
export function withEnd(answer: Response, ended: () => void): Response {
  if (answer.body) return new Response(untilEnd(answer.body, ended), answer)
  ended()
  return answer
}
