import { useEffect } from 'preact/hooks'
import { events, type StreamEvent } from '../../api.ts'

/** Milliseconds until a cut stream is opened again. */
const AGAIN_MS = 2_000

/**
 * Takes the events of a stream while the component is shown. A cut stream is opened again where it was, until `take` says no.
 */
export function useStream(
  path: string,
  query: Readonly<Record<string, string>>,
  take: (event: StreamEvent) => boolean,
) {
  useEffect(() => {
    const end = new AbortController()
    let last = ''
    const follow = async () => {
      while (!end.signal.aborted) {
        try {
          for await (const event of events(path, end.signal, { query, after: last })) {
            last = event.id || last
            if (!take(event)) return
          }
        } catch {
          // The page's other readings say what is wrong; the stream goes on when it can.
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
    void follow()
    return () => end.abort()
  }, [path])
}

/** Output in an event of a call: a piece of text, or a line of progress; '' of any other event. */
export function outputOf({ event, data }: StreamEvent): string {
  if (!['stdout', 'stderr', 'progress'].includes(event)) return ''
  try {
    const { text, line, message } = JSON.parse(data) as Readonly<Record<string, unknown>>
    if (typeof text === 'string') return text
    return `${typeof line === 'string' ? line : typeof message === 'string' ? message : data}\n`
  } catch {
    return `${data}\n`
  }
}
