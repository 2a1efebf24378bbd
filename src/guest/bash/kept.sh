# shellcheck shell=bash
# Prints the end of a command that the supervisor keeps in the file $1, a line of JSON; waits for it $2 seconds at most. Until the
# command ends, the file has the process id of the supervisor that runs it: it prints `running` while that lives, and nothing where
# nobody will write the end any more.
print_kept() {
  local line
  local -i until=SECONDS+$2
  # A command may have made it a pipe, which would never end.
  while [[ -f $1 ]] && read -r line < "$1" && [[ $line =~ ^[1-9][0-9]{0,8}$ ]]; do
    # A command may have stopped it.
    kill -CONT "$line" || return 0
    if ((SECONDS >= until)); then
      echo running
      return 0
    fi
    sleep 0.2
  done
  # By a builtin: there may be no room for another process.
  [[ $line != '{'* ]] || printf '%s\n' "$line"
}
