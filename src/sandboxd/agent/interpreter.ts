import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { asObject, asString, asStringMap, type Json, parseObject } from '../json.ts'
import { readBody, toRpcError } from './connect-json.ts'
import { type Boot, workingDirectory } from './environment.ts'
import { InterpreterContext } from './interpreter-context.ts'
import { EXECUTE_KEEPALIVE_MS, MAX_CONTEXTS } from './limits.ts'

/** A refusal over HTTP. The SDK shows its users the status text only, so the message goes there. */
class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The code interpreter's HTTP interface (port 49999): `/execute` and `/contexts`. Python only. */
export class Interpreter {
  readonly #boot: Boot
  readonly #contexts = new Map<string, InterpreterContext>()
  readonly #defaultContext: InterpreterContext

  constructor(boot: Boot) {
    this.#boot = boot
    // Listed from the start, as in E2B; its process starts with the first code.
    this.#defaultContext = this.#add(boot.home)
    if (boot.prewarm) this.#defaultContext.prewarm()
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response)
    } catch (thrown) {
      if (response.headersSent) return void response.destroy()
      const error = thrown instanceof HttpError ? thrown : new HttpError(400, toRpcError(thrown).message)
      response.writeHead(error.status, printable(error.message) || STATUS_CODES[error.status], {
        'content-type': 'text/plain',
      })
      response.end(error.message)
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const [, collection, id, action] = path.split('/')
    const call = `${request.method} /${collection}${id === undefined ? '' : '/{id}'}${action === undefined ? '' : `/${action}`}`
    switch (call) {
      case 'GET /health':
        return void response.end('"OK"')
      case 'POST /execute':
        return await this.#execute(await bodyOf(request), response)
      case 'GET /contexts':
        return sendJson(response, [...this.#contexts.values()].map(describe))
      case 'POST /contexts':
        return sendJson(response, describe(this.#create(await bodyOf(request))))
      case 'DELETE /contexts/{id}':
        this.#find(id ?? '').close()
        this.#contexts.delete(id ?? '')
        return void response.writeHead(204).end()
      case 'POST /contexts/{id}/restart':
        this.#find(id ?? '').restart()
        return void response.writeHead(204).end()
      default:
        throw new HttpError(404, 'not found')
    }
  }

  #create(body: Json): InterpreterContext {
    requirePython(asString(body.language))
    if (this.#contexts.size >= MAX_CONTEXTS)
      throw new HttpError(429, `at most ${MAX_CONTEXTS} contexts at the same time`)
    return this.#add(workingDirectory(this.#boot, asString(body.cwd)))
  }

  #add(cwd: string): InterpreterContext {
    const context = new InterpreterContext(this.#boot, crypto.randomUUID(), cwd)
    this.#contexts.set(context.id, context)
    return context
  }

  #find(id: string): InterpreterContext {
    const context = this.#contexts.get(id)
    if (context === undefined) throw new HttpError(404, `Context ${id} not found`)
    return context
  }

  async #execute(body: Json, response: ServerResponse): Promise<void> {
    const code = asString(body.code)
    if (code === null) throw new HttpError(422, 'code must be a string')
    requirePython(asString(body.language))
    const contextId = asString(body.context_id)
    const context = contextId === null ? this.#revived(this.#defaultContext) : this.#find(contextId)

    response.writeHead(200, { 'content-type': 'application/json' })
    const keepalive = setInterval(() => response.write('{"type":"keepalive"}\n'), EXECUTE_KEEPALIVE_MS)
    const abort = new AbortController()
    response.once('close', () => {
      clearInterval(keepalive)
      abort.abort()
    })
    await context.execute({ code, envs: asStringMap(body.env_vars) }, response, abort.signal)
    response.end()
  }

  /** The default context can be removed like any other; code that names no context brings it back. */
  #revived(context: InterpreterContext): InterpreterContext {
    this.#contexts.set(context.id, context)
    return context
  }
}

function requirePython(language: string | null): void {
  if (language === null || language === '' || /^python3?$/i.test(language)) return
  throw new HttpError(400, `Language '${language.slice(0, 40)}' is not available on this sandbox host - only python is`)
}

function describe({ id, cwd }: InterpreterContext) {
  return { id, language: 'python', cwd }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const text = (await readBody(request)).toString('utf8')
  const body = asObject(parseObject(text === '' ? '{}' : text))
  if (body === null) throw new HttpError(422, 'the body must be a JSON object')
  return body
}

function sendJson(response: ServerResponse, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}

/** A status line is ASCII. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)
}
