import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { home } from './settings.mjs'

const NAME = 'reader'

/** The reader of documents and pages, as a child process. One that ends is started again, where it was. */
export class Reader {
  #children
  #onFailure
  #token = randomBytes(24).toString('base64url')
  /** Zero before the first start: any free one. */
  #port = 0
  #stopped = false

  /**
   * @param children where it runs, under the name "reader"
   * @param onFailure called with an error when it cannot be started again
   */
  constructor(children, onFailure) {
    this.#children = children
    this.#onFailure = onFailure
  }

  /**
   * Its environment has no other secret than its own, since what it reads is of strangers.
   * @returns what the Worker is told of it
   * @throws Error when it does not start
   */
  async start() {
    const args = [join(home, 'src/readerd/main.ts'), '--port', String(this.#port)]
    const { PATH } = process.env
    const ready = await this.#children.startServer(NAME, process.execPath, args, {
      cwd: home,
      env: { ...(PATH && { PATH }), READER_TOKEN: this.#token },
    })
    this.#port = ready.port
    return { READER_URL: `http://127.0.0.1:${ready.port}`, READER_TOKEN: this.#token }
  }

  /** To be called when its process has ended by itself. @returns whether it is started again */
  ended(cause) {
    if (this.#port === 0 || this.#stopped) return false
    console.error(`Toolyard: the reader of documents ended (${cause}); starting it again`)
    this.start().catch(this.#onFailure)
    return true
  }

  /** Leaves the process to its end. */
  stop() {
    this.#stopped = true
  }
}
