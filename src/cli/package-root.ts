import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from './failure.ts'

/** Files of a checkout, which the package from a registry does not have. */
const OF_A_CHECKOUT = ['wrangler.toml', 'scripts/start.mjs', 'node_modules/wrangler/package.json']

/**
 * Directory of the checkout with the server's sources, and the packages that run and deploy it: the one around a directory, else the one that
 * this command line is part of.
 * @throws CliError where there is none
 */
export function checkout(cwd: string): string {
  const roots = [...packagesAround(cwd), ...packagesAround(import.meta.dirname)]
  const root = roots.find((directory) => OF_A_CHECKOUT.every((path) => existsSync(join(directory, path))))
  if (root !== undefined) return root
  throw new CliError(
    'this command needs a checkout of the server, with its packages',
    'clone its repository, run npm ci there, and this command in it',
  )
}

/** Directories of this package that are around a directory, the nearest first. */
function packagesAround(directory: string): readonly string[] {
  const above = dirname(directory)
  const found = isOurs(join(directory, 'package.json')) ? [directory] : []
  return above === directory ? found : [...found, ...packagesAround(above)]
}

function isOurs(file: string): boolean {
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'toolyard'
}

/** Node that `npm ci` brought into the checkout, else the one that runs this. */
export function nodeOf(root: string): string {
  const own = join(root, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}
