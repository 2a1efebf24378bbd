import type { ServerEvent, Session } from '../../client/index.ts'
import { CallFailedError } from '../../client/index.ts'
import { type CommandContext, command } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { CliError, explain, usageError } from '../failure.ts'
import { readInput } from '../read-input.ts'
import { shellLine } from '../shell-words.ts'
import { given, integerOf, pairsOf } from '../values.ts'

/** Seconds that a command may take unless said: who waits at a terminal ends it by Ctrl-C. */
const USUAL_SECONDS = 3_600
/** Most seconds that the server lets a command take. */
const MAX_SECONDS = 82_800
/** Most bytes of standard input that the server takes for a command. */
const MAX_STDIN_BYTES = 64 * 1_024
/** Most characters of output that the answer of a call has. */
const MAX_ANSWER_CHARS = 65_536

const options = {
  create: { type: 'boolean', short: 'c', help: 'make the session if there is none of that name' },
  workdir: { type: 'string', short: 'w', value: 'DIR', help: 'directory to run in; that of the files unless said' },
  env: {
    type: 'string',
    short: 'e',
    value: 'NAME=VALUE',
    multiple: true,
    help: 'an environment variable of the command',
  },
  interactive: { type: 'boolean', short: 'i', help: 'pass standard input on, 64 KiB at most, read to its end first' },
  timeout: { type: 'string', short: 't', value: 'SECONDS', help: 'end it after so long, 3600 unless said' },
} as const

type Context = CommandContext<typeof options>

export const exec = command({
  summary: 'Run a command in a session',
  details: `The command runs in bash, in the directory of the session's files. Output comes while it runs, each to its own stream,
as it is: escape sequences for the terminal too. The exit code is that of the command; 125 where it did not run, 124 where its time was up.
Ctrl-C ends it, with all that it started.

Several arguments are one command and its arguments, and no shell looks into them; one argument is a line of bash.
Options of exec stand before the command. Without a session the command runs in a throw-away one, which is deleted behind it; \`--\` must
stand before the command then. Text alone passes, and of output that comes faster than 64 KiB a second a part is left out, which is
said: for much, or for bytes, let it write a file and take that with \`toolyard cp\`. There is no terminal for the command.

With --json the answer is one document: exit_code, stdout, stderr and the call.`,
  arguments: [
    {
      name: 'SESSION',
      help: 'name of the session; a throw-away one if left out',
      isOptional: true,
      completes: 'sessions',
    },
  ],
  options,
  takesRest: true,
  examples: [
    { args: 'exec lakes -- python main.py --fast', does: 'a program, with its own options' },
    { args: `exec lakes 'ls | wc -l'`, does: 'a line of bash' },
    { args: 'exec --create -e MODE=test lakes -- pytest -q', does: 'in a session that is made if need be' },
    { args: 'exec -- python -c "print(6 * 7)"', does: 'in a throw-away session' },
    { args: 'exec -i lakes -- sort < names.txt', does: 'with standard input' },
  ],
  async run(context) {
    const { rest, positionals, output, signal } = context
    if (rest.length === 0) {
      const hint = 'write `toolyard exec SESSION -- COMMAND`, or see `toolyard exec --help`'
      throw usageError('exec needs a command', hint)
    }
    // Checked before anything is made.
    const settings = await settingsOf(context)
    try {
      const { session, isThrownAway } = await sessionFor(positionals[0], context)
      try {
        return await ran(session, shellLine(rest), settings, context)
      } finally {
        if (isThrownAway) await session.delete({ maxRetries: 1 }).catch(() => {})
      }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'EPIPE') throw thrown
      const { line, exitCode } = explain(thrown, signal)
      await output.error(line)
      // The command's own codes are what these may not be taken for.
      return exitCode === EXIT.interrupted || exitCode === EXIT.timedOut ? exitCode : EXIT.notRun
    }
  },
})

async function settingsOf({ values, stdin, signal }: Context) {
  const timeout = integerOf(values.timeout, '--timeout', { usual: USUAL_SECONDS, min: 1, max: MAX_SECONDS })
  const env = values.env.length > 0 ? pairsOf(values.env, '--env') : undefined
  const input = values.interactive ? await readInput(stdin, MAX_STDIN_BYTES, 'standard input', signal) : undefined
  const workdir = values.workdir ?? '.'
  return given({ timeout, env, stdin: input?.toString('utf8'), workdir, max_chars: MAX_ANSWER_CHARS, signal })
}

async function sessionFor(name: string | undefined, { values, client, signal }: Context) {
  const { sessions } = await client()
  if (name === undefined) return { session: await sessions.create({}, { signal }), isThrownAway: true }
  if (!values.create) return { session: sessions.open(name), isThrownAway: false }
  return { session: await sessions.create({ name, if_exists: 'return', keep: true }, { signal }), isThrownAway: false }
}

async function ran(
  session: Session,
  line: string,
  settings: Awaited<ReturnType<typeof settingsOf>>,
  { output }: Context,
): Promise<ExitCode> {
  // Writes are made in their order. The first that fails cancels the call, since nobody reads on, and is thrown at the end.
  const unread = new AbortController()
  let writes: Promise<void> = Promise.resolve()
  let failure: unknown
  const write = (work: () => Promise<void>) => {
    writes = writes
      .then(() => (failure === undefined ? work() : undefined))
      .catch((error: unknown) => {
        failure ??= error
        unread.abort(error)
      })
  }
  let isShown = false
  const show = (text: string, stream: 'stdout' | 'stderr') => {
    isShown ||= text !== ''
    if (!output.isJson) write(() => output.bytes(text, stream))
  }
  const onEvent = ({ type, data }: ServerEvent) => {
    if (type === 'gap' && !output.isJson) write(() => output.note(gapText(data)))
  }
  try {
    const result = await session.run(line, {
      ...settings,
      signal: settings.signal ? AbortSignal.any([settings.signal, unread.signal]) : unread.signal,
      onStdout: (text) => show(text, 'stdout'),
      onStderr: (text) => show(text, 'stderr'),
      onEvent,
    })
    const { exitCode, stdout, stderr, call } = result
    if (output.isJson) await output.result({ exit_code: exitCode, stdout, stderr, call }, '')
    else if (!isShown) {
      show(stdout, 'stdout')
      show(stderr, 'stderr')
    }
    await writes
    if (failure !== undefined) throw failure
    return exitCode >= 0 && exitCode <= 255 ? exitCode : EXIT.failed
  } catch (thrown) {
    await writes
    if (failure !== undefined) throw failure
    if (thrown instanceof CallFailedError && thrown.code === 'timeout')
      throw new CliError(`not done after ${settings.timeout} seconds`, 'give it longer with --timeout', EXIT.timedOut)
    throw thrown
  }
}

function gapText(data: unknown): string {
  const { skipped_bytes, stream } = data as { skipped_bytes?: number; stream?: string }
  const what = skipped_bytes === undefined ? 'some output' : `${skipped_bytes} bytes of ${stream ?? 'output'}`
  return `\n[${what} left out: it came too fast; let the command write a file, and take it with \`toolyard cp\`]`
}
