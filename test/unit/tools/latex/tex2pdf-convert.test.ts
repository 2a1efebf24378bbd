import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** What the script uses besides TeX Live, none of which the machine has but what a test puts there. */
const BASICS = [
  ...['bash', 'awk', 'basename', 'cat', 'cp', 'dirname', 'find', 'grep', 'head', 'mkdir', 'mktemp', 'mv', 'rm', 'sed'],
  ...['sleep', 'tail', 'timeout', 'touch', 'xargs'],
]

function machine(programs: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'bin'))
  for (const name of BASICS) symlinkSync(`/usr/bin/${name}`, join(directory, 'bin', name))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(directory, 'bin', name), `#!/bin/bash\n${script}\n`)
    chmodSync(join(directory, 'bin', name), 0o755)
  }
  return toolbench(catalog, { PATH: join(directory, 'bin') })
}

const DOCUMENT = '\\documentclass{article}\\begin{document}x\\end{document}'

it('names the Debian packages of the programs that the sandbox lacks', async () => {
  const nothing = machine({})
  await nothing.put('x/main.tex', DOCUMENT)
  const missing = await nothing.failure('tex2pdf_convert', { input_path: 'x', engine: 'xelatex' })
  expect(missing).toMatchObject({
    code: 'upstream',
    message: expect.stringMatching(
      /no latexmk and no xelatex; .*latexmk texlive-xetex texlive-lang-chinese .*--with latex/,
    ),
  })
  const some = machine({ latexmk: '', pdflatex: '' })
  await some.put('x/main.tex', DOCUMENT)
  expect((await some.failure('tex2pdf_convert', { input_path: 'x', engine: 'lualatex' })).message).toMatch(
    /no lualatex; .* texlive-luatex /,
  )
})

it('says so when nothing was made and no log says why, whatever the exit code', async () => {
  const { failure, put, content } = machine({ latexmk: 'echo "this went wrong"; exit 0', pdflatex: '' })
  await put('x/main.tex', DOCUMENT)
  await put('x/main.pdf', 'an earlier one')
  expect((await failure('tex2pdf_convert', { input_path: 'x' })).message).toBe(
    'LaTeX to PDF conversion failed: x/main.tex was not compiled, and the log does not say why\nthe whole log is in logs/tex2pdf_convert-main.log\nthe earlier PDF is left as it was',
  )
  expect(await content('x/main.pdf')).toBe('an earlier one')
  expect(await content('logs/tex2pdf_convert-main.log')).toContain('this went wrong')
})

it('keeps an error short, however much TeX wrote', async () => {
  const latexmk = `for last; do case $last in -outdir=*) out=\${last#-outdir=};; esac; done
for ((at = 1; at < 9999; at++)); do echo "./main.tex:$at: Undefined control sequence."; echo "l.$at \\\\wrong"; echo; done > "$out/main.log"; exit 12`
  const { failure, put } = machine({ latexmk, pdflatex: '' })
  await put('x/main.tex', DOCUMENT)
  const { message, data } = await failure('tex2pdf_convert', { input_path: 'x' })
  expect(message.length).toBeLessThan(5_000)
  expect(message).toContain('x/main.tex:1: Undefined control sequence \\wrong')
  expect(data?.errors).toHaveLength(8)
})

it('names the PDF that it made, and none that was there before', async () => {
  const latexmk = `for last; do case $last in -outdir=*) out=\${last#-outdir=};; esac; done; echo pdf > "$out/main.pdf"; echo "Output written on main.pdf (1 page)." > "$out/main.log"`
  const { data, put } = machine({ latexmk, pdflatex: '' })
  await put('x/main.tex', DOCUMENT)
  await put('x/figure.pdf', 'a figure')
  expect(await data('tex2pdf_convert', { input_path: 'x' })).toMatchObject({ pdf_files: ['x/main.pdf'] })
})

it.each([
  [{ input_path: 'notes/plan.md' }],
  [{ input_path: 'notes' }],
  [{ input_path: 'notes', tex_filename: 'plan.md' }],
])('refuses Markdown, and says what to use: %j', async (args) => {
  const { failure, put } = machine({})
  await put('notes/plan.md', '# Plan')
  expect(await failure('tex2pdf_convert', args)).toEqual({
    code: 'invalid_input',
    message:
      'plan.md is Markdown, and this compiles LaTeX only; make LaTeX of it with execute_shell (pandoc -s plan.md -o plan.tex), or write it as LaTeX, and compile that',
  })
})

const MAKES = `for last; do case $last in -outdir=*) out=\${last#-outdir=};; esac; done; echo pdf > "$out/main.pdf"; echo "Output written on main.pdf (1 page)." > "$out/main.log"`

it('puts the PDF where a path that ends with .pdf says, and leaves others', async () => {
  const { data, put, content } = machine({ latexmk: MAKES, pdflatex: '' })
  await put('x/main.tex', DOCUMENT)
  await put('out/main.pdf', 'another')
  expect(await data('tex2pdf_convert', { input_path: 'x', output_path: 'out/paper.pdf' })).toMatchObject({
    pdf_files: ['out/paper.pdf'],
    pdf_file: 'out/paper.pdf',
  })
  expect(await content('out/paper.pdf')).toBe('pdf\n')
  expect(await content('out/main.pdf')).toBe('another')
  expect(await content('x/main.pdf')).toBeNull()
})

it('takes latexmk for the engine that it runs, and says which', async () => {
  const { data, failure, put } = machine({ latexmk: MAKES, pdflatex: '' })
  await put('x/main.tex', DOCUMENT)
  expect(await data('tex2pdf_convert', { input_path: 'x', engine: 'latexmk' })).toMatchObject({
    engine: 'pdflatex',
    notes: ['latexmk runs the engine, which is pdflatex here'],
  })
  expect((await failure('tex2pdf_convert', { input_path: 'x', engine: 'tectonic' })).message).toBe(
    'LaTeX引擎 tectonic 不可用: the LaTeX engine tectonic is not available; engine is one of pdflatex, xelatex, lualatex',
  )
})
