import { MAX_TEX_FILE_MIB, MAX_TEX_LOG_BYTES } from '../../core/limits/documents.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { absolutePath, baseName, parentPath, type WorkspacePath } from '../../core/workspace-path.ts'
import CONFINE from '../../guest/tools/confine.py' with { type: 'text' }

export const ENGINES = ['pdflatex', 'xelatex', 'lualatex'] as const
export type Engine = (typeof ENGINES)[number]

const MODES: Readonly<Record<Engine, string>> = { pdflatex: '-pdf', xelatex: '-pdfxe', lualatex: '-pdflua' }

/** How the script's standard output begins; what follows `MADE` are the log's warnings. */
export const SAYS = {
  missing: 'toolyard: missing',
  made: 'toolyard: made',
  failed: 'toolyard: failed',
  timedOut: 'toolyard: timed out',
} as const

/** Between the logs of the programs that took part, in the file that is kept. */
export const LOG_PART = '=====toolyard====='

export interface Build {
  readonly main: WorkspacePath
  readonly out: WorkspacePath
  readonly engine: Engine
  readonly cleanAux: boolean
  readonly seconds: number
  /** Where the whole log goes when it fails. */
  readonly log: WorkspacePath
}

/**
 * For bash, with the main file's directory as the current one. TeX works in a directory outside of the workspace, so
 * that the sources stay as they are and an earlier PDF is replaced by a whole one or not at all.
 *
 * A document is a program, and reads and writes below its own directory only ({@link CONFINE}), without a shell. What TeX
 * keeps for the next document, and the user's own fonts, are there for it, too. Without -norc and --noconf, a latexmkrc
 * and a biber.conf of the workspace would be run as Perl.
 */
export function buildScript({ main, out, engine, cleanAux, seconds, log }: Build): string {
  const out_ = shellQuote(absolutePath(out))
  const log_ = shellQuote(absolutePath(log))
  return `missing=
for program in latexmk ${engine}; do command -v $program >/dev/null || missing="$missing $program"; done
[ -z "$missing" ] || { echo "${SAYS.missing}$missing"; exit; }
build=$(mktemp -d "$HOME/.tex2pdf-XXXXXXXX") && trap 'rm -rf "$build"' EXIT || exit
# \\include writes beside what it reads.
find . -mindepth 1 -type d \\( -name '.*' -o -name node_modules -o -name code_env \\) -prune -o -type d -print0 |
  ( cd "$build" && xargs -0 -r mkdir -p -- )
export TMPDIR="$build" TEXMFVAR="\${TEXMFVAR:-$HOME/.texmf-var}"
mkdir -p "$TEXMFVAR" ~/.cache/fontconfig
confined=(python3 -I -c ${shellQuote(CONFINE)} "$build" "$TEXMFVAR" ~/.cache/fontconfig -- . ~/texmf ~/.fonts ~/.local/share/fonts --)
command -v python3 >/dev/null || confined=()
export TEXMFOUTPUT="$build" openin_any=p openout_any=p max_print_line=10000 error_line=254 half_error_line=238
ulimit -f ${MAX_TEX_FILE_MIB * 1024}
compile() {
  timeout -k 2 ${seconds} "\${confined[@]}" latexmk -norc -e '$biber = "biber --noconf %O %S"' ${MODES[engine]} "$@" -interaction=nonstopmode -halt-on-error -file-line-error \\
    -no-shell-escape -outdir="$build" ./${shellQuote(baseName(main))} >> "$build/.latexmk" 2>&1 < /dev/null
}
SECONDS=0
compile; code=$?
log=$(find "$build" -maxdepth 1 -name '*.log' -print -quit)
pdf=$(find "$build" -maxdepth 1 -name '*.pdf' -print -quit)
blg=$(find "$build" -maxdepth 1 -name '*.blg' -print -quit)
complete() { [ -s "$pdf" ] && grep -aqE '^Output written on ' "$log" && ! grep -aqE '^!|^[^ ]+:[0-9]+: ' "$log"; }
# latexmk gives up where only the bibliography failed; a PDF without it is worth more than none.
if [ $code -ne 0 ] && [ $code -lt 124 ] && complete && [ $SECONDS -lt ${Math.ceil(seconds / 2)} ]; then compile -g -bibtex-; code=$?; fi
if [ $code -lt 124 ] && complete; then
  name=$(basename "$pdf" .pdf)
  mkdir -p ${out_} && mv -fT -- "$pdf" ${out_}/"$name.pdf" || { echo '${SAYS.failed}'; exit; }
  ( cd "$build"
    if ${cleanAux}; then
      cd ${out_} && for type in ${AUXILIARY.join(' ')}; do rm -f -- "$name.$type"; done
    else
      find . -mindepth 1 -name '.latexmk' -prune -o -type d -empty -o -type f -print0 | while IFS= read -r -d '' file; do
        case $file in *.${AUXILIARY.join('|*.')}) keep= ;; *) keep=-n ;; esac
        mkdir -p -- ${out_}/"$(dirname "$file")" && cp $keep -- "$file" ${out_}/"$file"
      done
    fi )
  echo "${SAYS.made} $name.pdf"
  { grep -aE '^Output written on |^No file .*\\.tex\\.|^Missing character|Warning: (Reference|Citation|Label|File)|^LaTeX Warning: .*(undefined|multiply)|^\\(biblatex\\)  ' "$log"
    [ -z "$blg" ] || grep -aE '^Warning--I didn|ERROR -|^I (couldn|found no)|---line [0-9]+ of file|Repeated entry' "$blg"
    grep -aA4 "because I don't find the following files" "$build/.latexmk" | sed -nE 's#^  (\\./)?([^ ].*\\.bib)$#missing bibliography \\2#p'
  } | sed "s#$build/##g" | awk '!seen[$0]++' | head -c 24000
else
  mkdir -p "$(dirname ${log_})"
  for part in "$log" "$blg" "$build/.latexmk"; do
    [ ! -f "$part" ] || { echo '${LOG_PART}'; tail -c ${MAX_TEX_LOG_BYTES} "$part"; echo; }
  done | sed "s#$build/##g" > ${log_}
  if [ $code -ge 124 ] && [ $code -ne 126 ] && [ $code -ne 127 ]; then echo '${SAYS.timedOut}'; else echo '${SAYS.failed}'; fi
fi`
}

/** What LaTeX and its helpers leave beside a PDF, and write anew each time. A .bbl may be a source, as arXiv has it. */
const AUXILIARY = [
  ...['aux', 'log', 'blg', 'toc', 'lof', 'lot', 'out', 'fls', 'fdb_latexmk', 'xdv', 'bcf', 'run.xml'],
  ...['idx', 'ilg', 'ind', 'nav', 'snm', 'vrb', 'synctex.gz'],
]

/** The directory to run it in. */
export const buildDirectory = ({ main }: Pick<Build, 'main'>) => parentPath(main)
