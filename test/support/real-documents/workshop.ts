import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Documents made by other programs on this machine, which `node scripts/setup.mjs --tests` installs. */
export interface Workshop {
  write(name: string, content: string | Uint8Array): Promise<void>
  read(name: string): Promise<Uint8Array>
  pandoc(from: string, to: string, ...options: string[]): Promise<void>
  /** Converts all files by one start of LibreOffice. The name stays, the extension changes. */
  convert(to: string, ...files: string[]): Promise<void>
  /** Twice, for contents and references. */
  latex(engine: 'pdflatex' | 'xelatex', file: string): Promise<void>
  /** Text that pdftotext, which shares no code with ours, reads of a PDF. */
  pdfText(file: string): Promise<string>
  close(): Promise<void>
}

const run = promisify(execFile)

export async function openWorkshop(): Promise<Workshop> {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-documents-'))
  const start = async (program: string, args: readonly string[]) => {
    const { stdout } = await run(program, [...args], { cwd: directory, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  }
  return {
    write: (name, content) => writeFile(join(directory, name), content),
    read: async (name) => new Uint8Array(await readFile(join(directory, name))),
    pandoc: async (from, to, ...options) => void (await start('pandoc', ['-s', from, '-o', to, ...options])),
    async convert(to, ...files) {
      const out = join(directory, `.${crypto.randomUUID()}`)
      await mkdir(out)
      const profile = `-env:UserInstallation=file://${directory}/.profile`
      await start('soffice', [profile, '--headless', '--norestore', '--convert-to', to, '--outdir', out, ...files])
      // LibreOffice ends with 0 whatever happened.
      const made = await readdir(out)
      if (made.length !== files.length) throw new Error(`LibreOffice made ${made.length} of ${files.length} as ${to}`)
      for (const name of made) await writeFile(join(directory, name), await readFile(join(out, name)))
    },
    async latex(engine, file) {
      for (let time = 0; time < 2; time++) await start(engine, ['-interaction=batchmode', '-halt-on-error', file])
    },
    pdfText: (file) => start('pdftotext', ['-raw', file, '-']),
    close: () => rm(directory, { recursive: true, force: true }),
  }
}
