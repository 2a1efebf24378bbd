# shellcheck shell=bash
# Says on stderr which of the processes in `found` have something below the present directory open or mapped, or work in a
# directory there: a line `program PID NAME` for each, and lines that end with a path. Starts no program when there is no process.
# shellcheck disable=SC2154 # `found` is the caller's
print_holders() {
  [ ${#found[@]} = 0 ] && return
  local process name here links=() maps=()
  here=$(pwd -P)
  for process in "${found[@]:0:$1}"; do
    read -r name < "/proc/$process/comm" || continue
    echo "program $process $name"
    links+=("/proc/$process/fd" "/proc/$process/cwd")
    maps+=("/proc/$process/maps")
  done
  find "${links[@]}" -maxdepth 1 -lname "$here/*" -printf 'holds %p %l\n' | head -c "$2"
  grep -aHo " $here/.*" "${maps[@]}" | uniq | head -c "$2"
}
