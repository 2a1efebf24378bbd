import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { CliError } from '../failure.ts'
import { nodeOf } from '../package-root.ts'
import { runChild } from './child.ts'

/** Lines of wrangler's output that a failure shows. */
const SHOWN_LINES = 12

interface WranglerSettings {
  /** Directory of the checkout. */
  readonly root: string
  /** Environment without secrets of the server. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** wrangler's command line, of the version in the checkout. It asks nobody, and keeps no log of what it sends. */
export class Wrangler {
  readonly #settings: WranglerSettings
  /** Account that it works in; null before it is known. */
  accountId: string | null = null

  constructor(settings: WranglerSettings) {
    this.#settings = settings
  }

  /**
   * Runs it.
   * @param input text for its stdin, such as secrets
   * @returns what it printed on stdout
   * @throws CliError with the end of its output
   */
  async run(args: readonly string[], input?: string): Promise<string> {
    const { root, signal } = this.#settings
    const { code, stdout, output } = await runChild({
      program: nodeOf(root),
      args: [join(root, 'node_modules/wrangler/wrangler-dist/cli.js'), ...args],
      cwd: root,
      env: this.#environment(),
      ...(input !== undefined && { input }),
      signal,
    })
    if (code === 0) return stdout
    throw new CliError(`${wranglerCommand(args)} ended with ${code ?? 'a signal'}`, failureText(output))
  }

  #environment(): Record<string, string | undefined> {
    const { CLOUDFLARE_ENV: _, ...env } = this.#settings.env
    return {
      ...env,
      ...(this.accountId !== null && { CLOUDFLARE_ACCOUNT_ID: this.accountId }),
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
    }
  }
}

/** A command of wrangler as it would be typed. */
export const wranglerCommand = (args: readonly string[]): string => `npx wrangler ${args.join(' ')}`

/** Reason in wrangler's output for a failure: its error and the lines behind, without colours. */
function failureText(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const error = lines.findIndex((line) => /error/i.test(line))
  return lines.slice(error < 0 ? -SHOWN_LINES : error, error < 0 ? undefined : error + SHOWN_LINES).join(' ')
}
