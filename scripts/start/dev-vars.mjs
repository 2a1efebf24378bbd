import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from './settings.mjs'

const file = join(home, '.dev.vars')
const BEGIN = '# Of "npm run sandboxd", which writes these lines anew at each start:'
const END = '# Until here.'

/**
 * Writes variables of the local Worker into .dev.vars, replacing those of an earlier run. The owner's own lines stay.
 * @throws Error when the owner's lines have one of these names
 */
export function writeDevVars(vars) {
  const own = ownLines()
  const taken = Object.keys(vars).filter((name) =>
    own.some((line) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)),
  )
  if (taken.length > 0) {
    throw new Error(`.dev.vars has ${taken.join(', ')} of yours; take that out to use the sandboxes of this machine`)
  }
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${value}`)
  replace(file, `${[...own, BEGIN, ...lines, END].join('\n')}\n`)
}

/** Whole, for its user alone from its first byte on; behind a link, what that leads to. */
function replace(path, text) {
  const target = existsSync(path) ? realpathSync(path) : path
  const written = `${target}.${process.pid}`
  writeFileSync(written, text, { mode: 0o600, flag: 'wx' })
  renameSync(written, target)
}

function ownLines() {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const begin = lines.indexOf(BEGIN)
  const end = lines.indexOf(END, begin)
  const own = begin === -1 || end === -1 ? lines : lines.toSpliced(begin, end - begin + 1)
  return own.length === 1 && own[0] === '' ? [] : own
}
