import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits.ts'
import { SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { shellQuote } from '../shell-quote.ts'
import { ENVIRONMENT_DIRECTORY } from '../sync/ignore.ts'
import { STATE_DIRECTORY } from './place.ts'

/** One command, as it is wrapped for the sandbox. */
export interface Wrapped {
  readonly callId: string
  /** Bash; or the file in the sandbox that holds it, when it is too long for an argument. */
  readonly script: string | { readonly file: string }
  readonly cwd: WorkspacePath
  readonly timeoutMs: number
  /** Where whole outputs go when they are capped; null to keep none. */
  readonly logs: { readonly stdout: WorkspacePath; readonly stderr: WorkspacePath } | null
  /** Processes that belong to the sandbox itself. */
  readonly ownPids: readonly number[]
  /** Of the watcher; null when it could not be started. */
  readonly watchPort: number | null
  /** Output files of earlier calls that can go. */
  readonly sweep: readonly string[]
}

/** What a wrapped command left on its output channels. */
export interface Ended {
  readonly exitCode: number
  readonly timedOut: boolean
  readonly stdout: Captured
  readonly stderr: Captured
  /** Processes that it started live on. */
  readonly background: boolean
  /** False when nothing in the workspace changed since the last listing. */
  readonly changed: boolean
}

export interface Captured {
  /** Head and tail are apart when `capped`. */
  readonly head: string
  readonly tail: string
  readonly bytes: number
  readonly capped: boolean
}

/** Longer scripts go into a file: Linux takes 128 KiB per argument, and quoting can quadruple a text. */
export const MAX_INLINE_SCRIPT_CHARS = 24 * 1024

export const outputFiles = (callId: string) => [`${STATE_DIRECTORY}/${callId}.out`, `${STATE_DIRECTORY}/${callId}.err`]

/**
 * Bash that runs one command with a deadline, in an own process group, with its output in files; prints what an answer
 * needs of them; kills what the command started if the deadline came; and ends stderr with one line for {@link readEnd}.
 * `coreutils timeout` keeps the deadline: it kills the whole group in one system call, also under a fork bomb. What left
 * the group is found by its environment, with shell builtins alone, since forking may be impossible then.
 */
export function wrap({ callId, script, cwd, timeoutMs, logs, ownPids, watchPort, sweep }: Wrapped): string {
  const [out = '', err = ''] = outputFiles(callId)
  const directory = shellQuote(cwd === '' ? '.' : `./${cwd}`)
  const run = typeof script === 'string' ? `bash -c ${shellQuote(script)}` : `bash ${script.file}`
  return `${sweep.length > 0 ? `rm -f ${sweep.join(' ')}\n` : ''}exec 3>&2 2>/dev/null
E() { printf '\\n@${callId} %s\\n' "$*" >&3; exit 0; }
cd ${SANDBOX_ROOT} || E gone
[ -d ${directory} ] || mkdir -p ${directory}; cd ${directory} || E cwd
export VIRTUAL_ENV=${SANDBOX_ROOT}/${ENVIRONMENT_DIRECTORY}
PATH=$VIRTUAL_ENV/bin:$PATH
${findMarked(ownPids)}
s=$EPOCHREALTIME
TOOLYARD_CALL=${callId} timeout -s KILL ${(timeoutMs / 1000).toFixed(3)} ${run} </dev/null >${out} 2>${err} 3>&-
c=$? e=$EPOCHREALTIME
[ $c = 137 ] && for i in {1..40}; do F ${callId}; [ \${#found[@]} = 0 ] && break; kill -KILL "\${found[@]}"; done
F '*'
z=(0 0)
if [ -s ${out} ] || [ -s ${err} ]; then z=($(stat -c %s ${out} ${err})); fi
${capture(out, '${z[0]}', '1', callId, logs?.stdout)}
${capture(err, '${z[1]}', '3', callId, logs?.stderr)}
d=1
${watchPort === null ? '' : askWatcher(watchPort, 'q', 'd')}
E ran $c $s $e \${z[0]} \${z[1]} \${#found[@]} $d`
}

/**
 * Defines `F`, which finds the processes of a call (`*`: of any) by their environment and puts their ids into `found`.
 * Shell builtins alone: forking may be impossible when it is needed.
 */
export const findMarked = (ownPids: readonly number[]) =>
  `F() { found=(); local p v; for p in /proc/[0-9]*; do
  [[ -O $p && " ${ownPids.join(' ')} $$ " != *" \${p#/proc/} "* ]] || continue
  while IFS= read -r -d '' v; do [[ $v == TOOLYARD_CALL=$1 ]] && { found+=(\${p#/proc/}); break; }; done < $p/environ; done; }`

/** Asks the watcher and puts its answer into a variable, which must hold `1` before. */
export const askWatcher = (port: number, question: 'q' | 'r', variable: string) =>
  `exec 5<>/dev/tcp/127.0.0.1/${port} && printf ${question} >&5 && read -r -t 1 -n 1 -u 5 ${variable}; exec 5>&-`

function capture(file: string, size: string, channel: string, callId: string, log?: WorkspacePath): string {
  const half = MAX_OUTPUT_BYTES / 2
  const target = log === undefined ? null : shellQuote(`${SANDBOX_ROOT}/${log}`)
  const keep = target ? `; mkdir -p ${SANDBOX_ROOT}/logs; head -c ${MAX_OUTPUT_FILE_BYTES} ${file} > ${target}` : ''
  return `if [ ${size} -gt ${MAX_OUTPUT_BYTES} ]; then { head -c ${half} ${file}; printf '\\n@${callId} cut\\n'; tail -c ${half} ${file}; } >&${channel}${keep}
elif [ ${size} -gt 0 ]; then cat ${file} >&${channel}; fi`
}

/**
 * Reads what a wrapped command printed.
 * @returns null when the last line is not there: the wrapper itself was killed
 */
export function readEnd(
  printed: { readonly stdout: string; readonly stderr: string },
  wrapped: Wrapped,
): Ended | 'gone' | 'cwd' | null {
  const mark = `\n@${wrapped.callId} `
  const at = printed.stderr.lastIndexOf(mark)
  if (at === -1) return null
  const [word, ...fields] = printed.stderr
    .slice(at + mark.length)
    .trim()
    .split(' ')
  if (word === 'gone' || word === 'cwd') return word
  const [exitCode = -1, start = 0, end = 0, outBytes = 0, errBytes = 0, background = 0, changed = 1] =
    fields.map(Number)
  return {
    exitCode,
    timedOut: exitCode === 137 && (end - start) * 1000 >= wrapped.timeoutMs - 5,
    stdout: captured(printed.stdout, outBytes, mark),
    stderr: captured(printed.stderr.slice(0, at), errBytes, mark),
    background: background > 0,
    changed: changed !== 0,
  }
}

function captured(text: string, bytes: number, mark: string): Captured {
  const cut = bytes > MAX_OUTPUT_BYTES ? text.indexOf(`${mark}cut\n`) : -1
  if (cut === -1) return { head: text, tail: '', bytes, capped: false }
  // A character may have been cut in two.
  const head = text.slice(0, cut).replace(/\ufffd{1,3}$/, '')
  const tail = text.slice(cut + mark.length + 'cut\n'.length).replace(/^\ufffd{1,3}/, '')
  return { head, tail, bytes, capped: true }
}
