# shellcheck shell=bash
# Ends processes by their marks, with `find_marked` of processes.sh. Shell builtins alone, but for processes of root: forking may
# be impossible when it is needed.

# Puts into `found` the ids of all processes with the mark $1, whoever they belong to and however they hide: where commands may
# become root by sudo, their processes may be root's.
find_all_marked() {
  local process limit mark=$1
  found=()
  for process in /proc/[0-9]*; do
    [ "$process" = /proc/$$ ] && continue
    limit=
    # shellcheck disable=SC2128 # the one line that is read
    mapfile -t -s 11 -n 1 limit < "$process/limits"
    # shellcheck disable=SC2086,SC2128 # its words
    set -- $limit
    [[ $1$2$3 == Maxfilelocks && $4 == "$mark" ]] && has_not_ended "$process" && found+=("${process#/proc/}")
  done
}

# Whether the process with the directory $1 has not ended: one that nobody waited for has.
has_not_ended() {
  local line
  while IFS= read -r line; do
    case $line in
      State:*[ZX]' '*) return 1 ;;
      State:*) return 0 ;;
    esac
  done < "$1/status"
  return 1
}

# Sends the signal $1 to the processes $2…: by a builtin where they are ours, as root where they are not. It fails where root
# cannot.
signal_all() {
  local process signal=$1 others=()
  shift
  kill "-$signal" "$@"
  for process; do [[ -e /proc/$process && ! -O /proc/$process ]] && others+=("$process"); done
  [ ${#others[@]} = 0 ] || sudo -n kill "-$signal" "${others[@]}"
}

# Kills the processes with the mark $1, and returns whether none is left. They are stopped before the first is killed, so
# that a fork bomb finds no room for replacements. A killed process lives until it gets the processor, for which a busy machine may
# take a while: it is waited for two seconds. Then those without a mark and with the marks $2 and $3, our own helpers, go on: a
# command may have stopped every process of the sandbox.
kill_marked() {
  local mark=$1 round count=0 refused=0 left=
  local -i until
  shift
  for round in {1..40}; do
    find_all_marked "$mark"
    [ ${#found[@]} = "$count" ] && break
    count=${#found[@]}
    signal_all STOP "${found[@]}"
  done
  until=SECONDS+3
  for ((round = 0; round < 40 || SECONDS < until; round++)); do
    find_all_marked "$mark"
    left=${#found[@]}
    [ "$left" = 0 ] && break
    signal_all KILL "${found[@]}" || [ $((refused += 1)) -lt 3 ] || break
  done
  for round in unlimited "$@"; do
    find_marked "$round"
    kill -CONT "${found[@]}"
  done
  [ "$left" = 0 ]
}

# Kills the processes with the mark $1, which is a job's.
kill_job() {
  local round found
  # shellcheck disable=SC2034 # counts
  for round in {1..40}; do
    find_all_marked "$1"
    [ ${#found[@]} = 0 ] && break
    signal_all KILL "${found[@]}"
  done
}
