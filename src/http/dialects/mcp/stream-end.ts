/** The answer, of whose body's end somebody hears once: it was read, or its reader has gone. Without a body it has ended already. */
export function withEnd(answer: Response, ended: () => void): Response {
  if (!answer.body) {
    ended()
    return answer
  }
  const through = new TransformStream()
  void answer.body.pipeTo(through.writable).then(ended, ended)
  return new Response(through.readable, answer)
}
