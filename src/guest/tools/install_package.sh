# shellcheck shell=bash
# Installs the package that the variable TOOLYARD_REQUIREMENT names into the Python environment $1, which is made again
# where a command has removed it. $2 is the program package_index.py. A name needs an index: where that cannot be reached,
# only what is installed already will do, and one line says so. A directory is built then with the setuptools that is there.
# The variable TOOLYARD_EDITABLE is set for a directory whose files are to be used where they are.
install_package() {
  local environment=$1 program=$2 python=$1/bin/python index
  if [ ! -x "$python" ] && ! python3 -m venv --without-pip --system-site-packages "$environment"; then
    echo 'Failed to create virtual environment' >&2
    exit 1
  fi
  local pip=("$python" -m pip install --no-input --disable-pip-version-check --progress-bar off --retries 2)
  local what=(-- "$TOOLYARD_REQUIREMENT")
  [ -z "$TOOLYARD_EDITABLE" ] || what=(-e "$TOOLYARD_REQUIREMENT")
  if [[ $TOOLYARD_REQUIREMENT == ./* && -d ${TOOLYARD_REQUIREMENT%%\[*} ]] &&
    "$python" -Ic 'import setuptools' 2>/dev/null && ! "$python" -IS - check <<< "$program" >/dev/null; then
    exec "${pip[@]}" --no-index --no-build-isolation "${what[@]}"
  fi
  if [[ $TOOLYARD_REQUIREMENT == */* ]] || index=$("$python" -IS - check <<< "$program"); then
    exec "${pip[@]}" "${what[@]}"
  fi
  "${pip[@]}" --no-index -- "$TOOLYARD_REQUIREMENT" 2>/dev/null && exit 0
  printf 'ERROR: the package index cannot be reached from the sandbox: %s. Installed already: %s\n' \
    "$index" "$("$python" -I - installed <<< "$program")" >&2
  exit 1
}
