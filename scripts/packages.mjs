const inScratch = (command) => `scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" && ${command}`
const latexmk = (engine) =>
  `{ latexmk -g -norc ${engine} -interaction=nonstopmode -no-shell-escape a.tex > a.out 2>&1 && [ -s a.pdf ] || { tail -n 40 a.out; exit 1; }; }`

/** Packages of `data`, by their names in Debian and in Python. */
const PYTHON = [
  { apt: 'python3-numpy', module: 'numpy' },
  { apt: 'python3-pandas', module: 'pandas' },
  { apt: 'python3-matplotlib', module: 'matplotlib' },
  { apt: 'python3-scipy', module: 'scipy' },
  { apt: 'python3-openpyxl', module: 'openpyxl' },
  { apt: 'python3-sklearn', module: 'sklearn' },
  { apt: 'python3-requests', module: 'requests' },
  { apt: 'python3-bs4', module: 'bs4' },
  { apt: 'python3-lxml', module: 'lxml' },
  { apt: 'python3-pil', module: 'PIL' },
  { apt: 'python3-yaml', module: 'yaml' },
]

/** nbformat judges notebooks that were saved. */
const FOR_TESTS = ['python3-pandas', 'python3-matplotlib', 'python3-nbformat']

/** Debian's packages with what reads the programs of src/guest: tests run them. */
export const LINTERS = [
  { apt: 'pyflakes3', why: 'checks programs for sandboxes' },
  { apt: 'shellcheck', why: 'checks programs for sandboxes' },
]

/** Debian's packages that make, check and test the Python client in clients/python: 5 MB to fetch, 40 MB on disk. */
export const PYTHON_CLIENT = [
  { apt: 'python3-httpx', why: 'sends the requests of the Python client' },
  { apt: 'python3-pytest', why: 'tests the Python client' },
  { apt: 'python3-hatchling', why: 'builds the Python client' },
  { apt: 'mypy', why: 'checks the Python client' },
]

/** Debian's packages with the shells, besides bash, in which tests complete the command line: 5 MB to fetch, 25 MB on disk. */
export const SHELLS = [
  { apt: 'zsh', why: 'completes the command line' },
  { apt: 'fish', why: 'completes the command line' },
]

/** Debian's packages with the browser in which tests look at pages: 64 MB to fetch, 230 MB on disk. */
export const BROWSERS = [{ apt: 'chromium-headless-shell', why: 'shows pages to tests' }]

/**
 * Groups of packages that a sandbox can have besides Toolyard's own needs: `scripts/setup.mjs` offers them for this
 * machine, the template of production (`scripts/build-template.mjs`) has them all.
 *
 * `apt`: Debian's packages; `tests` need the first of them, people the rest too. `npm`: a program from npm, with its
 * version. `programs` and Python's `modules`: a machine that has them has the group. `checks`: shell commands, each on its
 * own, that fail in a sandbox where the group does not work.
 */
export const GROUPS = {
  latex: {
    why: 'tex2pdf_convert',
    programs: ['latexmk', 'pdflatex', 'xelatex', 'lualatex', 'biber'],
    // Sizes of Debian 12, with all dependencies: 211 MB to fetch and 590 MB on disk for the tests' packages without
    // biblatex, 307 and 800 with it, 410 and 980 for all. Chinese needs no further font: Fandol is in lang-chinese.
    // lang-japanese, without which lualatex has no Chinese, would be 323 MB more.
    apt: {
      tests: [
        'texlive-latex-base',
        'texlive-latex-recommended',
        'texlive-fonts-recommended',
        'texlive-latex-extra',
        'texlive-xetex',
        'texlive-luatex',
        'texlive-lang-chinese',
        'texlive-bibtex-extra',
        'latexmk',
        'biber',
        // Without these fonts, bullets and accents of pdflatex are pictures of letters.
        'cm-super-minimal',
        'lmodern',
      ],
      more: ['texlive-science', 'texlive-publishers'],
    },
    checks: [
      inScratch(
        `printf '%s\\n' '\\documentclass{ctexart}' '\\begin{document}' '中文' '\\end{document}' > a.tex && ${latexmk('-pdfxe')} && ! grep 'Missing character' a.log`,
      ),
      inScratch(
        `printf '%s\\n' '\\documentclass{article}' '\\begin{document}' 'x' '\\end{document}' > a.tex && ${latexmk('-pdf')} && rm a.pdf && ${latexmk('-pdflua')}`,
      ),
      'biber --version && kpsewhich biblatex.sty',
    ],
  },
  documents: {
    why: 'parse_document of doc, ppt, rtf and OpenDocument files',
    programs: ['soffice', 'pandoc', 'pdftotext'],
    // 131 MB to fetch, 500 MB on disk. The -nogui packages need no display and save 70 MB; wqy is for Chinese.
    apt: {
      tests: [
        'libreoffice-writer-nogui',
        'libreoffice-calc-nogui',
        'libreoffice-impress-nogui',
        'pandoc',
        'poppler-utils',
        'fonts-wqy-microhei',
      ],
      more: [],
    },
    checks: [
      inScratch(
        `echo '# 标题 Heading' | pandoc -f markdown -o a.docx && soffice "-env:UserInstallation=file://$PWD/profile" --headless --convert-to pdf a.docx > a.out 2>&1; pdftotext a.pdf - | grep '标题 Heading' || { cat a.out; exit 1; }`,
      ),
    ],
  },
  data: {
    why: 'numpy, pandas, matplotlib and others without pip_install',
    modules: PYTHON.map(({ module }) => module),
    // 86 MB to fetch, 550 MB on disk, most of it for matplotlib and its dependencies; the tests' packages 12 and 67.
    apt: { tests: FOR_TESTS, more: PYTHON.map(({ apt }) => apt).filter((apt) => !FOR_TESTS.includes(apt)) },
    checks: [
      `python3 -c "import ${PYTHON.map(({ module }) => module).join(', ')}; print(pandas.DataFrame({0: [1]}).sum())"`,
    ],
  },
  claude: {
    why: 'code_task_execute',
    programs: ['claude'],
    apt: { tests: [], more: [] },
    // 361 MB on disk, one program that needs no Node.
    npm: '@anthropic-ai/claude-code@2.1.329',
    checks: ['claude --version'],
  },
}
