import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

/** End of a run of the command line. */
export interface CommandEnd {
  /** Exit code; null after a signal. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A checkout of the server, as far as a deployment needs one, whose commands are those of this repository. */
export interface Checkout {
  readonly path: string
  /** Arguments and environments of all programs that the command line started with Node. */
  startedPrograms(): Promise<string>
  /** Runs `toolyard` in it. @param onStart gets the process, the leader of a group of all that it starts */
  toolyard(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    onStart?: (child: ChildProcess) => void,
  ): Promise<CommandEnd>
  remove(): Promise<void>
}

/** Sources of a server that does nothing, with the classes that the configuration names. */
const SMALL_SERVER = `
import { DurableObject } from 'cloudflare:workers'
export class SessionObject extends DurableObject {}
export class TenantObject extends DurableObject {}
export class LeasesObject extends DurableObject {}
export class ConnectionObject extends DurableObject {}
export default { fetch: () => new Response('hello') }
`

/**
 * Makes a checkout.
 * @param main program of the command line
 * @param server `whole` uploads this repository's own server, `small` one that is quick to build
 */
export async function newCheckout(main: string, server: 'whole' | 'small'): Promise<Checkout> {
  const path = await mkdtemp(join(tmpdir(), 'toolyard-checkout-'))
  for (const name of ['package.json', 'package-lock.json', 'wrangler.toml', 'wrangler.reader.toml', 'migrations'])
    await cp(join(ROOT, name), join(path, name), { recursive: true })
  await mkdir(join(path, 'node_modules/.bin'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '.bin') await symlink(join(ROOT, 'node_modules', name), join(path, 'node_modules', name))
  const log = join(path, 'started-programs')
  const node = join(path, 'node_modules/.bin/node')
  await writeFile(node, `#!/bin/bash\n{ printf '%s\\n' "$@"; env; } >> '${log}'\nexec '${process.execPath}' "$@"\n`)
  await chmod(node, 0o755)
  await mkdir(join(path, 'scripts'))
  for (const name of ['start.mjs', 'build-template.mjs'])
    await symlink(join(ROOT, 'scripts', name), join(path, 'scripts', name))
  // The files that it makes are those of other tests, too.
  await writeFile(join(path, 'scripts/copy-assets.mjs'), '')
  if (server === 'whole') await symlink(join(ROOT, 'src'), join(path, 'src'))
  else {
    await mkdir(join(path, 'src/assets'), { recursive: true })
    await mkdir(join(path, 'src/reader'))
    await writeFile(join(path, 'src/index.ts'), SMALL_SERVER)
    await writeFile(join(path, 'src/reader/worker.ts'), 'export default { fetch: () => new Response() }\n')
    await writeFile(join(path, 'src/assets/llms.txt'), 'nothing\n')
  }
  return {
    path,
    startedPrograms: () => readFile(log, 'utf8'),
    async toolyard(args, env, onStart) {
      const child = spawn(process.execPath, [main, ...args], {
        cwd: path,
        env: { PATH: process.env.PATH ?? '', HOME: path, ...env } as unknown as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      onStart?.(child)
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, stdout, stderr }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
