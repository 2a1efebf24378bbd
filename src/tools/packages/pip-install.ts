import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { STREAM_CHARS } from '../../core/limits/answers.ts'
import { MAX_REASON_CHARS, PIP_INSTALL_MS } from '../../core/limits/sandbox.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { Ports } from '../../ports/index.ts'
import type { CommandResult } from '../../ports/runner.ts'
import { oneOrMoreTexts } from '../arguments.ts'
import { commandNotices } from '../command-result.ts'
import { defineTool } from '../define.ts'
import { INSTALL_SCRIPT, lastWords } from './install-script.ts'
import type { Requirement } from './requirement.ts'
import { requirementList } from './requirement-list.ts'

/**
 * Installs packages, with one run of pip per package, so that a bad one fails alone.
 * Source: Tool Server, tools/code_tools, PipInstallTool; unlike there, the results of a failed call are returned.
 */
export const pipInstall = defineTool({
  name: 'pip_install',
  description:
    "Install Python packages into the task's virtual environment in the sandbox, for execute_code and execute_shell. They " +
    `are put back when the sandbox is replaced. One call may take ${PIP_INSTALL_MS / 60_000} minutes. Returns results: for ` +
    'each package success, stdout and stderr.',
  effect: 'run',
  uses: ['runner', 'packages', 'clock', 'workspace'],
  input: z.object({
    packages: oneOrMoreTexts.describe(
      'As pip takes them, e.g. ["requests", "numpy>=2"]; also https and git+https URLs, and, relative to the task root, "./upload/x.whl", "./dir", "-e ./dir", "-r requirements.txt"',
    ),
  }),

  async run({ packages }, { ports }) {
    const { wanted, notes } = await requirementList(packages, ports.workspace)
    const deadlineMs = ports.clock.now() + PIP_INSTALL_MS
    const results: PackageResult[] = []
    for (const one of wanted) results.push(await install(one, deadlineMs, ports))

    const text = results
      .map((result) => `${result.package}: ${result.success ? 'installed' : lastWords(result)}`)
      .join('\n')
    const failed = results.filter(({ success }) => !success)
    if (failed.length === 0)
      return { text: [text, ...notes].join('\n'), data: { results, ...(notes.length > 0 && { notes }) } }
    const message = `${failed.length} of ${results.length} packages could not be installed: ${reasonsOf(failed)}`
    fail('upstream', message.slice(0, MAX_REASON_CHARS), { data: { results: results.map(withoutIndexWords) } })
  },
})

/** Packages that could not be installed, each reason once, behind the packages that it holds for. */
function reasonsOf(failed: readonly PackageResult[]): string {
  const reasons = new Map<string, string[]>()
  for (const result of failed) {
    const reason = lastWords(result)
    reasons.set(reason, [...(reasons.get(reason) ?? []), result.package])
  }
  return [...reasons].map(([reason, packages]) => `${packages.join(', ')} (${reason})`).join(', ')
}

/** A result whose words on the index, which the message has whole, are cut to what they say. */
const withoutIndexWords = (result: PackageResult): PackageResult => ({
  ...result,
  stderr: result.stderr.replace(/^(ERROR: the package index cannot be reached from the sandbox):.*$/m, '$1'),
})

interface PackageResult {
  readonly package: string
  readonly success: boolean
  readonly stdout: string
  readonly stderr: string
}

async function install(
  { spec, shown, secrets, isEditable }: Requirement,
  deadlineMs: number,
  { runner, packages, clock }: Pick<Ports, 'runner' | 'packages' | 'clock'>,
): Promise<PackageResult> {
  const timeoutMs = deadlineMs - clock.now()
  if (timeoutMs <= 0) return { package: shown, success: false, stdout: '', stderr: `not tried: ${OUT_OF_TIME}` }
  const result = await runner.run({
    script: INSTALL_SCRIPT,
    cwd: ROOT,
    env: { TOOLYARD_REQUIREMENT: spec, ...(isEditable && { TOOLYARD_EDITABLE: 'true' }) },
    timeoutMs,
    secrets,
    maxChars: STREAM_CHARS,
    isShown: true,
    label: 'pip_install',
  })
  const success = result.exitCode === 0 && !result.timedOut
  if (success && secrets.length === 0) packages.installed([spec])
  return { package: shown, success, ...outputs(result), ...commandNotices(result, success ? notKept(secrets) : []) }
}

function outputs({ stdout, stderr, timedOut }: CommandResult) {
  return { stdout: stdout.text, stderr: timedOut ? `${stderr.text}\nstopped: ${OUT_OF_TIME}` : stderr.text }
}

const OUT_OF_TIME = `one call has ${PIP_INSTALL_MS / 60_000} minutes; install fewer packages at once`

/** Note about a package that needs a credential: credentials are never kept, so it cannot be installed again. */
const notKept = (secrets: readonly string[]) =>
  secrets.length > 0 ? ['not put back when the sandbox is replaced: its URL has a credential, which is not kept'] : []
