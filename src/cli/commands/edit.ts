import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NotFoundError, PreconditionFailedError, SessionNotFoundError } from '../../client/index.ts'
import { command } from '../command.ts'
import { nameOf, placeOf } from '../copy/place.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'

/** Most bytes of a file that is edited: an editor holds it. */
const MAX_EDITED_BYTES = 20 * 2 ** 20

/** Exit code of a shell for a program that is not there. */
const NOT_FOUND = 127

export const edit = command({
  summary: 'Edit a file of a session in an editor of yours',
  details: `The editor is $VISUAL, else $EDITOR, else vi. When it ends, a changed file is written back, but only if nobody has changed it
meanwhile: else nothing is written, and the path of your text is printed. A file that is not there is made. A file that was not
changed is not written; so is none where the editor fails.`,
  arguments: [{ name: 'SESSION:PATH', help: 'the file', completes: 'session-files' }],
  options: {},
  examples: [
    { args: 'edit lakes:notes.md', does: 'in the usual editor' },
    { args: 'edit lakes:config.json', does: 'with EDITOR="code --wait" in the environment: in Visual Studio Code' },
  ],
  async run({ positionals: [text = ''], client, output, env, cwd, signal }) {
    const place = placeOf(text)
    if (place.kind !== 'session' || place.isDirectory)
      throw usageError(`"${text}" names no file of a session`, 'write it as SESSION:PATH')
    const { path, session } = place
    const { files } = (await client()).sessions.open(session)
    const before = await files.open(path, { signal }).then(
      async (answer) => {
        const isLarge = Number(answer.headers.get('Content-Length') ?? 0) > MAX_EDITED_BYTES
        if (isLarge)
          throw new CliError(`the file has more than ${MAX_EDITED_BYTES} bytes`, 'take it with `toolyard cp`')
        const content = Buffer.from(await answer.arrayBuffer())
        // The tag of a content is its digest. A proxy that packs answers makes the header's a weak one, which no condition matches.
        return { content, etag: `"${createHash('sha256').update(content).digest('hex')}"` }
      },
      (error: unknown) => {
        if (error instanceof NotFoundError && !(error instanceof SessionNotFoundError)) return null
        throw error
      },
    )

    const directory = await mkdtemp(join(tmpdir(), 'toolyard-edit-'))
    const draft = join(directory, nameOf(path))
    let isKept = false
    try {
      await writeFile(draft, before?.content ?? '', { mode: 0o600 })
      const editor = env.VISUAL || env.EDITOR || 'vi'
      const status = await edited(editor, draft, { env, cwd })
      isKept = status !== 0
      if (status !== 0)
        throw new CliError(
          `the editor "${editor}" ended with ${status}, so nothing is written; your text is ${draft}`,
          status === NOT_FOUND ? 'set VISUAL or EDITOR to an editor that is there' : '',
        )
      const after = await readFile(draft)
      const isUnchanged = before ? after.equals(before.content) : after.length === 0
      if (isUnchanged) {
        await output.result({ path, changed: false }, '')
        if (!output.isJson) await output.note('unchanged')
        return EXIT.good
      }
      isKept = true
      const condition = before ? { ifMatch: before.etag } : { ifNoneMatch: '*' }
      const written = await files.write(path, after, { ...condition, signal })
      isKept = false
      await output.result({ ...written, changed: true }, '')
      if (!output.isJson) await output.note(`wrote ${session}:${path}`)
      return EXIT.good
    } catch (error) {
      if (error instanceof PreconditionFailedError)
        throw new CliError(
          `${session}:${path} was changed meanwhile: nothing is written; your text is ${draft}`,
          `edit it anew, or replace it with \`toolyard cp ${draft} ${session}:${path}\``,
          EXIT.refused,
        )
      if (isKept && !(error instanceof CliError)) await output.note(`your text is ${draft}`)
      throw error
    } finally {
      if (!isKept) await rm(directory, { recursive: true, force: true })
    }
  },
})

/** Exit code of an editor. Its words are those of a shell, as in `code --wait`. @throws CliError where it cannot be started */
function edited(
  editor: string,
  path: string,
  { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd: string },
): Promise<number> {
  const isWindows = process.platform === 'win32'
  const [program, args] = isWindows ? [`${editor} "${path}"`, []] : ['/bin/sh', ['-c', `${editor} "$1"`, editor, path]]
  const child = spawn(program, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv, cwd, shell: isWindows })
  // Ctrl-C is a key of the editor's own meanwhile, and goes to both.
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[]
  process.removeAllListeners('SIGINT').on('SIGINT', ignore)
  const restore = () => {
    process.removeListener('SIGINT', ignore)
    for (const listener of listeners) process.on('SIGINT', listener)
  }
  const status = new Promise<number>((resolve, reject) => {
    child.on('error', (error) => reject(new CliError(`the editor cannot be started: ${error.message}`, 'set EDITOR')))
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)))
  })
  return status.finally(restore)
}

const ignore = () => {}
