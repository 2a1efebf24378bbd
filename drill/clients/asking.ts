import type { Change } from '../model/change.ts'
import type { Operation } from '../model/operation.ts'
import { linesOf, type Random } from './draw.ts'
import type { Api } from './reply.ts'
import type { HttpRequest } from './send.ts'

/** Place of a client's work: a directory of its own in a session that it may share. */
export interface Place {
  readonly session: string
  /** XAgent's name of the session. */
  readonly node: string
  /** Directory below `upload`, where every API can put files. */
  readonly directory: string
}

/** A call of one tool by one API. */
export interface Asking {
  readonly api: Api
  readonly tool: string
  readonly args: object
}

/** Name of the tenant's own tool: it appends a line to a file, in Python. */
export const NOTE = 'drill.note'
export const NOTE_SOURCE = `import os
def note(path, line):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a") as file:
        file.write(line)
    return {"noted": True}
`

/** Draws one of the ways in which a client can ask for an operation. */
export function drawAsking({ id, steps, by }: Operation, { directory }: Place, random: Random): Asking {
  const at = (path: string) => `upload/${directory}/${path}`
  const [first] = steps
  const ways = by === 'tool' ? toolWays(steps, directory, at) : []
  if (by === 'sandbox') {
    const command = `cd /home/user/workspace && ${steps.map((step) => commandOf(id, step, at)).join(' && ')}`
    ways.push(...execute('execute_shell', { command, workdir: '/' }))
    ways.push({ api: 'xagent', tool: 'shell_command_executor', args: { command } })
    const last = steps.at(-1)
    const isOneAppend = last?.kind === 'append' && steps.slice(0, -1).every(({ kind }) => kind === 'mkdir')
    if (isOneAppend) ways.push({ api: 'v1', tool: NOTE, args: { path: at(last.path), line: last.text } })
  }
  const way = ways[Math.floor(random() * ways.length)]
  if (!way) throw new Error(`no API can ask for ${first?.kind}`)
  return way
}

function toolWays(steps: readonly Change[], directory: string, at: (path: string) => string): Asking[] {
  const [step] = steps
  if (!step) return []
  const ways = steps.length === 1 ? oneStep(step, at) : []
  const files = steps.flatMap((one) => (one.kind === 'write' ? [{ filename: one.path, content: one.text }] : []))
  if (files.length === steps.length) ways.push(...execute('file_upload', { target_path: directory, files }))
  return ways
}

function oneStep(step: Change, at: (path: string) => string): Asking[] {
  switch (step.kind) {
    case 'write':
    case 'append': {
      const mode = step.kind === 'write' ? 'overwrite' : 'append'
      const lines = { filepath: at(step.path), content: step.text, truncating: step.kind === 'write' }
      return [
        ...execute('file_write', { file_path: at(step.path), content: step.text, mode }),
        { api: 'xagent', tool: 'FileSystemEnv_write_to_file', args: lines },
      ]
    }
    case 'edit': {
      const lines = { start_line: step.line, end_line: step.line, new_content: step.text }
      return execute('file_replace_lines', { file_path: at(step.path), ...lines })
    }
    case 'delete':
      return execute('file_delete', { file_path: at(step.path) })
    case 'mkdir':
      return execute('dir_create', { dir_path: at(step.path) })
    case 'move':
    case 'copy':
      return execute(`file_${step.kind}`, { src_path: at(step.from), dest_path: at(step.to) })
    case 'lock':
      return execute('file_lock', { file_path: at(step.path), locker_name: 'drill' })
    case 'unlock':
      return execute('file_unlock', { file_path: at(step.path), unlocker_name: 'drill' })
  }
}

/** A call by each of the two APIs that have the tools' own names. */
const execute = (tool: string, args: object): Asking[] => [
  { api: 'toolserver', tool, args },
  { api: 'v1', tool, args },
]

/** The command for one step. Files and lines appear whole: one that is killed leaves a file named by `partOf` at most. */
function commandOf(id: number, step: Change, at: (path: string) => string): string {
  switch (step.kind) {
    case 'mkdir':
      return `mkdir -p ${at(step.path)}`
    case 'delete':
      return `rm ${at(step.path)}`
    case 'append':
      return `printf %s '${step.text}' >> ${at(step.path)}`
    case 'write': {
      const count = step.text.split('\n').length - 1
      const part = `${at(step.path)}${partOf(id)}`
      if (step.text !== linesOf(id, step.path, count)) throw new Error('a command writes lines of its operation only')
      const lines = `BEGIN { for (i = 0; i < ${count}; i++) print "operation ${id} ${step.path} " i }`
      return `awk '${lines}' > ${part} && mv -f ${part} ${at(step.path)}`
    }
    default:
      throw new Error(`no command does ${step.kind}`)
  }
}

const partOf = (id: number) => `.part-${id}`

/** The id of the operation that a file in the making belongs to. */
export function operationOfPart(path: string): number | null {
  const id = /\.part-(\d+)$/.exec(path)?.[1]
  return id === undefined ? null : Number(id)
}

export function requestOf({ api, tool, args }: Asking, { session, node }: Place): HttpRequest {
  const json = (path: string, body: object, headers = {}): HttpRequest => ({
    ...{ method: 'POST', path, body: Buffer.from(JSON.stringify(body)) },
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  switch (api) {
    case 'toolserver':
      return json('/api/tool/execute', { task_id: session, tool_name: tool, params: args })
    case 'v1':
      return json(`/v1/sessions/${session}/calls`, { tool, args })
    case 'xagent':
      return json('/execute_tool', { tool_name: tool, arguments: args }, { Cookie: `node_id=${node}` })
  }
}
