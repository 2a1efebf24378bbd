import { shellQuote } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { STATE_DIRECTORY } from './place.ts'
import { WATCHER } from './watcher.ts'

/**
 * Prepares a new sandbox: the workspace's place, the task's Python environment, the watcher.
 * The environment sees the system's packages, so that it needs no pip of its own: 0.1 s where a full one takes 4.5 s.
 */
export const bootstrapScript = (unwatched: {
  readonly names: readonly string[]
  readonly paths: readonly string[]
}) => {
  const environment = `${SANDBOX_ROOT}/${VENV_DIR}`
  return `mkdir -p ${SANDBOX_ROOT} ${STATE_DIRECTORY} && cd ${SANDBOX_ROOT} || exit 90
python3 -m venv --without-pip --system-site-packages ${environment} >/dev/null 2>&1
for name in pip pip3; do printf '#!/bin/sh\\nexec "\${0%%/*}/python" -m pip "$@"\\n' > ${environment}/bin/$name; chmod +x ${environment}/bin/$name; done 2>/dev/null
echo ${shellQuote(WATCHER)} > ${STATE_DIRECTORY}/watch.py
port=
read -r -t 5 port < <(setsid python3 -I ${STATE_DIRECTORY}/watch.py ${unwatched.names.map(shellQuote).join(' ')} -- ${unwatched.paths.map(shellQuote).join(' ')} ${environment}/lib/python3*/site-packages 2>/dev/null </dev/null)
echo "$port"`
}

/** @returns the watcher's port, from what {@link bootstrapScript} printed; null when it could not be started */
export const readWatchPort = (stdout: string): number | null => Number(stdout.trim().split('\n').at(-1)) || null
