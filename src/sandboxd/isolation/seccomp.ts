/**
 * System calls that no tool in a sandbox needs and that have been the way out of many. x86-64 numbers.
 * Refused with EPERM, so that programs which only try them go on.
 * @see https://github.com/torvalds/linux/blob/master/arch/x86/entry/syscalls/syscall_64.tbl
 */
// biome-ignore format: a table reads best as one
const DENIED: Readonly<Record<string, number>> = {
  // looking into or steering other processes
  ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, pidfd_getfd: 438, process_madvise: 440,
  // mounts and namespaces
  mount: 165, umount2: 166, pivot_root: 155, chroot: 161, unshare: 272, setns: 308, open_tree: 428, move_mount: 429,
  fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, open_tree_attr: 467,
  // large kernel surfaces
  bpf: 321, perf_event_open: 298, userfaultfd: 323, io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427,
  keyctl: 250, add_key: 248, request_key: 249, fanotify_init: 300, lookup_dcookie: 212, quotactl: 179, quotactl_fd: 443,
  name_to_handle_at: 303, open_by_handle_at: 304, modify_ldt: 154, move_pages: 279, migrate_pages: 256, vhangup: 153,
  // the machine itself
  kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176, reboot: 169,
  swapon: 167, swapoff: 168, acct: 163, settimeofday: 164, clock_settime: 227, clock_adjtime: 305, adjtimex: 159,
  syslog: 103, iopl: 172, ioperm: 173,
}

/** Socket families that no network namespace contains (vsock reaches the hypervisor) or that are large kernel surfaces. */
const DENIED_FAMILIES = [38 /* ALG */, 40 /* VSOCK */, 21 /* RDS */, 30 /* TIPC */, 17 /* PACKET */, 44 /* XDP */]

const SYS_IOCTL = 16
const SYS_SOCKET = 41
const SYS_CLONE = 56
const SYS_CLONE3 = 435
/** Writing into a terminal's input, which a program outside would read. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
/** CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET | NEWTIME */
const CLONE_NEW_ANY = 0x7e020080

const AUDIT_ARCH_X86_64 = 0xc000003e
/** x32 calls have this bit; they would otherwise pass by with other numbers. */
const X32_BIT = 0x40000000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** Offsets into `struct seccomp_data`; of an argument, its low half. */
const NUMBER = 0
const ARCH = 4
const argument = (index: number) => 16 + 8 * index

type Jump = 'allow' | 'kill' | 'eperm' | 'enosys' | 'eafnosupport' | 'next'
interface Instruction {
  readonly code: number
  readonly k: number
  readonly yes?: Jump
  readonly no?: Jump
}

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_GREATER_OR_EQUAL = 0x35
const IF_ANY_BIT = 0x45
const RETURN = 0x06

/** The filter as `struct sock_filter[]`, which bwrap's `--seccomp` reads; `null` where there is no table (arm64). */
export function seccompFilter(architecture: string): Buffer | null {
  if (architecture !== 'x64') return null
  const load = (offset: number): Instruction => ({ code: LOAD, k: offset })
  const ifEqual = (k: number, yes: Jump, no: Jump = 'next'): Instruction => ({ code: IF_EQUAL, k, yes, no })
  return assemble([
    load(ARCH),
    ifEqual(AUDIT_ARCH_X86_64, 'next', 'kill'),
    load(NUMBER),
    { code: IF_GREATER_OR_EQUAL, k: X32_BIT, yes: 'enosys', no: 'next' },
    ...Object.values(DENIED).map((number) => ifEqual(number, 'eperm')),
    // clone3 hides its flags in memory, which a filter cannot read; libc falls back to clone.
    ifEqual(SYS_CLONE3, 'enosys'),
    ...whenCall(SYS_CLONE, [load(argument(0)), { code: IF_ANY_BIT, k: CLONE_NEW_ANY, yes: 'eperm', no: 'allow' }]),
    ...whenCall(SYS_IOCTL, [load(argument(1)), ifEqual(TIOCSTI, 'eperm'), ifEqual(TIOCLINUX, 'eperm', 'allow')]),
    ...whenCall(SYS_SOCKET, [load(argument(0)), ...DENIED_FAMILIES.map((family) => ifEqual(family, 'eafnosupport'))]),
  ])
}

/** Runs `body` only for one call. BPF jumps forward, so "not this call" skips the body. */
function whenCall(
  number: number,
  body: readonly Instruction[],
): readonly (Instruction | { skip: number; k: number })[] {
  return [{ skip: body.length, k: number }, ...body]
}

function assemble(program: readonly (Instruction | { skip: number; k: number })[]): Buffer {
  const outcomes: readonly (readonly [Jump, number])[] = [
    ['allow', 0x7fff0000],
    ['kill', 0x80000000],
    ['eperm', 0x00050000 | EPERM],
    ['enosys', 0x00050000 | ENOSYS],
    ['eafnosupport', 0x00050000 | EAFNOSUPPORT],
  ]
  const distance = (from: number, jump: Jump = 'next') =>
    jump === 'next' ? 0 : program.length + outcomes.findIndex(([name]) => name === jump) - from - 1
  const lines = program.map((line, index) =>
    'skip' in line
      ? { code: IF_EQUAL, k: line.k, yes: 0, no: line.skip }
      : { code: line.code, k: line.k, yes: distance(index, line.yes), no: distance(index, line.no) },
  )
  for (const [, value] of outcomes) lines.push({ code: RETURN, k: value, yes: 0, no: 0 })

  const bytes = Buffer.alloc(lines.length * 8)
  for (const [index, { code, k, yes, no }] of lines.entries()) {
    if (yes > 255 || no > 255) throw new Error('the seccomp program is too long for its jumps')
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(k, index * 8 + 4)
  }
  return bytes
}
