import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'

/** Directory of the official suite, `@modelcontextprotocol/conformance`. */
const SUITE = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'))
const PROGRAM = join(SUITE, 'dist/index.js')
/** Cache of Node's compiled code: a run is several processes of one program. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/toolyard-compiled')

/** Time that one scenario may take, in milliseconds: three times the suite's own, for a machine that has other things to do. */
const PATIENT = ['--timeout', '90000']

/** Check of a scenario, as the suite writes it. */
export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** Checks of each scenario that ran, by its name. One that left no checks failed before it wrote them. */
export type Results = ReadonlyMap<string, readonly Check[]>

/**
 * Runs scenarios of the suite against a server.
 * @param args those of `conformance server` besides its URL
 * @param begins called with each scenario's name when it begins
 * @throws Error when the suite could not run
 */
export async function runSuite(
  url: string,
  args: readonly string[],
  begins: (scenario: string) => void,
): Promise<Results> {
  const output = mkdtempSync(join(tmpdir(), 'toolyard-conformance-'))
  try {
    const child = spawn(
      process.execPath,
      [PROGRAM, 'server', '--url', url, ...args, ...PATIENT, '--output-dir', output],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
      },
    )
    const closed = once(child, 'close')
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_000)
    })
    const begun: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      const [, scenario] = /^(?:=== Running scenario: (\S+) ===|Running client scenario '(\S+)')/.exec(line) ?? []
      if (scenario === undefined) continue
      begun.push(scenario)
      begins(scenario)
    }
    await closed
    const written = readResults(output)
    if (written.size === 0) throw new Error(`the conformance suite did not run: ${errors.trim()}`)
    return new Map([...begun.map((scenario) => [scenario, NOT_WRITTEN] as const), ...written])
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

const NOT_WRITTEN: readonly Check[] = [
  { id: 'scenario-runs', status: 'FAILURE', errorMessage: 'the suite wrote no checks of it' },
]

function readResults(directory: string): Results {
  const results = new Map<string, readonly Check[]>()
  for (const name of readdirSync(directory)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name) ?? []
    const file = join(directory, name, 'checks.json')
    if (scenario !== undefined && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, 'utf8')))
  }
  return results
}

/** Scenarios that a revision requires of servers, frozen at its release. */
export function requiredScenarios(revision: string): ReadonlySet<string> {
  const { server } = parse(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8')) as {
    readonly server: readonly string[]
  }
  return new Set(server)
}
