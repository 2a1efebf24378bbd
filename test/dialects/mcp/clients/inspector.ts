import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { scratchDirectory } from '../../../support/sandboxd.ts'
import { answerOf, type ClientKind, textOf } from './client.ts'

/** The Inspector's command: a process for each request. */
export const INSPECTOR: ClientKind = {
  revision: '2025-11-25',
  cannot: { progress: 'it prints the result alone' },
  async connect(url) {
    // It keeps files of its own.
    const home = await scratchDirectory()
    const ask = async (args: readonly string[], signal?: AbortSignal) => {
      const fixed = ['--cli', url, '--transport', 'http', '--format', 'json', '--quiet']
      const child = spawn(process.execPath, ['node_modules/.bin/mcp-inspector', ...fixed, ...args], {
        env: { ...process.env, HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(signal && { signal }),
      })
      const [printed, warned] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      if (printed === '') throw new Error(`the Inspector printed no result: ${warned}`)
      return z.looseObject({ result: z.looseObject({}) }).parse(JSON.parse(printed)).result
    }
    return {
      async tools() {
        // With --strict it fails at a schema that some hosts do not take.
        const { tools } = await ask(['--method', 'tools/list', '--strict'])
        return z
          .array(z.looseObject({ name: z.string() }))
          .parse(tools)
          .map(({ name }) => name)
      },
      async call(tool, args, { signal } = {}) {
        const call = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)]
        // Ending the process cancels in 2026-07-28 alone: in the older ones a lost connection means nothing.
        return answerOf(await ask(signal ? [...call, '--protocol-era', 'modern'] : call, signal))
      },
      read: async (uri) => textOf(await ask(['--method', 'resources/read', '--uri', uri])),
      close: () => rm(home, { recursive: true, force: true }),
    }
  },
}
