import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Beginnings of paths below `src` that are no part of what is uploaded, or are built from what is. */
const LEFT_OUT = ['sandboxd/', 'readerd/', 'cli/', 'client/', 'assets/console/', 'assets/swagger-ui.']

/**
 * Tag of a version of a Worker: a digest of its sources, of its packages and of its configuration, so that an account that has a version of
 * that tag needs no other. At most 25 characters, as tags are.
 */
export function versionTag(root: string, configuration: string): string {
  const hash = createHash('sha256')
  const files = [join(root, 'package-lock.json'), ...sourceFiles(join(root, 'src'))]
  for (const file of files) {
    const bytes = readFileSync(file)
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes)
  }
  return `toolyard-${hash.update(configuration).digest('hex').slice(0, 16)}`
}

function sourceFiles(source: string): readonly string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const below = relative(source, path).split(sep).join('/')
      return !LEFT_OUT.some((beginning) => below.startsWith(beginning))
    })
    .sort()
}
