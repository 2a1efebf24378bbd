import { notOfGit, pktLines, refused } from './pkt-line.ts'

/** Branches and tags that a remote repository advertises. */
export interface Advertised {
  /** Object ids by full name, `HEAD` included. */
  readonly refs: ReadonlyMap<string, string>
  /** Branch that `HEAD` stands for; null when it stands for a commit, or the server does not say. */
  readonly head: string | null
  /** Format of the object ids. */
  readonly format: 'sha1' | 'sha256'
  readonly capabilities: ReadonlySet<string>
}

const REF = /^(?:HEAD|refs\/(?:heads|tags)\/[^\s\0-\x20\x7f]+)$/
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const HEAD_BRANCH = 'symref=HEAD:refs/heads/'

/**
 * Reads a server's advertisement of a repository.
 * @throws FailureError `upstream` when it is none
 * @see https://git-scm.com/docs/pack-protocol#_reference_discovery
 */
export function readAdvertised(bytes: Uint8Array): Advertised {
  const refs = new Map<string, string>()
  let capabilities: readonly string[] = []
  let sections = 0
  for (const line of pktLines(bytes)) {
    if (line === null) {
      sections += 1
      continue
    }
    if (line.startsWith('ERR ')) refused(line)
    const [ref = '', capabilityList] = line.split('\0', 2)
    if (capabilityList !== undefined) capabilities = capabilityList.split(' ')
    const blank = ref.indexOf(' ')
    const [id, name] = [ref.slice(0, blank), ref.slice(blank + 1)]
    if (ID.test(id) && REF.test(name) && !name.endsWith('^{}')) refs.set(name, id)
  }
  // One flush ends the service's name, another one the refs.
  if (sections < 2) notOfGit('ends early')
  const head = capabilities.find((each) => each.startsWith(HEAD_BRANCH))?.slice(HEAD_BRANCH.length) ?? null
  return {
    refs,
    head: head !== null && refs.has(`refs/heads/${head}`) ? head : null,
    format: capabilities.includes('object-format=sha256') ? 'sha256' : 'sha1',
    capabilities: new Set(capabilities),
  }
}
