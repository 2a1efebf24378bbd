import { fail } from '../../core/failure.ts'
import { GIT_CLONE_MS, MAX_GIT_PACK_BYTES, MAX_GIT_REFS_BYTES } from '../../core/limits/sandbox.ts'
import { readAll } from '../../core/read-all.ts'
import { streamOfPieces } from '../../core/stream-of-pieces.ts'
import { withoutLast } from '../../core/without-last.ts'
import type { Http, HttpRequest, HttpStream } from '../../ports/http.ts'
import { basicAuth, type Credentials } from '../url-credentials.ts'
import { type Advertised, readAdvertised } from './advertised.ts'
import { FLUSH, notOfGit, pktLine } from './pkt-line.ts'
import { SideBand } from './side-band.ts'

/**
 * Client for a private repository over git's "smart" HTTP protocol (version 0, which all servers speak) and the guarded
 * port: the credentials never come into a sandbox, where code of the task could take them.
 * @see https://git-scm.com/docs/http-protocol
 */
export class UploadPack {
  readonly #http: Http
  readonly #url: string
  readonly #authorization: string

  /** @param url without credentials */
  constructor(http: Http, url: string, credentials: Credentials) {
    this.#http = http
    this.#url = withoutLast(url, '/')
    this.#authorization = `Basic ${basicAuth(credentials)}`
  }

  /** Reads the refs. @throws FailureError `upstream` when the server lacks the repository, or does not open it */
  async advertised(signal: AbortSignal): Promise<Advertised> {
    const request = { maxBytes: MAX_GIT_REFS_BYTES }
    const { body } = await this.#open('/info/refs?service=git-upload-pack', request, signal)
    const bytes = await readAll(body, MAX_GIT_REFS_BYTES)
    if (bytes) return readAdvertised(bytes)
    return fail('limit_exceeded', `the list of branches has more than ${MAX_GIT_REFS_BYTES} bytes (MAX_GIT_REFS_BYTES)`)
  }

  /**
   * Objects of all refs as a bundle, which `git clone` takes for a repository.
   * @see https://git-scm.com/docs/gitformat-bundle
   */
  async bundle({ refs, format, capabilities }: Advertised, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    if (!capabilities.has('side-band-64k')) fail('upstream', `the server of '${this.#url}' speaks too old a git`)
    const requested = ['side-band-64k', 'multi_ack_detailed', 'ofs-delta'].filter((each) => capabilities.has(each))
    const wants = [...new Set(refs.values())].map((id, at) => {
      const more = at === 0 ? ` ${[...requested, `object-format=${format}`, 'agent=toolyard'].join(' ')}` : ''
      return pktLine(`want ${id}${more}\n`)
    })
    const request = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-git-upload-pack-request' },
      body: `${wants.join('')}${FLUSH}${pktLine('done\n')}`,
      maxBytes: MAX_GIT_PACK_BYTES,
    }
    const { body } = await this.#open('/git-upload-pack', request, signal)
    const version = format === 'sha1' ? '# v2 git bundle\n' : '# v3 git bundle\n@object-format=sha256\n'
    const head = `${version}${[...refs].map(([name, id]) => `${id} ${name}\n`).join('')}\n`
    return streamOfPieces(bundlePieces(head, body.getReader()))
  }

  async #open(
    path: string,
    request: Pick<HttpRequest, 'maxBytes'> & Partial<HttpRequest>,
    signal: AbortSignal,
  ): Promise<HttpStream> {
    const url = `${this.#url}${path}`
    const headers = { ...request.headers, Authorization: this.#authorization, 'User-Agent': 'git/2 (toolyard)' }
    const answer = await this.#http.open({ ...request, url, headers, timeoutMs: GIT_CLONE_MS }, signal)
    if (answer.status === 200 && isOfGit(answer)) return answer
    await answer.body.cancel()
    const [requested, answered] = [new URL(url), new URL(answer.url)]
    if (answered.origin !== requested.origin) {
      fail(
        'upstream',
        `${requested.host} sends on to ${answered.host}, where the token does not go; give the address there`,
      )
    }
    if (answer.status === 401 || answer.status === 403) fail('upstream', `Authentication failed for '${this.#url}'`)
    if (answer.status === 404 || answer.status === 410) fail('upstream', `repository '${this.#url}' not found`)
    if (answer.status === 200) fail('upstream', `'${this.#url}' is not a git repository that is served over HTTP`)
    return fail('upstream', `${answered.host} answered ${answer.status}; try again later`)
  }
}

async function* bundlePieces(head: string, packed: ReadableStreamDefaultReader<Uint8Array>) {
  yield new TextEncoder().encode(head)
  const band = new SideBand()
  try {
    for (let next = await packed.read(); !next.done && !band.hasEnded; next = await packed.read()) {
      const pack = band.take(next.value)
      if (pack.length > 0) yield pack
    }
    if (!band.hasEnded) notOfGit('ends early')
  } finally {
    await packed.cancel().catch(() => undefined) // the pack may have failed itself, and that failure is reported already
  }
}

const isOfGit = ({ headers }: HttpStream) =>
  /^application\/x-git-upload-pack-(?:advertisement|result)\b/.test(headers.get('content-type') ?? '')
