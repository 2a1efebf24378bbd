# shellcheck shell=bash
# Reports a command that has ended, with the functions of processes.sh and `finish_command` of command.sh.

# Prints the file $1 when it has at most $2 bytes, and none of them is NUL. Its size is in `size` then.
print_small() {
  local text
  IFS= read -r -d '' -n $(($2 + 1)) text < "$1" && return 1
  size=${#text}
  printf %s "$text"
}

# Splits the file $1, which is large or has a NUL: head and tail, $2 bytes together, parted by the line $3.
print_capped() {
  size=$(stat -c %s "$1") || return
  if [ "$size" -le "$2" ]; then
    cat "$1"
    return
  fi
  head -c $(($2 / 2)) "$1"
  printf '\n%s\n' "$3"
  tail -c $(($2 / 2)) "$1"
}

# Keeps the first $2 bytes of the file $1 in the file $3, which stands in the logs of the workspace $4.
keep_whole() {
  mkdir -p "$4/logs"
  head -c "$2" "$1" > "$3"
}

# Arguments: the call's id, the command's exit code, the workspace's directory, the files with its stdout and stderr,
# those that keep the whole of each, the most bytes of each to print, from how many on it is kept, the most to keep, the pattern of marks of processes left
# behind, and the watcher's port or nothing.
report_command() {
  local call_id=$1 code=$2 workspace=$3 out=$4 err=$5 out_log=$6 err_log=$7 max_bytes=$8 kept_above=$9 max_kept=${10} pattern=${11} port=${12}
  local LC_ALL=C size out_bytes=0 err_bytes=0 watched=
  local found=()
  find_marked "$pattern"
  if print_small "$out" "$max_bytes" || print_capped "$out" "$max_bytes" "@$call_id cut"; then
    out_bytes=$size
    [ "$size" -le "$kept_above" ] || keep_whole "$out" "$max_kept" "$out_log" "$workspace"
  fi
  if print_small "$err" "$max_bytes" >&3 || print_capped "$err" "$max_bytes" "@$call_id cut" >&3; then
    err_bytes=$size
    [ "$size" -le "$kept_above" ] || keep_whole "$err" "$max_kept" "$err_log" "$workspace"
  fi
  if [ -n "$port" ]; then
    exec 5<>"/dev/tcp/127.0.0.1/$port" && read -r -t 1 -u 5 watched
    exec 5>&-
  fi
  # An empty text in the place of an unknown count.
  finish_command "$call_id" ran "$code" "$out_bytes" "$err_bytes" "${#found[@]}" ${watched:+"$watched"}
}
