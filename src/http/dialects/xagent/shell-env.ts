import * as z from 'zod'
import { SHELL_COMMAND_MS } from '../../../core/limits/consoles.ts'
import type { Result } from '../../../core/outcome.ts'
import type { Env, Parameter, XAgentTool } from './tools.ts'

const waitMs: Parameter = {
  name: 'wait_ms',
  type: 'integer',
  description: 'Answer after so many milliseconds although it still runs; it goes on then.',
  optional: true,
  hidden: true,
  as: 'wait_ms',
}

export const SHELL_ENV: Env = {
  name: 'ShellEnv',
  description:
    'An interactive bash that keeps its directory, variables and programs between calls. It starts in the root of the workspace.',
  tools: [
    {
      name: 'read_stdout',
      tool: 'shell_read',
      description: 'Read what the shell printed since it was last asked.',
      parameters: [
        {
          name: 'probe',
          type: 'boolean',
          description: 'True to be told to ask again while there is no output. Default: false.',
          optional: true,
          as: 'probe',
        },
        waitMs,
      ],
      value: ({ text }) => text,
    },
    {
      name: 'write_stdin',
      tool: 'shell_write',
      description:
        'Write a line to the shell, and return what it prints at once.\nWhat comes later is read by ShellEnv_read_stdout.',
      parameters: [
        { name: 'content', type: 'string', description: 'The line, without its end.', as: 'content' },
        {
          name: 'restart',
          type: 'boolean',
          description: 'True to end the shell and start a new one first. Default: false.',
          optional: true,
          as: 'restart',
        },
        waitMs,
      ],
      value: ({ text }) => `Instant shell output: ${text}`,
    },
  ],
}

const Command = z.object({
  shell_id: z.int().optional(),
  status: z.string().optional(),
  exit_code: z.int().optional(),
  stdout: z.string(),
  stderr: z.string(),
  notes: z.array(z.string()).optional(),
})

const Closed = z.object({ closed: z.literal(true) })

export const SHELL_FUNCTIONS: readonly XAgentTool[] = [
  {
    name: 'run_interpreter',
    tool: 'interpreter_run',
    description:
      'Write code to a file of the workspace and run it there with Python, or with a command. Returns the exit code and the ' +
      `output. It is stopped after ${SHELL_COMMAND_MS / 1000} seconds.`,
    parameters: [
      {
        name: 'code',
        type: 'string',
        description: 'What the file gets. Default: the file stays as it is.',
        optional: true,
        as: 'code',
      },
      {
        name: 'command',
        type: 'string',
        description: 'The shell command to run. Default: python with the file.',
        optional: true,
        as: 'command',
      },
      {
        name: 'filename',
        type: 'string',
        description: 'The file, relative to the root of the workspace. Default: main.py.',
        optional: true,
        as: 'filename',
      },
    ],
    value: ({ data }) => {
      const { exit_code, stdout, stderr } = Command.parse(data)
      return { ReturnCode: exit_code, ...(stderr && { Error: stderr }), ...(stdout && { Output: stdout }) }
    },
  },
  {
    name: 'shell_command_executor',
    tool: 'shell_command',
    description:
      `Run a bash command in the root of the workspace and return its exit code and output; its end is waited for ${SHELL_COMMAND_MS / 1000} seconds.\n` +
      'With run_async it is started only; read on, write to it or kill it by its shell_id.',
    parameters: [
      {
        name: 'command',
        type: 'string',
        description: 'The command. Default: none, to read or end a shell.',
        optional: true,
        as: 'command',
      },
      {
        name: 'run_async',
        type: 'boolean',
        description: 'True to leave it running, for servers and what takes long. Default: false.',
        optional: true,
        as: 'run_async',
      },
      {
        name: 'shell_id',
        type: 'integer',
        description: 'A shell that runs: it gets the command, or is read when there is none. Default: a new shell.',
        optional: true,
        as: 'shell_id',
      },
      {
        name: 'kill',
        type: 'boolean',
        description: 'True to end the shell. Default: false.',
        optional: true,
        as: 'kill',
      },
      waitMs,
      {
        name: 'timeout',
        type: 'integer',
        description: `Seconds that are waited for the end, at most ${SHELL_COMMAND_MS / 1000}. Default: ${SHELL_COMMAND_MS / 1000}.`,
        optional: true,
        hidden: true,
        as: 'timeout',
      },
    ],
    value: ({ data }) => {
      const { shell_id, status, exit_code, notes } = Command.parse(data)
      return {
        ...(shell_id !== undefined && { shell_id }),
        ...(exit_code !== undefined && { ReturnCode: exit_code }),
        display: display(data),
        ...(status !== undefined && { status }),
        ...(notes && { notes }),
      }
    },
    failed: (answer) => {
      if ('failure' in answer) {
        const { code, message, data } = answer.failure
        if (Closed.safeParse(data).success) return { Error: message }
        return code === 'timeout' && data ? `${message}${display(data)}` : undefined
      }
      const { shell_id, exit_code } = Command.parse(answer.result.data)
      const isFailure = shell_id === undefined && exit_code !== undefined && exit_code !== 0
      return isFailure ? { ReturnCode: exit_code, display: display(answer.result.data) } : undefined
    },
  },
]

/** Text of both streams, each under its name. */
function display(data: Result['data']): string {
  const { stdout, stderr } = Command.parse(data)
  return `${stdout && `\nstdout:\n${stdout}`}${stderr && `\nstderr:\n${stderr}`}`
}
