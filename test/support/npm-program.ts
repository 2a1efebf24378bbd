import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Path of a program from npm that is too large to be a dependency of everybody. It is installed below the system's temporary directory
 * when a test first needs it, and kept there for the next run.
 * @param spec package and its exact version, such as `@deno/linux-x64-glibc@2.9.6`
 * @param program path of the program below `node_modules`
 * @throws when npm cannot install it
 */
export function npmProgram(spec: string, program: string): string {
  const at = spec.lastIndexOf('@')
  const home = join(tmpdir(), `toolyard-${spec.slice(spec.lastIndexOf('/') + 1, at)}-${spec.slice(at + 1)}`)
  const path = join(home, 'node_modules', program)
  if (!existsSync(path)) install(spec, home, program)
  if (!existsSync(path)) throw new Error(`npm installed ${spec}, and yet there is no ${path}`)
  return path
}

/** Installs a package beside its place first: another test file may be doing the same. */
function install(spec: string, home: string, program: string): void {
  const made = mkdtempSync(`${home}-`)
  try {
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--prefix', made, '--no-audit', '--no-fund', '--ignore-scripts', spec],
      { encoding: 'utf8', cwd: made },
    )
    if (status !== 0) throw new Error(`these tests need ${spec} from npm, which could not be installed: ${stderr}`)
    // Sandboxes run as a user of their own.
    chmodSync(made, 0o755)
    chmodSync(join(made, 'node_modules', program), 0o755)
    mkdirSync(home, { recursive: true, mode: 0o755 })
    renameSync(join(made, 'node_modules'), join(home, 'node_modules'))
  } catch (thrown) {
    if (!existsSync(join(home, 'node_modules'))) throw thrown
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
