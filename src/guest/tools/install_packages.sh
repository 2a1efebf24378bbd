# shellcheck shell=bash
# Installs the task's packages into the environment of the Python $1: all at once first, and when that fails one by one, so
# that one bad package fails alone. The caller sets the lists `pins` (the versions that were there), `specs` (the packages
# requested) and `extra` (packages that came by other ways). Prints `failed SPEC` for each that is not installed.
# shellcheck disable=SC2154 # the lists
install_packages() {
  local python=$1 constraints spec
  constraints=$(mktemp)
  printf '%s\n' "${pins[@]}" > "$constraints"
  if ! pip_install -c "$constraints" -- "${specs[@]}" "${extra[@]}"; then
    for spec in "${specs[@]}"; do
      pip_install -c "$constraints" -- "$spec" || pip_install -- "$spec" || printf 'failed %s\n' "$spec"
    done
    for spec in "${extra[@]}"; do
      pip_install -- "$spec" || pip_install --no-deps -- "$spec"
    done
  fi
  rm -f "$constraints"
}

pip_install() {
  "$python" -m pip install --quiet --no-input "$@" </dev/null >/dev/null 2>&1
}
