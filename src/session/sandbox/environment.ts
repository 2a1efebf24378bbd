import { FailureError } from '../../core/failure.ts'
import { MAX_DISTRIBUTIONS, PACKAGES_INSTALL_MS } from '../../core/limits/sandbox.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { bashCall, bashProgram } from '../../guest/bash-program.ts'
import INSTALL_PACKAGES from '../../guest/tools/install_packages.sh' with { type: 'text' }
import type { Sandbox } from '../../ports/sandbox.ts'

const PYTHON = `${SANDBOX_ROOT}/${VENV_DIR}/bin/python`
const PLACES = `${SANDBOX_ROOT}/${VENV_DIR}/lib/python3*/site-packages/*.dist-info`

/**
 * Bash that names the packages in the task's environment: one directory per distribution, without starting a program. A package
 * from a file, a directory or a URL has `direct_url.json` (https://packaging.python.org/en/latest/specifications/direct-url/).
 */
export const DISTRIBUTIONS_SCRIPT = `printf '%s\\n' ${PLACES} ${PLACES}/direct_url.json`

/** Longest line: a path and a name, as Linux bounds them. */
const MAX_DISTRIBUTION_LINE_CHARS = 8 * 1024

/** An installed package of a Python environment. */
export interface Distribution {
  /** `name==version`. */
  readonly pin: string
  /** True for a package from elsewhere than an index, where its name may belong to somebody else. */
  readonly direct: boolean
}

/** Reads what {@link DISTRIBUTIONS_SCRIPT} printed, sorted; entries beyond MAX_DISTRIBUTIONS are passed over. */
export function readDistributions(stdout: string): Distribution[] {
  const found = new Map<string, boolean>()
  for (const line of stdout.split('\n')) {
    if (found.size >= MAX_DISTRIBUTIONS) break
    if (line.length > MAX_DISTRIBUTION_LINE_CHARS) continue
    const [, name, version, file] = /\/([^/*]+)-([^-/*]+)\.dist-info(\/direct_url\.json)?$/.exec(line.trim()) ?? []
    if (name && version) found.set(`${name}==${version}`, file !== undefined)
  }
  return [...found].map(([pin, direct]) => ({ pin, direct })).sort((a, b) => (a.pin < b.pin ? -1 : 1))
}

/** Package name in a specifier or a pin, as indexes compare names; null for a path or a URL. */
export function packageName(spec: string): string | null {
  const [, name] = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[|[<>=!~(;@]|$)/.exec(spec) ?? []
  return name && !/\.(?:whl|zip|tar\.gz)$/.test(name) ? name.toLowerCase().replace(/[-_.]+/g, '-') : null
}

/**
 * Installs the task's earlier packages into a new sandbox: the requested ones, at the versions that they had, and those that came
 * into its environment by other ways.
 * @returns the packages there now; the caller compares
 */
export async function installPackages(
  sandbox: Sandbox,
  {
    specs,
    had,
    env,
    signal,
  }: {
    readonly specs: readonly string[]
    readonly had: readonly Distribution[]
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
): Promise<{ readonly packages: readonly Distribution[]; readonly failed: readonly string[] }> {
  const named = new Set(specs.map(packageName))
  const pins = had.filter(({ direct }) => !direct).map(({ pin }) => pin)
  const extra = pins.filter((pin) => !named.has(packageName(pin)))
  const list = (name: string, words: readonly string[]) => `${name}=(${words.map(shellQuote).join(' ')})`
  const script = `cd ${SANDBOX_ROOT} || exit 90
${list('pins', pins)}; ${list('specs', specs)}; ${list('extra', extra)}
${bashProgram(INSTALL_PACKAGES)}${bashCall('install_packages', PYTHON)}
${DISTRIBUTIONS_SCRIPT}`
  try {
    const { stdout } = await sandbox.run(script, { timeoutMs: PACKAGES_INSTALL_MS, env, signal })
    return {
      packages: readDistributions(stdout),
      failed: stdout.split('\n').flatMap((line) => /^failed (.*)$/.exec(line)?.[1] ?? []),
    }
  } catch (thrown) {
    // A sandbox without its packages is of more use than none.
    if (thrown instanceof FailureError && thrown.failure.code === 'timeout') return { packages: [], failed: specs }
    throw thrown
  }
}
