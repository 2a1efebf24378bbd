# shellcheck shell=bash
# Makes a PDF of a LaTeX document, for bash in the directory of its main file. TeX works in a directory outside of the
# workspace, so that the sources stay as they are and an earlier PDF is replaced by a whole one or not at all.
#
# A document is a program, and reads and writes below its own directory only (confine.py), without a shell. What TeX keeps
# for the next document, and the user's own fonts, are there for it, too. Without -norc and --noconf, a latexmkrc and a
# biber.conf of the workspace would be run as Perl.

# Files that LaTeX and its helpers leave beside a PDF, and write anew each time. A .bbl may be a source, as in arXiv's.
auxiliary='aux log blg toc lof lot out fls fdb_latexmk xdv bcf run.xml idx ilg ind nav snm vrb synctex.gz'

# Arguments: the main file's name, the directory for the PDF, the engine and latexmk's option for it, `true` to leave
# nothing else there, the seconds that a pass may take, the file for the log of a failure, the largest file in KiB, the
# most bytes of a log, the line before each log in that file, the program that confines, and the PDF's name without its
# extension, empty for that of the main file.
build_document() {
  main=$1 out=$2 engine=$3 mode=$4 is_clean=$5 seconds=$6 kept_log=$7 max_file_kib=$8 max_log_bytes=$9
  log_line=${10} confine=${11} pdf_name=${12}
  check_programs
  make_build_directory
  local code=0
  SECONDS=0
  compile || code=$?
  log=$(find "$build" -maxdepth 1 -name '*.log' -print -quit)
  pdf=$(find "$build" -maxdepth 1 -name '*.pdf' -print -quit)
  blg=$(find "$build" -maxdepth 1 -name '*.blg' -print -quit)
  # latexmk gives up where only the bibliography failed; a PDF without it is worth more than none.
  if [ $code -ne 0 ] && [ $code -lt 124 ] && is_complete && [ $SECONDS -lt $(((seconds + 1) / 2)) ]; then
    code=0
    compile -g -bibtex- || code=$?
  fi
  if [ $code -lt 124 ] && is_complete; then
    keep_document
  else
    keep_log
    if [ $code -ge 124 ] && [ $code -ne 126 ] && [ $code -ne 127 ]; then
      echo 'toolyard: timed out'
    else
      echo 'toolyard: failed'
    fi
  fi
}

check_programs() {
  local program missing=
  for program in latexmk "$engine"; do
    command -v "$program" >/dev/null || missing="$missing $program"
  done
  [ -z "$missing" ] || { echo "toolyard: missing$missing"; exit; }
}

make_build_directory() {
  build=$(mktemp -d "$HOME/.tex2pdf-XXXXXXXX") && trap 'rm -rf "$build"' EXIT || exit
  # \include writes beside the included files.
  find . -mindepth 1 -type d \( -name '.*' -o -name node_modules -o -name code_env \) -prune -o -type d -print0 |
    (cd "$build" && xargs -0 -r mkdir -p --)
  export TMPDIR="$build" TEXMFVAR="${TEXMFVAR:-$HOME/.texmf-var}"
  mkdir -p "$TEXMFVAR" ~/.cache/fontconfig
  confined=(python3 -I -c "$confine" "$build" "$TEXMFVAR" ~/.cache/fontconfig -- . ~/texmf ~/.fonts ~/.local/share/fonts --)
  command -v python3 >/dev/null || confined=()
  export TEXMFOUTPUT="$build" openin_any=p openout_any=p max_print_line=10000 error_line=254 half_error_line=238
  ulimit -f "$max_file_kib"
}

compile() {
  # shellcheck disable=SC2016 # latexmk's variable
  timeout -k 2 "$seconds" "${confined[@]}" latexmk -norc -e '$biber = "biber --noconf %O %S"' "$mode" "$@" \
    -interaction=nonstopmode -halt-on-error -file-line-error -no-shell-escape -outdir="$build" "./$main" \
    >> "$build/.latexmk" 2>&1 < /dev/null
}

is_complete() {
  [ -s "$pdf" ] && grep -aqE '^Output written on ' "$log" && ! grep -aqE '^!|^[^ ]+:[0-9]+: ' "$log"
}

keep_document() {
  local name
  name=$(basename "$pdf" .pdf)
  pdf_name=${pdf_name:-$name}
  if ! { mkdir -p "$out" && mv -fT -- "$pdf" "$out/$pdf_name.pdf"; }; then
    echo 'toolyard: failed'
    exit
  fi
  if [ "$is_clean" = true ]; then
    remove_auxiliary "$name"
  else
    keep_auxiliary
  fi
  echo "toolyard: made $pdf_name.pdf"
  print_warnings
}

remove_auxiliary() {
  local type
  for type in $auxiliary; do rm -f -- "$out/$1.$type"; done
}

# Replaces the files that are made anew each time, and no others.
keep_auxiliary() (
  cd "$build" || exit
  find . -mindepth 1 -name '.latexmk' -prune -o -type d -empty -o -type f -print0 | while IFS= read -r -d '' file; do
    keep=(-n)
    for type in $auxiliary; do
      [[ $file == *."$type" ]] && keep=()
    done
    mkdir -p -- "$out/$(dirname "$file")" && cp "${keep[@]}" -- "$file" "$out/$file"
  done
)

print_warnings() {
  {
    grep -aE '^Output written on |^No file .*\.tex\.|^Missing character|Warning: (Reference|Citation|Label|File)|^LaTeX Warning: .*(undefined|multiply)|^\(biblatex\)  ' "$log"
    [ -z "$blg" ] || grep -aE '^Warning--I didn|ERROR -|^I (couldn|found no)|---line [0-9]+ of file|Repeated entry' "$blg"
    grep -aA4 "because I don't find the following files" "$build/.latexmk" |
      sed -nE 's#^  (\./)?([^ ].*\.bib)$#missing bibliography \2#p'
  } | sed "s#$build/##g" | awk '!seen[$0]++' | head -c 24000
}

keep_log() {
  local part
  mkdir -p "$(dirname "$kept_log")"
  for part in "$log" "$blg" "$build/.latexmk"; do
    [ ! -f "$part" ] || { echo "$log_line"; tail -c "$max_log_bytes" "$part"; echo; }
  done | sed "s#$build/##g" > "$kept_log"
}
