/** The descriptor on which the agent finds its socket; 3 to 7 are the script's and bwrap's own, in the order of `stdio`. */
export const AGENT_FD = 8

/**
 * The descriptor whose other end the daemon has: it says when to go, and ends with the daemon. The agent ends by it, since
 * `--die-with-parent` hears nothing of a daemon, or a monitor, that was killed while bwrap started.
 */
export const LIFELINE_FD = 4

/**
 * Bash script that starts a sandbox. Descriptors: 3 ready out, 4 the lifeline, 5 bwrap's arguments, 6 the egress policy, 7 the
 * system call filter, 8 the agent's socket. Each step replaces the one before (`exec`), so the spawned pid stays the
 * sandbox's. The holder of the network namespace is made first, because a namespace made by bwrap itself could not be
 * joined any more. bwrap starts without an environment (`exec -c`): inside, its own can be read as that of process 1. Every
 * error is fail-closed: if the daemon dies, `read` meets the end of its pipe; if the policy cannot be set, nothing starts.
 */
export const START_SCRIPT = `
for fd in /proc/self/fd/*; do fd=\${fd##*/}; if (( fd > ${AGENT_FD} )); then eval "exec $fd>&-"; fi; done
limits=$1 processes=$2 network=$3; shift 3
stage='
[ "$1" = 0 ] || ulimit -u "$1"
network=$2; shift 2
echo r >&3; read -r _ <&${LIFELINE_FD} || exit 125
if [ "$network" = internet ]; then ip -batch - <&6 || exit 126; fi
exec 3>&- 6<&-
exec -c bwrap --args 5 "$@"'
set -- bash --norc --noprofile -c "$stage" stage "$processes" "$network" "$@"
if [ "$network" = internet ]; then set -- unshare --user --map-root-user --net -- "$@"; fi
exec prlimit $limits -- "$@"
`
