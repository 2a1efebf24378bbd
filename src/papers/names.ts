/** An arXiv id, old form or new, in two halves. */
const ARXIV = /^(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v(\d{1,4}))?$/i
const WRAPPED = /^(?:arxiv:\s*|(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html|e-print)\/)/i

/** An id as people copy it: from "arXiv:1706.03762v7" and addresses of arXiv's pages only the id stays. */
export function canonicalId(given: string): string {
  const trimmed = given.trim()
  const [address = ''] = trimmed.replace(WRAPPED, '').split(/[?#]/, 1)
  const bare = address.replace(/\.pdf$/i, '')
  return ARXIV.test(bare) ? bare : trimmed
}

/** "1706.03762" and 7 of "1706.03762v7"; null when the id is none of arXiv's. */
export function arxivParts(id: string): { readonly name: string; readonly version: number | null } | null {
  const [, name, version] = ARXIV.exec(id) ?? []
  return name === undefined ? null : { name, version: version === undefined ? null : Number(version) }
}

/** Further names of a paper: each once, with the version that it stands for (0: none). */
export function namesOf(paper: { readonly fileId: string; readonly aliases: readonly string[] }): Map<string, number> {
  const names = new Map<string, number>()
  for (const id of [paper.fileId, ...paper.aliases.map(canonicalId)]) {
    const parts = arxivParts(id)
    const version = parts?.version ?? 0
    if (id !== paper.fileId) names.set(id, version)
    if (parts && parts.name !== paper.fileId) names.set(parts.name, Math.max(version, names.get(parts.name) ?? 0))
  }
  return names
}
