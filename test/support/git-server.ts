import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface GitServer {
  /** `https://127.0.0.1:port`, or http. */
  readonly url: string
  /** The commit that `main` points at. */
  readonly commit: string
  /** The Authorization headers that came in. */
  readonly authorizations: string[]
  /** The server's own, as PEM; null without TLS. */
  readonly certificate: string | null
}

interface GitServerOptions {
  readonly tls?: boolean
  /** Credentials that the server demands, as `user:password`; none when absent. */
  readonly auth?: string
  /** Base URL to which every request is redirected. */
  readonly redirectTo?: string
}

/** Git server for one test; see {@link startGitServer}. */
export async function gitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const { stop, ...server } = await startGitServer(options)
  onTestFinished(stop)
  return server
}

/**
 * git's own server program over HTTP on this machine, with `project.git`, and `empty.git` without commits.
 */
export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer & { stop(): void }> {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'))
  const commit = makeRepositories(root)
  const authorizations: string[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { authorization } = request.headers
    if (authorization) authorizations.push(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString())
    if (options.redirectTo) {
      response.writeHead(302, { location: options.redirectTo + request.url }).end()
    } else if (options.auth && authorizations.at(-1) !== options.auth) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    } else serve(root, request, response)
  }
  const pair = options.tls ? certificate(root) : null
  const server = pair ? createHttps(pair, handle) : createHttp(handle)
  const own = pair?.cert.toString() ?? null
  const distrust = own === null ? () => undefined : trust(own)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    distrust()
    server.closeAllConnections()
    server.close()
    rmSync(root, { recursive: true, force: true })
  }
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    commit,
    authorizations,
    certificate: own,
    stop,
  }
}

/** Requests of this process take the certificate, until the function that comes back is called. */
function trust(certificate: string): () => void {
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  return () => setDefaultCACertificates(getCACertificates('default').filter((each) => each !== certificate))
}

function makeRepositories(root: string): string {
  const git = (cwd: string, ...args: string[]) => {
    const author = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main']
    return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  }
  const work = join(root, 'work')
  mkdirSync(work)
  git(root, 'init', 'work')
  execFileSync('sh', ['-c', 'echo "# Project" > README.md; mkdir src; echo 1 > src/a.txt'], { cwd: work })
  git(work, 'add', '.')
  git(work, 'commit', '-m', 'Start it: "quotes", ünicode\n\nbody', '--date', '2026-01-02T03:04:05+0100')
  git(work, 'tag', 'v1')
  git(work, 'checkout', '-b', 'feature/x')
  git(work, 'commit', '--allow-empty', '-m', 'On a branch')
  git(work, 'checkout', '-b', 'submodule')
  writeFileSync(
    join(work, '.gitmodules'),
    '[submodule "sub"]\n\tpath = sub\n\turl = https://elsewhere.example/sub.git\n',
  )
  git(work, 'add', '.')
  git(work, 'update-index', '--add', '--cacheinfo', `160000,${git(work, 'rev-parse', 'HEAD').trim()},sub`)
  git(work, 'commit', '-m', 'With a submodule')
  git(work, 'checkout', '--force', 'main')
  git(root, 'clone', '--bare', 'work', 'project.git')
  git(root, 'init', '--bare', 'empty.git')
  return git(work, 'rev-parse', 'HEAD').trim()
}

function certificate(root: string) {
  const [key, cert] = [join(root, 'key.pem'), join(root, 'cert.pem')]
  const make = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE -keyout ${key} -out ${cert}`
  execFileSync('openssl', make.split(' '), { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

/** Serves one request by CGI: the program's output is headers, an empty line, and the body. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host')
  const variables = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'],
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    GIT_PROTOCOL: request.headers['git-protocol'],
    REMOTE_ADDR: '127.0.0.1',
  }
  const child = spawn('git', ['http-backend'], {
    env: variables as unknown as NodeJS.ProcessEnv, // the Worker's variables are declared there as always set
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const headers = answer.subarray(0, end).toString().split('\r\n')
    for (const header of headers) {
      const [name = '', value = ''] = header.split(': ')
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.end(answer.subarray(end + 4))
  })
}
