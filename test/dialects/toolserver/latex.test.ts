import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { Pace } from '../../support/pace.ts'
import { COMMANDS } from './published-commands.ts'
import { aToolServer, type Task, verifies } from './support.ts'

// TeX Live is real here: `node scripts/setup.mjs --tests` installs it.
const server = aToolServer()

const document = (body: string, { type = 'article', preamble = '' } = {}) =>
  `\\documentclass{${type}}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`

async function write(task: Task, files: Readonly<Record<string, string>>) {
  for (const [path, content] of Object.entries(files)) await task.write(path, content)
}

/** What a PDF says, by another program than the one that is tested. */
async function textOf(task: Task, path: string): Promise<string> {
  const { exit_code, stdout, stderr } = await task.shell(`pdftotext '${path}' -`, { workdir: '.' })
  expect({ exit_code, stderr }).toEqual({ exit_code: 0, stderr: '' })
  return stdout
}

const listing = async (task: Task, directory: string) =>
  (await task.shell('ls -A', { workdir: directory })).stdout.trim().split('\n')

verifies('toolserver:tex2pdf_convert:published', async () => {
  const task = await server.task()
  await write(task, { 'upload/tex/main.tex': document('第一章一些中文', { type: 'ctexart' }) })
  const command = COMMANDS.tex2pdf_convert.replace('http://localhost:8001', server.url()).replace('my_task', task.id)
  const { stdout } = await promisify(execFile)('bash', ['-c', command])
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    data: {
      input_path: 'upload/tex',
      output_path: 'upload/pdf',
      engine: 'xelatex',
      pdf_files: ['upload/pdf/main.pdf'],
      clean_aux: true,
    },
    tool_name: 'tex2pdf_convert',
  })
  expect(await textOf(task, 'upload/pdf/main.pdf')).toContain('第一章一些中文')
  expect(await listing(task, 'upload/pdf')).toEqual(['main.pdf'])
})

verifies('toolserver:tex2pdf_convert:bibliography', async () => {
  const task = await server.task()
  const refs = '@book{knuth, title={The TeXbook}, author={Donald Knuth}, year=1984, publisher={Addison}}\n'
  await write(task, {
    'bibtex/main.tex': document(
      '\\tableofcontents\\section{One}\\label{one} As \\cite{knuth} says in \\ref{one}.\\index{word}\n\\include{parts/two}\n\\bibliographystyle{plain}\\bibliography{refs}\\printindex',
      { preamble: '\\usepackage{makeidx}\\makeindex' },
    ),
    'bibtex/parts/two.tex': '\\section{Two} In a part.\n',
    'bibtex/refs.bib': refs,
    'biber/main.tex': document('See \\cite{knuth}.\n\\printbibliography', {
      preamble: '\\usepackage[backend=biber]{biblatex}\\addbibresource{refs.bib}',
    }),
    'biber/refs.bib': refs,
    // As arXiv has it: no .bib, but what BibTeX made of one.
    'arxiv/paper.tex': document('See \\cite{knuth}.\n\\bibliography{lost}'),
    'arxiv/paper.bbl': '\\begin{thebibliography}{1}\\bibitem{knuth} Donald Knuth. The TeXbook.\\end{thebibliography}\n',
  })
  for (const [directory, name] of [
    ['bibtex', 'main'],
    ['biber', 'main'],
    ['arxiv', 'paper'],
  ]) {
    const data = await task.done('tex2pdf_convert', { input_path: directory })
    expect(data).toMatchObject({ output_path: directory, engine: 'pdflatex', pdf_files: [`${directory}/${name}.pdf`] })
    expect(data).not.toHaveProperty('warnings')
    const text = await textOf(task, `${directory}/${name}.pdf`)
    expect(text).toMatch(/\[1\]/)
    expect(text).toContain('Knuth. The TeXbook')
    expect(text).not.toContain('??')
  }
  const text = await textOf(task, 'bibtex/main.pdf')
  expect(text).toMatch(/Contents[\s\S]*As \[1\] says in 1\.[\s\S]*In a part[\s\S]*Index[\s\S]*word, 1/)
})

verifies('toolserver:tex2pdf_convert:engines', async () => {
  const task = await server.task()
  await write(task, {
    'x/main.tex': document(
      '\\ifdefined\\XeTeXversion xetex\\else\\ifdefined\\directlua luatex\\else pdftex\\fi\\fi\\ works',
    ),
  })
  for (const [engine, name] of [
    ['pdflatex', 'pdftex'],
    ['xelatex', 'xetex'],
    ['lualatex', 'luatex'],
  ]) {
    expect(await task.done('tex2pdf_convert', { input_path: 'x', engine })).toMatchObject({ engine, pages: 1 })
    expect(await textOf(task, 'x/main.pdf')).toContain(`${name} works`)
  }
  // Here, where LuaTeX has its index of fonts already.
  const lua = ['os.execute("touch ../lua-ran")', 'io.popen("touch ../lua-ran")']
  await task.write(
    'lua/main.tex',
    document(`\\directlua{${lua.map((code) => `pcall(function() ${code} end)`).join(' ')}}text`),
  )
  await task.done('tex2pdf_convert', { input_path: 'lua', engine: 'lualatex' })
  expect(await listing(task, '.')).not.toContain('lua-ran')
  for (const engine of ['latex', 'bash', 'pdflatex -shell-escape', '/usr/bin/python3']) {
    const error = await task.failure('tex2pdf_convert', { input_path: 'x', engine })
    expect(error).toMatch(/LaTeX引擎 .* 不可用.*pdflatex, xelatex, lualatex/)
  }
})

verifies('toolserver:tex2pdf_convert:main-file', async () => {
  const task = await server.task()
  await write(task, {
    'a/Main.TEX': document('the main one'),
    'a/another.tex': document('another'),
    'b/appendix.tex': 'no document\n',
    'b/one.tex': document('number one'),
    'b/two.tex': document('number two'),
    'c/deep/only.tex': document('deep down'),
  })
  const main = async (params: object) => task.done('tex2pdf_convert', { output_path: 'out', ...params })
  expect(await main({ input_path: 'a' })).toMatchObject({ main_file: 'a/Main.TEX' })
  expect(await main({ input_path: 'b' })).toMatchObject({
    main_file: 'b/one.tex',
    notes: [expect.stringMatching(/b\/two\.tex could be meant too/)],
  })
  expect(await main({ input_path: 'b', tex_filename: 'two' })).toMatchObject({
    main_file: 'b/two.tex',
    pdf_file: 'out/two.pdf',
  })
  expect(await main({ input_path: 'c' })).toMatchObject({ main_file: 'c/deep/only.tex' })
  expect(await listing(task, 'out')).toEqual(['Main.pdf', 'one.pdf', 'only.pdf', 'two.pdf'])
  expect(await task.failure('tex2pdf_convert', { input_path: 'b', tex_filename: 'three.tex' })).toMatch(
    /not found in b: three\.tex; there are b\/appendix\.tex, b\/one\.tex, b\/two\.tex/,
  )
})

verifies('toolserver:tex2pdf_convert:aux', async () => {
  const task = await server.task()
  await write(task, { 'x/main.tex': document('\\section{S}\\tableofcontents'), 'x/notes.txt': 'mine' })
  await task.done('tex2pdf_convert', { input_path: 'x', clean_aux: false })
  expect(await listing(task, 'x')).toEqual(expect.arrayContaining(['main.aux', 'main.log', 'main.pdf', 'main.toc']))
  await task.done('tex2pdf_convert', { input_path: 'x', clean_aux: 'true' })
  expect(await listing(task, 'x')).toEqual(['main.pdf', 'main.tex', 'notes.txt'])
})

verifies('toolserver:tex2pdf_convert:errors', async () => {
  const task = await server.task()
  await write(task, { 'x/main.tex': document('good') })
  await task.done('tex2pdf_convert', { input_path: 'x' })
  const failing = async (body: string, options = {}, engine = 'pdflatex') => {
    await task.write('x/main.tex', document(body, options))
    const answer = await task.call('tex2pdf_convert', { input_path: 'x', engine })
    expect(answer).toMatchObject({ success: false, error: expect.stringMatching(/^LaTeX to PDF conversion failed: /) })
    expect(answer.error).not.toMatch(/\.tex2pdf-|\/usr\/share|\/tmp\//)
    return answer
  }

  const undefined_ = await failing('Some text.\n\nThen \\foo bar.')
  expect(undefined_.error).toMatch(/x\/main\.tex:6: Undefined control sequence \\foo \[Then \\foo ⟂ bar\.\]/)
  expect(undefined_.error).toMatch(/whole log is in logs\/tex2pdf_convert-main\.log\nthe earlier PDF is left as it was/)
  expect(undefined_.data).toMatchObject({
    main_file: 'x/main.tex',
    log_file: 'logs/tex2pdf_convert-main.log',
    errors: [{ file: 'x/main.tex', line: 6, message: 'Undefined control sequence \\foo' }],
  })
  expect(await task.read('logs/tex2pdf_convert-main.log')).toMatch(/This is pdfTeX/)
  expect(await textOf(task, 'x/main.pdf')).toContain('good')
  expect(await listing(task, 'x')).toEqual(['main.pdf', 'main.tex'])

  const part = '\\begin{itemize}\n\\item one\n'
  await task.write('x/part.tex', part)
  expect((await failing('\\input{part}')).error).toMatch(/itemize.* on input line 1 ended by \\end\{document\}/)
  expect((await failing('x', { preamble: '\\usepackage{musixtex}' })).error).toMatch(
    /x\/main\.tex:2: LaTeX Error: File `musixtex\.sty' not found\. .*texlive-music/,
  )
  expect((await failing('x', { preamble: '\\usepackage{nonesuch}' })).error).toMatch(
    /nonesuch\.sty.*texlive-latex-extra/,
  )
  await task.write('x/figures/Plot.png', 'no image')
  const graphicx = { preamble: '\\usepackage{graphicx}' }
  expect((await failing('\\includegraphics{figures/Plot.png}', graphicx)).error).toMatch(/libpng.*image is damaged/)
  expect((await failing('\\includegraphics{plot.png}', graphicx)).error).toMatch(
    /x\/main\.tex:4: .*`plot\.png' not found.*the task has x\/figures\/Plot\.png/,
  )
  expect((await failing('中文', { type: 'ctexart' })).error).toMatch(/engine="xelatex"/)
  expect((await failing('中文')).error).toMatch(/Unicode character 中.*engine="xelatex"/)
  expect(
    (await failing('x', { preamble: '\\usepackage{fontspec}\\setmainfont{No Such Font}' }, 'xelatex')).error,
  ).toMatch(/x\/main\.tex:2: Package fontspec Error: .*No Such Font.*fc-list/)
})

verifies('toolserver:tex2pdf_convert:warnings', async () => {
  const task = await server.task()
  await write(task, {
    'x/main.tex': document(
      'See \\ref{nowhere} and \\cite{nobody} and \\cite{knuth}.\n\\bibliographystyle{plain}\\bibliography{refs}\n\\include{absent}',
    ),
    'x/refs.bib': '@book{knuth, title={The TeXbook}, author={Knuth}, year=1984, publisher={A}}\n',
    'broken/main.tex': document(
      'See \\cite{knuth}.\n\\section{S}\\label{s} As \\ref{s} says.\n\\bibliographystyle{plain}\\bibliography{refs}',
    ),
    'broken/refs.bib': '@book{knuth, title={The TeXbook}, author={Knuth}, year=1984\n@book{other, title={x}}\n',
    'font/main.tex': document('Latin and 中文'),
  })
  expect((await task.done('tex2pdf_convert', { input_path: 'x' })).warnings).toEqual([
    'not found, so not in the PDF: absent.tex',
    'undefined references: nowhere',
    'undefined citations: nobody',
  ])
  const broken = await task.done('tex2pdf_convert', { input_path: 'broken' })
  expect(broken.warnings).toEqual(
    expect.arrayContaining([expect.stringMatching(/^bibliography: .*---line 2 of file refs\.bib/)]),
  )
  expect(await textOf(task, 'broken/main.pdf')).toContain('As 1 says')
  expect((await task.done('tex2pdf_convert', { input_path: 'font', engine: 'xelatex' })).warnings).toEqual([
    expect.stringMatching(/^the font lacks these characters, so they are not in the PDF: 中, 文; .*ctexart/),
  ])
})

verifies('toolserver:tex2pdf_convert:safe', async () => {
  const task = await server.task()
  await write(task, {
    'secret.txt': 'outside of the directory',
    'x/.latexmkrc': 'system("touch /home/user/workspace/rc-ran");',
    'x/latexmkrc': 'system("touch /home/user/workspace/rc-ran");',
    'x/main.tex': document('\\immediate\\write18{touch /home/user/workspace/shell-ran}text'),
    'passwd/main.tex': document('\\input{/etc/passwd}'),
    'above/main.tex': document('\\input{../secret.txt}'),
    'writes/main.tex': document(
      '\\newwrite\\w\\immediate\\openout\\w=/home/user/workspace/written.txt \\immediate\\write\\w{x}\\immediate\\closeout\\w text',
    ),
    'own/main.tex': document(
      '\\newwrite\\w\\immediate\\openout\\w=main.tex \\immediate\\write\\w{x}\\immediate\\closeout\\w own',
    ),
  })
  await task.done('tex2pdf_convert', { input_path: 'x' })
  for (const input_path of ['passwd', 'above', 'writes']) {
    expect(await task.failure('tex2pdf_convert', { input_path })).toMatch(
      /a document reads and writes files of its own directory only|not found/,
    )
  }
  const source = await task.read('own/main.tex')
  await task.done('tex2pdf_convert', { input_path: 'own', clean_aux: false })
  expect(await task.read('own/main.tex')).toBe(source)
  const names = await listing(task, '.')
  expect(names.filter((name) => /ran|written/.test(name))).toEqual([])
})

verifies('toolserver:tex2pdf_convert:endless', async () => {
  const task = await server.task()
  await write(task, { 'x/main.tex': document('\\def\\again{\\again}\\again') })
  const beside = await server.task()
  const pace = new Pace(() => beside.shell('true'))
  expect(
    await pace.answeredAtDeadline(3, () => task.failure('tex2pdf_convert', { input_path: 'x', timeout: 3 })),
  ).toMatch(/not finished after 3 seconds.*endless loop in x\/main\.tex/)
  expect((await task.shell('cat /proc/[0-9]*/comm | grep -c tex')).stdout.trim()).toBe('0')
})

verifies('toolserver:tex2pdf_convert:paths', async () => {
  const task = await server.task()
  await write(task, { 'x/main.tex': document('x'), 'empty/notes.txt': 'x' })
  const failure = (params: object) => task.failure('tex2pdf_convert', params)
  expect(await failure({ input_path: '' })).toMatch(/^input_path is required/)
  expect(await failure({ input_path: 'none' })).toMatch(/^Input path not found: none/)
  expect(await failure({ input_path: 'x/main.tex' })).toMatch(/^Input path must be a directory: x\/main\.tex; give "x"/)
  expect(await failure({ input_path: '../x' })).toMatch(/leaves the task directory/)
  expect(await failure({ input_path: 'x', output_path: '../../out' })).toMatch(/leaves the task directory/)
  expect(await failure({ input_path: 'x', tex_filename: '../empty/notes.txt' })).toMatch(/leaves input_path/)
  await task.done('file_lock', { file_path: 'x/main.pdf', locker_name: 'editor', level: 1 })
  expect(await failure({ input_path: 'x' })).toMatch(/x\/main\.pdf.*lock/)
  expect(await failure({ input_path: 'empty' })).toMatch(/no \.tex file in empty/)
})
