import { PACKAGES_INSTALL_MS } from '../../core/limits.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import type { Sandbox } from '../../ports/sandbox.ts'

const PYTHON = `${SANDBOX_ROOT}/${VENV_DIR}/bin/python`

/** Names what is installed in the task's environment: one directory per distribution, no program to start. */
export const DISTRIBUTIONS_SCRIPT = `printf '%s\\n' ${SANDBOX_ROOT}/${VENV_DIR}/lib/python3*/site-packages/*.dist-info`

/** Reads what {@link DISTRIBUTIONS_SCRIPT} printed into `name==version`, sorted. */
export function readDistributions(stdout: string): string[] {
  return stdout
    .split('\n')
    .flatMap((line) => /\/([^/*]+)-([^-/]+)\.dist-info$/.exec(line.trim())?.slice(1, 3).join('==') ?? [])
    .sort()
}

export interface Installed {
  /** `name==version` of all that is there now. */
  readonly packages: readonly string[]
  /** Specifiers that could not be installed. */
  readonly failed: readonly string[]
}

/**
 * Installs into a new sandbox what the task had: what it asked for, at the versions that it had then, and what came into
 * its environment by other ways. All at once first; when that fails one by one, so that one bad package costs only itself.
 */
export async function installPackages(
  sandbox: Sandbox,
  {
    specs,
    pins,
    env,
    signal,
  }: {
    readonly specs: readonly string[]
    readonly pins: readonly string[]
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
): Promise<Installed> {
  const named = new Set(specs.flatMap((spec) => /^[A-Za-z0-9._-]+/.exec(spec)?.[0].toLowerCase() ?? []))
  const extra = pins.filter((pin) => !named.has(pin.split('==')[0]?.toLowerCase() ?? ''))
  const script = `cd ${SANDBOX_ROOT} || exit 90
P() { ${PYTHON} -m pip install --quiet --no-input "$@" </dev/null >/dev/null 2>&1; }
C=$(mktemp); printf '%s\\n' ${pins.map(shellQuote).join(' ')} > $C
S=(${specs.map(shellQuote).join(' ')}); X=(${extra.map(shellQuote).join(' ')})
if ! P -c $C "\${S[@]}" "\${X[@]}"; then
  for s in "\${S[@]}"; do P -c $C "$s" || P "$s" || printf 'failed %s\\n' "$s"; done
  for x in "\${X[@]}"; do P "$x" || P --no-deps "$x" || printf 'failed %s\\n' "$x"; done
fi
rm -f $C
${DISTRIBUTIONS_SCRIPT}`
  const { stdout } = await sandbox.run(script, { timeoutMs: PACKAGES_INSTALL_MS, env, signal })
  return {
    packages: readDistributions(stdout),
    failed: stdout.split('\n').flatMap((line) => /^failed (.*)$/.exec(line)?.[1] ?? []),
  }
}
