import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, port, state } from './settings.mjs'

const STARTER_PAPERS_MS = 30_000

const PAPERS = join(home, 'corpus/starter.jsonl')

/** Content of the state's file `starter-papers` once the papers were put in. */
export const starterPapersDigest = () => createHash('sha256').update(readFileSync(PAPERS, 'utf8')).digest('hex')

/**
 * Puts the papers of `corpus/` into the library, once for each content of the file: what the owner removes of it stays
 * removed. The server runs without them too.
 */
export async function putStarterPapers(adminToken) {
  const text = readFileSync(PAPERS, 'utf8')
  const done = join(state, 'starter-papers')
  const digest = starterPapersDigest()
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return
  const papers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  console.log(`Toolyard: putting ${papers.length} papers into the library …`)
  const answer = await fetch(`http://127.0.0.1:${port}/v1/papers?corpus=public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ papers }),
    signal: AbortSignal.timeout(STARTER_PAPERS_MS),
  }).catch(() => null)
  if (answer?.ok) writeFileSync(done, digest, { mode: 0o600 })
  // 409: the papers are those of another service.
  else if (answer?.status !== 409) console.error('Toolyard: the papers could not be put in; the next start tries again')
}
