/** Shells that the command line completes for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Hidden command by which the scripts ask: its arguments are the words up to the one that is completed, which is the last. */
export const COMPLETE_WORD = '__complete'

/** Scripts that a shell reads once to complete `toolyard`. Each candidate is a line: the word, a tab, and a description. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash takes `:` for the end of a word, so what stands before it is cut off the candidates. It puts them on the line as they are:
  // names of files are quoted, since whoever writes them is a stranger.
  bash: `_toolyard() {
  local line cur words cword i
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: cur words cword
  else
    local before="\${COMP_LINE:0:COMP_POINT}"
    read -r -a words <<<"$before"
    [[ "$before" == *[[:space:]] ]] && words+=("")
    cword=$(( \${#words[@]} - 1 ))
    cur="\${words[cword]}"
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${words[0]}" ${COMPLETE_WORD} -- "\${words[@]:1:cword}" 2>/dev/null)
  if (( \${#COMPREPLY[@]} == 1 )) && [[ "\${COMPREPLY[0]}" == *[:/=] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  if [[ "$cur" == *[:=]* && "$COMP_WORDBREAKS" == *[:=]* ]]; then
    local head="\${cur%"\${cur##*[:=]}"}"
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$head"}"; done
  fi
  for i in "\${!COMPREPLY[@]}"; do
    [[ -z "\${COMPREPLY[i]}" ]] || printf -v "COMPREPLY[i]" %q "\${COMPREPLY[i]}"
  done
}
complete -o default -F _toolyard toolyard
`,
  zsh: `#compdef toolyard
_toolyard() {
  local -a candidates
  local line
  while IFS= read -r line; do
    candidates+=("\${line%%$'\\t'*}")
  done < <("\${words[1]}" ${COMPLETE_WORD} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    compadd -- \${candidates:#*[:/=]}
    compadd -S '' -- \${(M)candidates:#*[:/=]}
  else
    _files
  fi
}
compdef _toolyard toolyard
`,
  fish: `function __toolyard_complete
  set -l words (commandline -opc) (commandline -ct)
  command $words[1] ${COMPLETE_WORD} -- $words[2..-1] 2>/dev/null
end
complete -c toolyard -a '(__toolyard_complete)'
`,
}
