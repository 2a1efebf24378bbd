/** Shells that the command line completes for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Hidden command by which the scripts ask: its arguments are the words up to the one that is completed, which is the last. */
export const COMPLETE_WORD = '__complete'

/** Scripts that a shell reads once to complete `toolyard`. Each candidate is a line: the word, a tab, and a description. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  // What a shell inserts is quoted, since names of sessions and files are those of strangers. zsh and fish do that themselves.
  // Bash takes `:` for the end of a word, so what stands before it is cut off the candidates. It puts them on the line as they are.
  bash: `_toolyard() {
  local line cur word='' char quote='' open='' i before="\${COMP_LINE:0:COMP_POINT}"
  local -a words=()
  for (( i = 0; i < \${#before}; i++ )); do
    char="\${before:i:1}"
    if [[ -n "$quote" && "$char" == "$quote" ]]; then
      quote=
    elif [[ "$char" == "\\\\" && "$quote" != "'" ]]; then
      word+="\${before:$(( ++i )):1}"
    elif [[ -n "$quote" ]]; then
      word+="$char"
    elif [[ "$char" == [\\"\\'] ]]; then
      quote="$char" open=1
    elif [[ "$char" == [[:space:]] ]]; then
      [[ -z "$word$open" ]] || words+=("$word")
      word= open=
    else
      word+="$char"
    fi
  done
  cur="$word"
  words+=("$word")
  COMPREPLY=()
  # Between quotes bash inserts what it is given, and the shell would run some of it.
  [[ -z "$quote" ]] || return
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${words[0]}" ${COMPLETE_WORD} -- "\${words[@]:1}" 2>/dev/null)
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
  done < <("\${words[1]}" ${COMPLETE_WORD} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    compadd -- \${candidates:#*[:/=]}
    compadd -S '' -- \${(M)candidates:#*[:/=]}
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _toolyard ]]; then
  _toolyard "$@"
else
  compdef _toolyard toolyard
fi
`,
  fish: `function __toolyard_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct | string unescape)
  or set last (commandline -ct)
  set -l found (command $words[1] ${COMPLETE_WORD} -- $words[2..-1] "$last" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$last"
  end
end
complete -c toolyard -f -a '(__toolyard_complete)'
`,
}
