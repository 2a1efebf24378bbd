import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GROUPS } from '../../scripts/packages.mjs'
import { npmProgram } from './npm-program.ts'

const PACKAGE = GROUPS.claude.npm
const VERSION = PACKAGE.slice(PACKAGE.lastIndexOf('@') + 1)
const PROGRAM = join('@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude')
/** Path at which `node scripts/setup.mjs --tests` installs the program. */
const INSTALLED = '/usr/local/lib/node_modules/@anthropic-ai/claude-code'

/** Environment of a sandbox host whose sandboxes have {@link claudeCode} at `/opt/claude/claude`. */
export const claudeCodeForSandboxes = (): Readonly<Record<string, string>> => ({
  SANDBOXD_BINDS: `${claudeCode()}:/opt/claude/claude`,
})

/**
 * Path of the real Claude Code CLI, as setup installed it; or else from npm: it is too large (377 MB) to be a dependency of everybody.
 * @throws when npm cannot install it
 */
export const claudeCode = (): string =>
  isInstalled() ? join(INSTALLED, 'node_modules', PROGRAM) : npmProgram(PACKAGE, PROGRAM)

function isInstalled(): boolean {
  if (!existsSync(join(INSTALLED, 'node_modules', PROGRAM))) return false
  const { version } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as { version: string }
  return version === VERSION
}
