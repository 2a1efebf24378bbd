/** Worker's end of the WebSocket on which a session's object tells of commits. Messages that come together count once. */
export class WakeUps {
  readonly #socket: WebSocket
  #hasCome = false
  #isClosed = false
  #wake = () => {}

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', () => {
      this.#hasCome = true
      this.#wake()
    })
    const closed = () => {
      this.#isClosed = true
      this.#wake()
    }
    socket.addEventListener('close', closed)
    socket.addEventListener('error', closed)
    socket.accept()
  }

  /** Waits for a message since the last one was waited for, for the socket's end, or for so long. */
  async next(ms: number): Promise<'message' | 'closed' | 'silence'> {
    if (!this.#hasCome && !this.#isClosed) {
      let timer: ReturnType<typeof setTimeout> | undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    }
    const hasCome = this.#hasCome
    this.#hasCome = false
    return this.#isClosed ? 'closed' : hasCome ? 'message' : 'silence'
  }

  close(): void {
    this.#socket.close()
  }
}
