/** Media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'

/** Whether an answer is a stream of events. */
export const isEventStream = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.startsWith(EVENT_STREAM) ?? false
