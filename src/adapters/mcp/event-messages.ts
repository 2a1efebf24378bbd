/** Gives each message of an event stream to `rewrite`, whose answer takes its place. Other events pass as they are. */
export function rewrittenEvents(
  body: ReadableStream<Uint8Array>,
  rewrite: (message: string) => string,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let pieces: string[] = []
  let event: string[] = []
  const lineEnds = (line: string, send: (text: string) => void) => {
    if (line !== '') return event.push(line)
    send(`${rewrittenEvent(event, rewrite).join('\n')}\n\n`)
    event = []
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
      },
    }),
  )
}

function rewrittenEvent(lines: readonly string[], rewrite: (message: string) => string): readonly string[] {
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''))
  if (data.every((line) => line === '')) return lines
  return [...lines.filter((line) => !line.startsWith('data:')), `data: ${rewrite(data.join('\n'))}`]
}
