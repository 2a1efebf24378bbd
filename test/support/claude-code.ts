import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GROUPS } from '../../scripts/packages.mjs'

const PACKAGE = GROUPS.claude.npm
const VERSION = PACKAGE.slice(PACKAGE.lastIndexOf('@') + 1)
const PROGRAM = join('node_modules', '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude')
/** Path at which `node scripts/setup.mjs --tests` installs the program. */
const INSTALLED = '/usr/local/lib/node_modules/@anthropic-ai/claude-code'

/** Environment of a sandbox host whose sandboxes have {@link claudeCode} at `/opt/claude/claude`. */
export const claudeCodeForSandboxes = (): Readonly<Record<string, string>> => ({
  SANDBOXD_BINDS: `${claudeCode()}:/opt/claude/claude`,
})

/**
 * Path of the real Claude Code CLI, as setup installed it; or else from npm, kept for the next run: it is too large (377 MB) to be
 * a dependency of everybody.
 * @throws when npm cannot install it
 */
export function claudeCode(): string {
  if (isInstalled()) return join(INSTALLED, PROGRAM)
  const home = join(tmpdir(), `toolyard-claude-code-${VERSION}`)
  const program = join(home, PROGRAM)
  if (!existsSync(program)) install(home)
  if (!existsSync(program)) throw new Error(`npm installed Claude Code, and yet there is no ${program}`)
  return program
}

function isInstalled(): boolean {
  if (!existsSync(join(INSTALLED, PROGRAM))) return false
  const { version } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as { version: string }
  return version === VERSION
}

/** Installs the program beside its place first: another test file may be doing the same. */
function install(home: string): void {
  const made = mkdtempSync(`${home}-`)
  try {
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--prefix', made, '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE],
      { encoding: 'utf8', cwd: made },
    )
    if (status !== 0) throw new Error(`these tests need Claude Code from npm, which could not be installed: ${stderr}`)
    // Sandboxes run as a user of their own.
    chmodSync(made, 0o755)
    mkdirSync(home, { recursive: true, mode: 0o755 })
    renameSync(join(made, 'node_modules'), join(home, 'node_modules'))
  } catch (thrown) {
    if (!existsSync(join(home, 'node_modules'))) throw thrown
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
