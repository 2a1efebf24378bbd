import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { blocksIn, pageOrSection } from './documents.ts'

/** Commands of a walk that stand in one block, what they printed, and what the page says that they print. */
export interface Step {
  readonly commands: string
  readonly printed: string
  /** Undefined where the page prints nothing below the block. */
  readonly expected: RegExp | undefined
}

/**
 * Runs all bash blocks of a page in their order, in one shell in a directory of its own, against the server at `url`.
 * @param page its path, and behind # the heading of the section that is meant alone
 * @param printedUrl URL that the page has for the server's
 * @param env variables of the shell besides its usual ones
 */
export async function walk(
  page: string,
  printedUrl: string,
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Step[]> {
  const blocks = blocksIn(pageOrSection(page))
  const steps = blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1]
    const output = next?.language === 'text' ? next.text : undefined
    return language === 'bash' ? [{ commands: text, output }] : []
  })
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-walk-'))
  try {
    const script = steps.map(({ commands }) => `${commands}\nprintf '${END}'\n`).join('')
    const shell = await promisify(execFile)('bash', ['-c', `exec 2>&1\n${script.replaceAll(printedUrl, url)}`], {
      cwd: directory,
      env: { ...process.env, ...env },
      maxBuffer: 16 * 2 ** 20,
    })
    const printed = shell.stdout.replaceAll('\r\n', '\n').split(END_PRINTED)
    return steps.map(({ commands, output }, at) => ({
      commands,
      printed: printed[at]?.trim() ?? '',
      expected: output === undefined ? undefined : asPattern(output.trim()),
    }))
  } finally {
    await rm(directory, { recursive: true })
  }
}

const END = '\\036'
const END_PRINTED = '\x1e'

/** Pattern of an output in which `…` stands for anything in a line, and alone in a line for any lines. */
function asPattern(output: string): RegExp {
  const lines = output.split('\n').map((line) =>
    line === '…'
      ? '[^]*?'
      : line
          .split('…')
          .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
          .join('.*?'),
  )
  return new RegExp(`^${lines.join('\n+')}$`)
}
