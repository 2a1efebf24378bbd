# shellcheck shell=bash
# Runs one command where there is no supervisor: its output goes into files, of which the part for an answer is printed,
# and one line at the end of stderr says how it ended. Starting programs takes most of the time, so after little output
# only builtins run. Values are arguments and locals: the command must find no variable of ours.

# Arguments: the call's id, and the words for how it ended.
finish_command() {
  printf '\n@%s %s\n' "$1" "${*:2}" >&3
  exit 0
}

# Removes output files of calls before the id $2 from the directory $1, and starts no program where there are none.
remove_old_output() {
  local file old=()
  for file in "$1"/c*.{out,err,sh,in}; do
    [[ -f $file && $file < $1/$2 ]] && old+=("$file")
  done
  [ ${#old[@]} = 0 ] || rm -f "${old[@]}"
}

make_output_files() {
  : > "$1" && : > "$2"
}

# Arguments: the call's id, the workspace's directory, the command's below it, the directory of output files, the files
# for stdout and stderr, and the mark of all that the command starts.
begin_command() {
  local call_id=$1 workspace=$2 directory=$3 state=$4 out=$5 err=$6 mark=$7
  cd "$workspace" || finish_command "$call_id" gone
  [ -d "$directory" ] || mkdir -p "$directory"
  cd "$directory" || finish_command "$call_id" cwd
  if ! make_output_files "$out" "$err"; then
    chmod u+rwx "$state"
    [ -d "$state" ] || rm -f "$state"
    mkdir -p "$state"
    make_output_files "$out" "$err" || finish_command "$call_id" full
  fi
  ulimit -x "$mark"
}

# In the command's own subshell: the environment of Python in $1, the PATH that the variable named $2 has, and no
# function of ours.
enter_environment() {
  export VIRTUAL_ENV=$1
  PATH=$VIRTUAL_ENV/bin:${!2}
  unset "$2"
  unset -f finish_command remove_old_output make_output_files begin_command enter_environment
}
