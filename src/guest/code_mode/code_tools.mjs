// The object `tools` of TypeScript that a model wrote: each property is a tool of the session, and each call of one a call of the
// session.
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export class ToolError extends Error {
  constructor(tool, { code, message, retry_after = null }) {
    super(`${tool}: ${message} (${code})`)
    this.name = 'ToolError'
    this.tool = tool
    this.code = code
    this.retry_after = retry_after
  }
}

const descriptor = process.env.TOOLYARD_CALLS
delete process.env.TOOLYARD_CALLS
const waiting = new Map()
let line = descriptor === undefined ? null : open(Number(descriptor))
let count = 0

function open(fd) {
  const socket = new Socket({ fd, readable: true, writable: true })
  socket.on('error', () => undefined)
  socket.on('close', end)
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', hear)
  // Nothing but a call under way keeps the program from its end.
  socket.unref()
  return socket
}

function hear(text) {
  const space = text.indexOf(' ')
  const number = Number(text.slice(0, space))
  const answer = JSON.parse(text.slice(space + 1))
  const call = waiting.get(number)
  waiting.delete(number)
  if (waiting.size === 0) line?.unref()
  if (answer.error) call?.reject(new ToolError(call.tool, answer.error))
  else call?.resolve(answer.data)
}

/** Ends all that wait: the session has cut the line. */
function end() {
  line = null
  for (const { tool, reject } of waiting.values()) reject(ended(tool))
  waiting.clear()
}

const ENDED = { code: 'unavailable', message: 'the session takes no more calls of this run' }
const ended = (tool) => new ToolError(tool, ENDED)

function call(tool, args = {}) {
  if (line === null) return Promise.reject(ended(tool))
  const text = JSON.stringify({ tool, args })
  return new Promise((resolve, reject) => {
    // Answers name their calls by the order of the lines.
    waiting.set(++count, { tool, resolve, reject })
    line.ref()
    line.write(`${text}\n`)
  })
}

const names = new Map()

/** A tool by its name; the same function each time. */
function toolOf(name) {
  if (!names.has(name)) names.set(name, (args) => call(name, args))
  return names.get(name)
}

// An object with `then` would be taken for a promise where the code awaits it.
export const tools = new Proxy(
  { call },
  { get: (own, name) => (typeof name !== 'string' || name === 'then' ? undefined : (own[name] ?? toolOf(name))) },
)

globalThis.tools = tools
globalThis.ToolError = ToolError
