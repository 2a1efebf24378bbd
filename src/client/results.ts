import type { CallAnswer } from './calls.ts'

/** Result of a command. An exit code other than 0 is a result. */
export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** The same as a text for a model. */
  readonly text: string
  readonly call: CallAnswer
}

/** A picture that a program showed. */
export interface Picture {
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Result of Python as a cell of the session's notebook. */
export interface PythonResult {
  readonly stdout: string
  readonly stderr: string
  /** The value of the last expression as text; null without one. */
  readonly value: string | null
  readonly images: readonly Picture[]
  /** The exception that ended the code; null without one. */
  readonly error: { readonly name: string; readonly traceback: string } | null
  /** All of it as a text for a model. */
  readonly text: string
  /** Outputs as a notebook has them (nbformat 4). */
  readonly outputs: readonly Output[]
  readonly call: CallAnswer
}

/** Output of a cell, as nbformat 4 has it. */
export interface Output {
  readonly output_type: string
  readonly name?: string
  readonly text?: string
  readonly data?: Readonly<Record<string, string | readonly string[]>>
}

export function commandResult(call: CallAnswer): CommandResult {
  const { exit_code, stdout, stderr } = call.data as { exit_code: number; stdout: string; stderr: string }
  return { exitCode: exit_code, stdout, stderr, text: call.text ?? '', call }
}

export function pythonResult(call: CallAnswer): PythonResult {
  const { outputs = [], error = null } = (call.data ?? {}) as {
    outputs?: readonly Output[]
    error?: PythonResult['error']
  }
  const printed = (stream: string) => outputs.map(({ name, text = '' }) => (name === stream ? text : '')).join('')
  const value = outputs.find(({ output_type }) => output_type === 'execute_result')?.data?.['text/plain']
  return {
    stdout: printed('stdout'),
    stderr: printed('stderr'),
    value: value === undefined ? null : joined(value),
    images: outputs.flatMap(({ data = {} }) =>
      Object.entries(data).flatMap(([mediaType, content]) => pictureOf(mediaType, joined(content))),
    ),
    error,
    text: call.text ?? '',
    outputs,
    call,
  }
}

/** A text of a notebook, which may have come as lines. */
const joined = (text: string | readonly string[]): string => (typeof text === 'string' ? text : text.join(''))

/** Picture in a notebook: base64, but SVG, which is text. */
function pictureOf(mediaType: string, content: string): Picture[] {
  if (!mediaType.startsWith('image/')) return []
  const bytes = mediaType.startsWith('image/svg')
    ? Uint8Array.from(new TextEncoder().encode(content))
    : Uint8Array.from(atob(content.replace(/\s/g, '')), (character) => character.charCodeAt(0))
  return [{ mediaType, bytes }]
}
