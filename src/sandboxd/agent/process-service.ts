import { asNumber, asObject, asString, asStringMap, asStrings, fromStringMap, type Json } from '../json.ts'
import { type Collecting, type Procedures, RpcError, type Streaming, type Unary } from './connect-json.ts'
import { checkUser } from './environment.ts'
import { MAX_PROCESSES } from './limits.ts'
import type { ProcessSpec, TerminalSize } from './process-spec.ts'
import type { ProcessTable } from './process-table.ts'
import type { RunningProcess } from './running-process.ts'

/** Service `process.Process` of E2B's agent, field names as in its proto file. */
export function processService(table: ProcessTable): Procedures {
  const list: Unary = async () => ({ processes: table.list().slice(0, MAX_PROCESSES).map(describe) })

  const start: Streaming = async (input, context, stream) => {
    checkUser(context.username)
    const process = await table.start(decodeSpec(input))
    if (context.timeoutMs !== null) process.setDeadline(context.timeoutMs)
    process.watch(stream)
  }

  const connect: Streaming = async (input, context, stream) => {
    const process = select(table, input)
    if (context.timeoutMs !== null) {
      // The time of this watcher alone is over: the command belongs to the call that started it.
      const timer = setTimeout(() => stream.end(new RpcError('deadline_exceeded', 'timeout')), context.timeoutMs)
      stream.onClosed(() => clearTimeout(timer))
    }
    process.watch(stream)
  }

  const sendInput: Unary = async (input) => {
    await writeInput(select(table, input), input)
    return {}
  }

  const streamInput: Collecting = async (messages) => {
    let process: RunningProcess | null = null
    for await (const { start, data } of messages) {
      const [started, given] = [asObject(start), asObject(data)]
      if (started !== null) process = select(table, started)
      if (given === null) continue
      if (process === null) throw new RpcError('invalid_argument', 'the first message names no process')
      await writeInput(process, given)
    }
    return {}
  }

  const sendSignal: Unary = async (input) => {
    const process = select(table, input)
    await process.signal(decodeSignal(input.signal))
    return {}
  }

  const closeStdin: Unary = async (input) => {
    select(table, input).closeInput()
    return {}
  }

  const update: Unary = async (input) => {
    const size = decodeSize(input.pty)
    if (size !== null) select(table, input).resize(size)
    return {}
  }

  const keepalive = { event: { keepalive: {} } }
  return {
    unary: new Map([
      ['/process.Process/List', list],
      ['/process.Process/SendInput', sendInput],
      ['/process.Process/SendSignal', sendSignal],
      ['/process.Process/CloseStdin', closeStdin],
      ['/process.Process/Update', update],
    ]),
    streaming: new Map([
      ['/process.Process/Start', start],
      ['/process.Process/Connect', connect],
    ]),
    collecting: new Map([['/process.Process/StreamInput', streamInput]]),
    keepalive: new Map([
      ['/process.Process/Start', keepalive],
      ['/process.Process/Connect', keepalive],
    ]),
  }
}

/** Writes to a command's stdin. @throws RpcError */
async function writeInput(process: RunningProcess, message: Json): Promise<void> {
  const { stdin, pty } = asObject(message.input) ?? {}
  const data = asString(stdin) ?? asString(pty)
  if (data === null) throw new RpcError('invalid_argument', 'no input given')
  await process.writeInput(Buffer.from(data, 'base64'))
}

function select(table: ProcessTable, input: Json): RunningProcess {
  const selector = asObject(input.process)
  return table.get({ pid: asNumber(selector?.pid), tag: asString(selector?.tag) })
}

function describe({ pid, spec }: RunningProcess) {
  return {
    pid,
    ...(spec.tag === null ? {} : { tag: spec.tag }),
    config: {
      cmd: spec.cmd,
      args: spec.args,
      envs: fromStringMap(spec.envs),
      ...(spec.cwd === null ? {} : { cwd: spec.cwd }),
    },
  }
}

function decodeSpec(input: Json): ProcessSpec {
  const process = asObject(input.process)
  const cmd = asString(process?.cmd)
  if (cmd === null || cmd === '') throw new RpcError('invalid_argument', 'no command given')
  return {
    cmd,
    args: asStrings(process?.args),
    envs: asStringMap(process?.envs),
    cwd: asString(process?.cwd) || null,
    tag: asString(input.tag),
    stdin: input.stdin === true,
    terminal: decodeSize(input.pty),
  }
}

function decodeSize(pty: unknown): TerminalSize | null {
  if (asObject(pty) === null) return null
  const size = asObject(asObject(pty)?.size)
  const bounded = (value: unknown, fallback: number) => Math.min(Math.max(asNumber(value) ?? fallback, 1), 10_000)
  return { cols: bounded(size?.cols, 80), rows: bounded(size?.rows, 24) }
}

/** JSON carries the enum by name; Connect allows its number too. */
function decodeSignal(value: unknown): 'SIGKILL' | 'SIGTERM' {
  if (value === 'SIGNAL_SIGKILL' || value === 9) return 'SIGKILL'
  if (value === 'SIGNAL_SIGTERM' || value === 15) return 'SIGTERM'
  throw new RpcError('invalid_argument', 'unknown signal')
}
