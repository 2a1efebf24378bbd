import { basename, resolve } from 'node:path'
import { NotFoundError, type Session, SessionNotFoundError } from '../../client/index.ts'
import { type CommandContext, command } from '../command.ts'
import { download } from '../copy/download.ts'
import { FILE_TIMEOUT_MS, MAX_PIPED_BYTES } from '../copy/limits.ts'
import { nameOf, type Place, placeOf } from '../copy/place.ts'
import { bytesOf } from '../copy/response-bytes.ts'
import { type Copied, upload } from '../copy/upload.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { byteText } from '../output/numbers.ts'
import { readInput } from '../read-input.ts'

type Remote = Extract<Place, { kind: 'session' }>

const options = {
  create: { type: 'boolean', short: 'c', help: 'make the session if there is none of that name' },
} as const

type Context = CommandContext<typeof options>

export const cp = command({
  summary: 'Copy files and directories into a session, or out of it',
  details: `One end is SESSION:PATH, the other a path here, or - for standard input or output. Paths of a session begin at the directory of its
files, in which \`toolyard exec\` runs, too. What is copied goes into a directory that is there, or whose path ends with /;
else it gets the name that is given. Directories are copied with all below them; files that are there are replaced.

Files of up to 512 MiB are streamed; what comes by standard input has 28 MiB at most. Links are left out, which is said, and
modes of files are not kept. With - the bytes pass as they are: escape sequences for the terminal too.`,
  arguments: [
    { name: 'FROM', help: 'SESSION:PATH, a path, or -', completes: 'session-files' },
    { name: 'TO', help: 'SESSION:PATH, a path, or -', completes: 'session-files' },
  ],
  options,
  examples: [
    { args: 'cp data.csv lakes:upload/', does: 'a file into a session' },
    { args: 'cp ./project lakes:', does: 'a directory, as project/ of the session' },
    { args: 'cp lakes:code_run/plot.png .', does: 'a file out of a session' },
    { args: 'cp lakes:notes.md - | less', does: 'to standard output' },
  ],
  async run(context) {
    const [from, to] = context.positionals.map((text) => placeOf(text)) as [Place, Place]
    if (to.kind === 'session' && from.kind !== 'session') return into(to, from, context)
    if (from.kind === 'session' && to.kind !== 'session') return outOf(from, to, context)
    const hint =
      from.kind === 'session'
        ? 'copy within a session by `toolyard call SESSION file_copy`, between two by way of a file here'
        : 'write one of them as SESSION:PATH'
    throw usageError('cp is between a session and this machine', hint)
  },
})

async function into(to: Remote, from: Exclude<Place, Remote>, context: Context): Promise<ExitCode> {
  const { client, output, stdin, signal, values } = context
  const { sessions } = await client()
  if (values.create) await sessions.create({ name: to.session, if_exists: 'return', keep: true }, { signal })
  const session = sessions.open(to.session)
  if (from.kind === 'stdio') {
    if (to.isDirectory)
      throw usageError(`${to.session}:${to.path} is a directory`, 'give what comes by - the name of a file')
    const bytes = await readInput(stdin, MAX_PIPED_BYTES, 'standard input', signal)
    await session.files.write(to.path, bytes, { signal, timeoutMs: FILE_TIMEOUT_MS })
    return reported({ files: 1, bytes: bytes.length, left_out: [] }, context)
  }
  const isInto = to.isDirectory || (await isDirectory(session, to.path, signal))
  const bar = output.progress(`${basename(resolve(from.path))} to ${to.session}`, null)
  try {
    return await reported(
      await upload(session, from.path, { to: to.path, isInto, report: bar.update, signal }),
      context,
      bar.end,
    )
  } finally {
    bar.end()
  }
}

async function outOf(from: Remote, to: Exclude<Place, Remote>, context: Context): Promise<ExitCode> {
  const { client, output, signal } = context
  const session = (await client()).sessions.open(from.session)
  if (to.kind === 'stdio') {
    const answer = await session.files.open(from.path, { signal, timeoutMs: FILE_TIMEOUT_MS })
    for await (const chunk of bytesOf(answer)) await output.bytes(chunk as Uint8Array)
    return EXIT.good
  }
  const bar = output.progress(`${nameOf(from.path) || 'files'} from ${from.session}`, null)
  try {
    return await reported(await download(session, from.path, to.path, { report: bar.update, signal }), context, bar.end)
  } finally {
    bar.end()
  }
}

async function isDirectory(session: Session, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await session.files.list(path, { limit: 1 }, { signal }).page()
    return true
  } catch (error) {
    if (error instanceof SessionNotFoundError) throw error
    if (error instanceof NotFoundError || (error as { code?: string }).code === 'invalid_input') return false
    throw error
  }
}

async function reported(copied: Copied, { output }: Context, end = () => {}): Promise<ExitCode> {
  end()
  for (const path of copied.left_out) await output.note(`left out: ${path} is a link, or no file`)
  if (output.isJson) await output.result(copied, '')
  else
    await output.note(
      `copied ${copied.files} ${copied.files === 1 ? 'file' : 'files'}${copied.bytes > 0 ? `, ${byteText(copied.bytes)}` : ''}`,
    )
  return EXIT.good
}
