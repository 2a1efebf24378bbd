import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { docx, paragraph } from '../../../support/documents.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** What the script of a conversion uses, and none of the programs that may be installed here. */
const BASICS = ['bash', 'mkdir', 'mktemp', 'rm', 'cp', 'cat', 'sleep']

/**
 * A machine with programs in the place of LibreOffice and pandoc. Real ones were seen to behave as these do: LibreOffice
 * puts FILE's name with the new extension into --outdir, and ends with 0 whether or not it could read the file.
 */
function machine(programs: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'bin'))
  for (const name of BASICS) symlinkSync(`/bin/${name}`, join(directory, 'bin', name))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(directory, 'bin', name), `#!/bin/bash\n${script}\n`)
    chmodSync(join(directory, 'bin', name), 0o755)
  }
  writeFileSync(join(directory, 'made.docx'), docx(paragraph('Converted', '<w:pStyle w:val="H1"/>')))
  return { ...toolbench(catalog, { PATH: join(directory, 'bin'), MADE: join(directory, 'made.docx') }), directory }
}

const SOFFICE = `while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; [ "$1" = --convert-to ] && to=$2; shift; done
file=\${1##*/}; [ -f "$1" ] && cp "$MADE" "$out/\${file%.*}.$to"; exit 0`

it('reads old Word documents by way of LibreOffice, and leaves nothing in the task', async () => {
  const { data, put, workspace } = machine({ soffice: SOFFICE })
  await put("upload/it's -old.doc", 'binary')
  expect(await data('parse_document', { file_path: "upload/it's -old.doc" })).toMatchObject({
    content: '# Converted',
    metadata: { file_type: '.doc', paragraphs: 1, title: 'The title' },
    file_path: "upload/it's -old.doc",
  })
  const { entries } = workspace.list(ROOT, { recursive: true })
  expect(entries.map(({ path }) => path)).toEqual(['upload', "upload/it's -old.doc"])
})

it('reads two at once, each with a profile of its own', async () => {
  const { data, put, runner } = machine({ soffice: SOFFICE })
  await put('a.odt', 'x')
  await put('b.rtf', 'x')
  for (const file_path of ['a.odt', 'b.rtf']) {
    expect(await data('parse_document', { file_path })).toMatchObject({ content: '# Converted' })
  }
  expect(
    runner.commands.every(({ script }) => script.includes('mktemp -d') && script.includes('UserInstallation')),
  ).toBe(true)
})

it('does not believe an exit code of 0 when nothing was made', async () => {
  const { failure, put, workspace } = machine({ soffice: 'echo "Error: source file could not be loaded" >&2; exit 0' })
  await put('a.ppt', 'garbage')
  const { code, message } = await failure('parse_document', { file_path: 'a.ppt' })
  expect(code).toBe('invalid_input')
  expect(message).toMatch(/^Failed to parse \.ppt file: it could not be converted: .*save it as \.pptx/)
  expect(workspace.list(ROOT, {}).entries).toHaveLength(1)
})

it('takes pandoc where there is no LibreOffice and pandoc reads the format', async () => {
  const pandoc = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done; echo "# By pandoc" > "$out"'
  const { data, failure, put } = machine({ pandoc })
  await put('a.rtf', '{\\rtf1 x}')
  await put('a.doc', 'x')
  expect(await data('parse_document', { file_path: 'a.rtf' })).toMatchObject({
    content: '# By pandoc\n',
    metadata: { file_type: '.rtf' },
  })
  expect((await failure('parse_document', { file_path: 'a.doc' })).message).toMatch(/no LibreOffice/)
})

it.each([
  ['a.doc', /the sandbox has no LibreOffice to read it; install the Debian package libreoffice-writer-nogui /],
  ['a.odp', /the Debian package libreoffice-impress-nogui /],
  ['a.ods', /the Debian package libreoffice-calc-nogui /],
  ['a.odt', /no LibreOffice or pandoc .* libreoffice-writer-nogui or pandoc /],
])('names the package to install when %s finds no program', async (name, why) => {
  const { failure, put } = machine({})
  await put(name, 'x')
  const { code, message } = await failure('parse_document', { file_path: name })
  expect(code).toBe('upstream')
  expect(message).toMatch(why)
})

it('needs no sandbox for what is read in the Worker', async () => {
  const { data, put, runner } = machine({})
  await put('a.docx', docx(paragraph('text')))
  await data('parse_document', { file_path: 'a.docx' })
  expect(runner.commands).toEqual([])
})
