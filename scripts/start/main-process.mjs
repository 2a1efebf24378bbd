import module from 'node:module'
import { Children } from './children.mjs'
import { checkMachine, lockState, prepareState } from './machine.mjs'
import { followNpm } from './npm-parent.mjs'
import { compileCache } from './settings.mjs'

/**
 * The process of `npm start` or `npm run sandboxd`: holds the state directory and the services, and ends all of them on
 * Ctrl-C, SIGTERM, SIGHUP, the end of npm, or a service that cannot be started again. Nothing stays behind.
 */
export class MainProcess {
  stopping = false
  #cleanUp
  /** Services; null until the machine is known to be able to run them. */
  #services = null

  /**
   * @param {string} script name of the script in package.json
   * @param {() => void} [cleanUp] runs last, when all children have ended
   */
  constructor(script, cleanUp = () => {}) {
    this.#cleanUp = cleanUp
    this.children = new Children((name, cause) => {
      if (this.#services?.ended(name, cause)) return
      void this.stop(1, `the ${name} ended (${cause}); stopping`)
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.stop(0))
    // The reader of our output may have gone (`npm start | head`); the server goes on.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    followNpm(script, () => this.stop(1, 'npm is gone; stopping'))
  }

  /** Runs `start`; its failure ends the process with the error's message. */
  async run(start) {
    try {
      await start()
    } catch (error) {
      await this.stop(1, error.message)
    }
  }

  /** Checks the machine, makes the state directory and keeps other processes of this kind out of it. */
  async holdState() {
    checkMachine()
    prepareState()
    const lock = await lockState()
    if (lock !== null) this.children.hold(lock)
  }

  async services() {
    module.enableCompileCache(compileCache)
    // Its imports are TypeScript, which an older Node would not even read.
    const { Services } = await import('./services.mjs')
    this.#services = new Services(this.children, (error) => this.stop(1, error.message))
    return this.#services
  }

  /** Ends the children, the worker first, so that no call loses its sandbox while it is being answered. */
  async stop(code, message) {
    if (this.stopping) return
    this.stopping = true
    if (message) console.error(`Toolyard: ${message}`)
    this.#services?.stop()
    await this.children.endAll()
    this.#cleanUp()
    process.exit(code)
  }
}
