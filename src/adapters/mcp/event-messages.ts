/**
 * Gives each message of an event stream to `rewrite`, whose answer takes its place; null leaves it out. Other events pass as they are.
 * @param ended callback for the end of the stream, behind its last message
 */
export function rewrittenEvents(
  body: ReadableStream<Uint8Array>,
  rewrite: (message: string) => string | null,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let pieces: string[] = []
  let event: string[] = []
  const lineEnds = (line: string, send: (text: string) => void) => {
    if (line !== '') return event.push(line)
    const rewritten = rewrittenEvent(event, rewrite)
    event = []
    if (rewritten !== null) send(`${rewritten.join('\n')}\n\n`)
  }
  // The pieces of a line are joined once, at its end: a long line in small pieces costs no more than a short one.
  const take = (text: string, send: (text: string) => void) => {
    const [first = '', ...more] = text.split('\n')
    pieces.push(first)
    for (const next of more) {
      const line = pieces.join('')
      lineEnds(line.endsWith('\r') ? line.slice(0, -1) : line, send)
      pieces = [next]
    }
  }
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        take(decoder.decode(chunk, { stream: true }), (text) => controller.enqueue(encoder.encode(text)))
      },
      flush(controller) {
        take('\n\n', (text) => controller.enqueue(encoder.encode(text)))
        ended()
      },
    }),
  )
}

function rewrittenEvent(
  lines: readonly string[],
  rewrite: (message: string) => string | null,
): readonly string[] | null {
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''))
  if (data.every((line) => line === '')) return lines
  const message = rewrite(data.join('\n'))
  return message === null ? null : [...lines.filter((line) => !line.startsWith('data:')), `data: ${message}`]
}
