# shellcheck shell=bash
# Ends all processes with a job's mark. The job's own process is hidden from `find_marked`; this finds it, too.
kill_job() {
  local mark=$1 process limit found round
  # shellcheck disable=SC2034 # counts
  for round in {1..40}; do
    found=()
    for process in /proc/[0-9]*; do
      limit=()
      mapfile -t -s 11 -n 1 limit < "$process/limits"
      # shellcheck disable=SC2086,SC2128 # the words of the one line that is read
      set -- $limit
      [[ $1$2$3 == Maxfilelocks && $4 == "$mark" ]] && found+=("${process#/proc/}")
    done
    [ ${#found[@]} = 0 ] && break
    kill -KILL "${found[@]}"
  done
}
