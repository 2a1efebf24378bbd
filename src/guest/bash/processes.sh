# shellcheck shell=bash
# Finds processes by their marks: the limit on file locks, which every child inherits. Shell builtins alone: forking may be
# impossible when it is needed.

# Puts into `found` the ids of the processes whose mark fits the pattern $1. Processes without a mark belong to the sandbox
# itself. The calling shell is not found, nor are ended processes that were not waited for.
find_marked() {
  local process limit pattern=$1
  found=()
  for process in /proc/[0-9]*; do
    [[ -O $process && $process != /proc/$$ && -e $process/exe ]] || continue
    # shellcheck disable=SC2128 # the one line that is read
    mapfile -t -s 11 -n 1 limit < "$process/limits"
    # shellcheck disable=SC2086,SC2128 # its words
    set -- $limit
    # shellcheck disable=SC2053 # a pattern
    [[ $1$2$3 == Maxfilelocks && $4 == $pattern ]] && found+=("${process#/proc/}")
  done
}
