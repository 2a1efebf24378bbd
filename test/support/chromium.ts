import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A page in Chromium, asked by the DevTools protocol. */
export interface BrowserPage {
  /** URLs of all requests of the open page so far, but those of `data:`. */
  readonly requests: readonly string[]
  /** Errors of the open page in the browser's console: refusals of the content security policy, exceptions, files that are not there. */
  readonly errors: readonly string[]
  open(url: string): Promise<void>
  /** Value of an expression in the page, which may be a promise of JSON. @throws Error with what it throws */
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, never>
  readonly result?: Record<string, never>
  readonly error?: { readonly message: string }
}

/** Starts a Chromium that reaches this machine and nothing else. */
export async function startChromium(): Promise<BrowserPage> {
  const profile = await mkdtemp(join(tmpdir(), 'toolyard-chromium-'))
  const child: ChildProcess = spawn(
    'chromium-headless-shell',
    [
      ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe'],
      ...[`--user-data-dir=${profile}`, '--window-size=1280,1000', '--no-proxy-server'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const gone = once(child, 'exit')
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const waiting = new Map<number, (message: Message) => void>()
  const requests: string[] = []
  const errors: string[] = []
  let rest = ''
  output.setEncoding('utf8').on('data', (piece: string) => {
    const texts = (rest + piece).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const message = JSON.parse(text) as Message
      if (message.id !== undefined) waiting.get(message.id)?.(message)
      else note(message)
    }
  })

  function note({ method, params = {} }: Message) {
    const { request, entry, exceptionDetails } = params as {
      request?: { url: string }
      entry?: { level: string; text: string; url?: string }
      exceptionDetails?: { text: string; exception?: { description?: string } }
    }
    if (method === 'Network.requestWillBeSent' && request && !request.url.startsWith('data:'))
      requests.push(request.url)
    if (method === 'Log.entryAdded' && entry?.level === 'error') errors.push(`${entry.text} ${entry.url ?? ''}`.trim())
    if (method === 'Runtime.exceptionThrown' && exceptionDetails) {
      errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text)
    }
  }

  let last = 0
  async function send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, never>> {
    const id = ++last
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    const answer = await Promise.race([
      answered,
      gone.then(() => ({ error: { message: 'Chromium ended' } }) as Message),
    ])
    waiting.delete(id)
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result ?? {}
  }

  async function close() {
    child.kill('SIGKILL')
    await gone
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    const ask = (method: string, params?: object) => send(method, params, sessionId)
    for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await ask(`${domain}.enable`)
    return {
      requests,
      errors,
      async open(url) {
        requests.length = 0
        errors.length = 0
        const { errorText } = await ask('Page.navigate', { url })
        if (errorText) throw new Error(`${url}: ${errorText}`)
      },
      async evaluate<T>(expression: string) {
        const { result, exceptionDetails } = (await ask('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        })) as { result?: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } }
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result?.value as T
      },
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
