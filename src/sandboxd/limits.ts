/** Every bound of the daemon, with its unit and reason. What an operator may change is in `config.ts`, with these as defaults. */

const MIB = 1024 * 1024

/** MiB per sandbox. Enough for LibreOffice, xelatex or a small model run; the cgroup kills the largest process above it. */
export const DEFAULT_MEMORY_MB = 1024
/** Processes and threads per sandbox. A Node process has about a dozen threads; a fork bomb stops here. */
export const DEFAULT_PIDS = 256
/** MiB of the private tmpfs on /tmp. A tmpfs counts as the sandbox's memory, so it must stay well below that. */
export const DEFAULT_TMP_MB = 256
/** MiB of the tmpfs on /dev/shm, for the same reason. */
export const SHM_MB = 64
/** MiB a sandbox may keep on disk. Above it its processes are killed, above twice that the sandbox. */
export const DEFAULT_DISK_MB = 4096
/** MiB per file (RLIMIT_FSIZE): what one runaway writer can do between two looks of the disk watcher. */
export const DEFAULT_FILE_MB = 1024
/** MiB the host's disk keeps free: below it the largest sandbox is killed. */
export const DEFAULT_RESERVE_MB = 1024
/** Sandboxes that run at the same time: each costs about 50 MiB when idle. */
export const DEFAULT_MAX_RUNNING = 32
/** Paused sandboxes whose processes are kept in memory: each keeps its memory, DEFAULT_MEMORY_MB at most. */
export const DEFAULT_MAX_FROZEN = 32
/** Sandboxes known at all, paused ones included: bounds the registry and the list reply. */
export const MAX_SANDBOXES = 1000
/** MiB of the agent's V8 heap. It streams everything, so a larger heap would only hide a leak. */
export const AGENT_HEAP_MB = 96
/** Open files per process. */
export const OPEN_FILES = 4096

/** Seconds a sandbox lives when the caller names no timeout: E2B's own default. */
export const DEFAULT_TIMEOUT_SECONDS = 300
/** Seconds at most: E2B's own maximum, and far below what a timer can hold. */
export const MAX_TIMEOUT_SECONDS = 24 * 60 * 60
/** Days a paused sandbox is kept: E2B's own retention. */
export const PAUSED_DAYS = 30

/** Bytes of a control-plane body. Metadata and environment variables fit many times over. */
export const MAX_CONTROL_BODY_BYTES = MIB
/** Entries and bytes of metadata or environment variables of one sandbox. */
export const MAX_MAP_ENTRIES = 256
export const MAX_MAP_BYTES = 128 * 1024
/** Bytes of all headers of one request. `X-Metadata-*` is the only long family. */
export const MAX_HEADER_BYTES = 32 * 1024
/** Connections to the daemon at the same time. */
export const MAX_CONNECTIONS = 2048
/** Milliseconds to send all headers. Bodies have no such limit: uploads stream. */
export const HEADERS_TIMEOUT_MS = 30_000
/** Milliseconds an idle connection is kept. Longer than clients keep theirs, so that a client never writes into a closing one. */
export const KEEP_ALIVE_MS = 120_000
/** Items on one page of the list. */
export const DEFAULT_PAGE = 100

/** Milliseconds from spawn until the agent must have answered; a loaded machine takes 1-2 s. */
export const BOOT_TIMEOUT_MS = 20_000
/**
 * Time without an answer of the agent, in milliseconds, until it gets SIGCONT, in case code of its sandbox has stopped it;
 * doubled each time, up to a second.
 */
export const AGENT_STALL_MS = 100
export const MAX_AGENT_STALL_MS = 30_000
/** Milliseconds for a sandbox's processes to be gone before its monitor is killed too. Measured: 1-5; a fork bomb 30. */
export const REAP_GRACE_MS = 2000
/** Milliseconds between two looks at the host's free space: a writer makes 0.3-2.6 GB/s. */
export const RESERVE_CHECK_MS = 1000
/** Milliseconds between two rounds of `du`: 2 ms for 10 files, 88 ms for 50,000. */
export const DISK_CHECK_MS = 5000
/** Milliseconds `du` may take before its sandbox counts as too large to measure. */
export const DU_TIMEOUT_MS = 10_000
/** Bytes of a child's stderr kept for an error message. */
export const STDERR_TAIL_BYTES = 4096

/** Hosts in the list of one sandbox. Toolyard's own limit is the same (MAX_INTERNET_HOSTS). */
export const MAX_HOSTS = 50
/**
 * Connections out of one sandbox with a list of hosts: pip and npm open a dozen. Each takes two descriptors of the daemon, of
 * which it often has 4,096 for all sandboxes.
 */
export const MAX_EGRESS_CONNECTIONS = 48
/** Clients of the proxy of one sandbox: some more than may be served, for an answer that says so. */
export const MAX_EGRESS_CLIENTS = MAX_EGRESS_CONNECTIONS + 16
/** Milliseconds for one question to a nameserver, of which there are two, and for a connection to a host. */
export const RESOLVE_TIMEOUT_MS = 3000
export const EGRESS_CONNECT_MS = 15_000
