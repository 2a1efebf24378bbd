#!/bin/bash
# Runs code that a model wrote: a file with its tools beside it, in a directory that goes with the shell.

make_place() {
  place=$(mktemp -d /tmp/XXXXXX) && trap 'rm -rf "$place"' EXIT
}

# run_python PYTHON PROGRAM CODE: by the task's Python, or the system's where that was removed.
run_python() {
  local python=$1
  if ! [ -x "$python" ] && ! python=$(type -P python3); then
    echo 'toolyard: no python3' >&2
    return 127
  fi
  make_place && printf %s "$2" > "$place/run.py" && printf %s "$3" > "$place/code.py" || return
  "$python" "$place/run.py" "$place/code.py"
}

# run_typescript TOOLS IMPORTS CODE
run_typescript() {
  local node
  if ! find_node; then
    echo 'toolyard: no node that runs TypeScript' >&2
    return 127
  fi
  make_place && printf %s "$1" > "$place/tools.mjs" && printf %s "$2" > "$place/imports.mjs" && printf %s "$3" > "$place/code.mts" || return
  "${node[@]}" --import "$place/imports.mjs" "$place/code.mts"
}

# Finds the first node on the PATH that strips types, as it can since 22.6. Sets `node` to it, with the flags that its version wants.
find_node() {
  local candidates candidate version major minor
  mapfile -t candidates < <(type -aP node)
  for candidate in "${candidates[@]}"; do
    version=$("$candidate" --version 2> /dev/null) || continue
    IFS=. read -r major minor _ <<< "${version#v}"
    [ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 6 ]; } || continue
    node=("$candidate" --disable-warning=ExperimentalWarning)
    if [ "$major" -eq 22 ] || { [ "$major" -eq 23 ] && [ "$minor" -lt 6 ]; }; then
      node+=(--experimental-strip-types)
    fi
    return 0
  done
  return 1
}
