import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Files of an archive by name, packed as arXiv packs a source: by real tar and gzip.
 * @param rename how tar changes names as it packs: `s,from,to,`
 */
export function tarGz(files: Readonly<Record<string, string>>, rename?: string): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-paper-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(directory, dirname(name)), { recursive: true })
      writeFileSync(join(directory, name), text)
    }
    const renamed = rename === undefined ? [] : ['--absolute-names', `--transform=${rename}`]
    return new Uint8Array(execFileSync('tar', ['-czf', '-', ...renamed, ...Object.keys(files)], { cwd: directory }))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** A small paper in LaTeX, over several files. */
export const LATEX_PAPER = {
  'ms.tex': String.raw`\documentclass{article}
\newcommand{\attn}[1]{\mathrm{Attention}(#1)}
\newcommand\dk{d_k} % the dimension
\title{Zebrafish \emph{Navigation}\thanks{Supported by nobody}}
\author{Ada Lovelace\\ Engines \And Kurt G\"odel}
\begin{document}
\maketitle
\begin{abstract}Zebrafish find 50\% of all corals by their lateral line.\end{abstract}
\input{sections/intro}
\include{sections/model.tex}
\appendix
\section{Proofs}
\begin{theorem}[Main] It holds that $\dk > 0$.\end{theorem}
\bibliography{refs}
\begin{thebibliography}{9}\bibitem{a} Not a word of this\end{thebibliography}
\end{document}`,
  'sections/intro.tex': String.raw`\section{Introduction}
Earlier work \citep[see][p.~2]{lovelace1843, goedel1931} shows things\footnote{Not \emph{all}.}.
A second line % trailing
joined.

\begin{itemize}
\item One
\item[Two:] two
\end{itemize}`,
  'sections/model.tex': String.raw`\section{Model}
\subsection{Lateral Line Organs}
We compute
\begin{equation}\label{eq:a}
\attn{Q,K} = \frac{QK^T}{\sqrt{\dk}}
\end{equation}
where neuromasts feel the current.`,
} as const

/** Paper in ar5iv's HTML. */
export const HTML_PAPER = `<!DOCTYPE html><html><head><title>Octopus Memory</title></head><body><article class="ltx_document">
<h1 class="ltx_title ltx_title_document">Octopus Memory</h1>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>
<p>An octopus remembers the way to its den for seven days, as mazes show, even when all landmarks were moved away.</p></div>
<section class="ltx_section"><h2 class="ltx_title">1 Mazes</h2><p>The maze has
<math alttext="n=12" display="inline"><semantics><mi>n</mi></semantics></math> arms made of plexiglass.</p>
<section><h3>1.1 Arms</h3><p>Each suction cup tastes the wall.</p></section></section>
<section><h2>References</h2><p>Not a word of this.</p></section></article></body></html>`
