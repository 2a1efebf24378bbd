import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { scratchDirectory } from './sandboxd.ts'

const run = promisify(execFile)

/** A package index and a git host on this machine, so that tests need no network. */
export interface LocalInternet {
  /** `host:port`, for the sandboxes' allow list. The addresses below are those inside sandboxes. */
  readonly host: string
  readonly packageIndex: string
  /** Repository with the branches `main` and `other`. */
  readonly repository: string
  stop(): Promise<void>
}

export async function startLocalInternet(packages: readonly string[]): Promise<LocalInternet> {
  const root = await scratchDirectory()
  await Promise.all([makeIndex(root, packages), makeRepository(root)])
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    try {
      const body = await readFile(join(root, pathname.endsWith('/') ? `${pathname}index.html` : pathname))
      response.writeHead(200, { 'Content-Type': pathname.endsWith('/') ? 'text/html' : 'application/octet-stream' })
      response.end(body)
    } catch {
      response.writeHead(404).end() // pip and git both ask for files that need not be there
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  const inside = `http://host.sandbox.internal:${port}`
  return {
    host: `127.0.0.1:${port}`,
    packageIndex: `${inside}/simple/`,
    repository: `${inside}/project.git`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A page per package, as PEP 503 has it, and a wheel of version 1.0 that holds one module. */
async function makeIndex(root: string, packages: readonly string[]) {
  for (const name of packages) {
    const page = join(root, 'simple', name)
    const wheel = `${name}-1.0-py3-none-any.whl`
    await mkdir(page, { recursive: true })
    await writeFile(join(page, 'index.html'), `<a href="${wheel}">${wheel}</a>`)
    await run('python3', ['-c', MAKE_WHEEL, join(page, wheel), name])
  }
}

const MAKE_WHEEL = `
import sys, zipfile
path, name = sys.argv[1:]
info = f'{name}-1.0.dist-info'
with zipfile.ZipFile(path, 'w') as wheel:
    wheel.writestr(f'{name}/__init__.py', f'__version__ = "1.0"\\n')
    wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n')
    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{info}/RECORD', f'{name}/__init__.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n{info}/RECORD,,\\n')
`

async function makeRepository(root: string) {
  const work = join(root, 'work')
  await mkdir(work)
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main']
  const git = (...args: string[]) => run('git', [...identity, ...args], { cwd: work })
  await git('init', '--quiet')
  await writeFile(join(work, 'README.md'), '# Project\n')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin\n\nWith a body.')
  await git('checkout', '--quiet', '-b', 'other')
  await writeFile(join(work, 'other.txt'), 'other\n')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Add the other file')
  await git('checkout', '--quiet', 'main')
  await git('clone', '--quiet', '--bare', work, join(root, 'project.git'))
  await run('git', ['update-server-info'], { cwd: join(root, 'project.git') })
}
