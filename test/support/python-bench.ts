import { z } from 'zod'
import type { PythonAsk, PythonModule, PythonReply } from '../../src/ports/python.ts'
import { executeShell } from '../../src/tools/code/execute-shell.ts'
import { defineTool } from '../../src/tools/define.ts'
import { fileDelete } from '../../src/tools/files/file-delete.ts'
import { fileRead } from '../../src/tools/files/file-read.ts'
import { fileWrite } from '../../src/tools/files/file-write.ts'
import { Registry } from '../../src/tools/registry.ts'
import type { Sandboxd } from './sandboxd.ts'
import { dataOf, sessionBench } from './session-bench.ts'

/** Tool that returns the port's reply unchanged. */
const pythonCall = defineTool({
  name: 'python_call',
  description: 'The `Python` port, for tests.',
  effect: 'run',
  uses: ['python'],
  input: z.object({
    module: z.custom<PythonModule>(),
    ask: z.custom<PythonAsk>(),
    timeoutMs: z.number(),
    secrets: z.array(z.string()),
  }),
  run: async (call, { ports: { python } }) => ({ text: '', data: { ...(await python.call(call)) } }),
})

const registry = new Registry([], [pythonCall, executeShell, fileRead, fileWrite, fileDelete])

interface Call {
  readonly args?: Readonly<Record<string, unknown>>
  readonly context?: Readonly<Record<string, unknown>>
  readonly timeoutMs?: number
  readonly secrets?: readonly string[]
}

export const moduleOf = (source: string, requirements: readonly string[] = []): PythonModule => ({
  files: { 'tool.py': source },
  main: 'tool',
  requirements,
})

/** A session over a real sandbox, and its Python. */
export function pythonBench(sandboxd: Sandboxd) {
  const bench = sessionBench(sandboxd, { registry })
  const outcome = (
    module: PythonModule | string,
    entry: string,
    { args = {}, context = {}, timeoutMs = 20_000, secrets = [] }: Call = {},
  ) =>
    bench.call('python_call', {
      module: typeof module === 'string' ? moduleOf(module) : module,
      ask: { do: 'function', entry, args, context },
      timeoutMs,
      secrets,
    })
  return {
    ...bench,
    bench,
    outcome,
    call: async (module: PythonModule | string, entry: string, call?: Call) =>
      dataOf(await outcome(module, entry, call)) as unknown as PythonReply,
  }
}
