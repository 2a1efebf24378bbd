import { describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'

// TeX Live is real here: `node scripts/setup.mjs --tests` installs it.
const server = aToolServer()

const SECRET = 'KEPTAPART'

interface Document {
  readonly preamble?: string
  readonly files?: object
}

/**
 * Tasks by their engines. The first document in a sandbox takes longest: LuaTeX makes an index of all fonts, which is most of
 * what it costs.
 */
const tasks = new Map<string, Promise<Task>>()
const taskOf = (engine: string) => {
  const task = tasks.get(engine) ?? server.task()
  tasks.set(engine, task)
  return task
}

/** What the document got hold of that has a secret beside its directory, and one in the home of its user. */
async function gotBy(engine: string, body: string, { preamble = '', files = {} }: Document = {}) {
  const task = await taskOf(engine)
  // What another document made.
  await task.shell('cd ~/workspace && rm -rf tex .latexmkrc ~/made-by* made-by*')
  await task.write('secret.txt', SECRET)
  await task.write('tex/main.tex', `\\documentclass{article}${preamble}\\begin{document}${body}\\end{document}\n`)
  await task.write('tex/refs.bib', '@book{a, title={X}, author={A}, year=2000}\n')
  for (const [path, content] of Object.entries(files)) await task.write(`tex/${path}`, content)
  await task.shell(`echo ${SECRET} > ~/homesecret.txt`)
  await task.call('tex2pdf_convert', { input_path: 'tex', engine })
  const { stdout } = await task.shell(
    'cd ~/workspace; [ ! -f tex/main.pdf ] || pdftotext tex/main.pdf -; ls ~ ~/workspace ~/workspace/tex | grep made-by; true',
  )
  return stdout
}

const biblatex = (more = '') => `\\usepackage[backend=biber]{biblatex}${more}\\addbibresource{refs.bib}`
const CITED = '\\cite{a}\\printbibliography'
const MAP = (replace: string) =>
  `\\DeclareSourcemap{\\maps[datatype=bibtex]{\\map{\\step[fieldsource=title, match=\\regexp{X}, replace=\\regexp{${replace}}]}}}`

describe('a LaTeX document', () => {
  it.each([
    ['a path from the home directory', 'pdflatex', '\\input{~/homesecret.txt}', {}],
    ['a path from the home of a user by name', 'pdflatex', '\\input{~user/homesecret.txt}', {}],
    [
      'a path from the home directory, by a stream',
      'xelatex',
      '\\newread\\r\\openin\\r=\\string~/workspace/secret.txt \\read\\r to\\x \\x',
      {},
    ],
    ['a path from the root', 'pdflatex', '\\input{/home/user/homesecret.txt}', {}],
    [
      'Lua',
      'lualatex',
      '\\directlua{local f = io.open("/home/user/homesecret.txt") tex.print(f and f:read("a") or "nothing")}',
      {},
    ],
    [
      'a control file whose Perl biber evaluates',
      'pdflatex',
      CITED,
      { preamble: biblatex(MAP('@{[do{open F,q(/home/user/homesecret.txt);<F>}]}')) },
    ],
    [
      'a biber.conf',
      'pdflatex',
      CITED,
      {
        preamble: biblatex(),
        files: {
          'biber.conf':
            '<?xml version="1.0"?><config><sourcemap><maps datatype="bibtex"><map><map_step map_field_source="title" map_match="X" map_replace="@{[do{open F,q(/home/user/homesecret.txt);&lt;F&gt;}]}"/></map></maps></sourcemap></config>',
        },
      },
    ],
    ['a bibliography elsewhere', 'pdflatex', '\\nocite{*}\\bibliographystyle{plain}\\bibliography{~/homesecret}', {}],
  ])('reads nothing outside of its directory by %s', async (_, engine, body, more) => {
    expect(await gotBy(engine, body, more)).not.toContain(SECRET)
  })

  it.each([
    ['a command', 'pdflatex', '\\immediate\\write18{touch ~/workspace/made-by-command}x', {}],
    ['a pipe', 'pdflatex', '\\input{|"touch ~/workspace/made-by-pipe"}x', {}],
    [
      'Lua',
      'lualatex',
      '\\directlua{local f = io.open("/home/user/workspace/made-by-lua", "w") if f then f:close() end}x',
      {},
    ],
    [
      'Lua that starts a program',
      'lualatex',
      '\\directlua{pcall(function() os.execute("touch /home/user/made-by-lua") end)}x',
      {},
    ],
    [
      'a stream',
      'pdflatex',
      '\\newwrite\\w\\immediate\\openout\\w=\\string~/workspace/made-by-stream \\immediate\\write\\w{x}x',
      {},
    ],
    [
      'a control file whose Perl biber evaluates',
      'pdflatex',
      CITED,
      { preamble: biblatex(MAP('@{[do{open F,q(>/home/user/workspace/made-by-biber);close F}]}')) },
    ],
    [
      'a biber.conf',
      'pdflatex',
      CITED,
      {
        preamble: biblatex(),
        files: {
          'biber.conf':
            '<?xml version="1.0"?><config><sourcemap><maps datatype="bibtex"><map><map_step map_field_source="title" map_match="X" map_replace="@{[do{open F,q(&gt;/home/user/workspace/tex/made-by-conf);close F}]}"/></map></maps></sourcemap></config>',
        },
      },
    ],
    [
      'files of settings',
      'pdflatex',
      'x',
      {
        files: {
          latexmkrc: 'open F, ">/home/user/workspace/made-by-rc";',
          '.latexmkrc': 'open F, ">/home/user/workspace/made-by-rc";',
          'texmf.cnf': 'shell_escape = t\nopenin_any = a\nopenout_any = a\n',
        },
      },
    ],
  ])('makes nothing outside of its directory by %s', async (_, engine, body, more) => {
    expect(await gotBy(engine, body, more)).not.toContain('made-by')
  })

  it('has what it needs all the same: files beside it, its own, fonts, and what a map of fields does with them', async () => {
    const got = await gotBy('pdflatex', `\\input{parts/one} ${CITED}`, {
      preamble: biblatex(MAP('Y')),
      files: { 'parts/one.tex': 'PARTONE' },
    })
    expect(got).toContain('PARTONE')
    expect(got).toContain('A. Y')
  })
})
