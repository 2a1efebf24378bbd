import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from './failure.ts'

/** Programs of a checkout, which the package from a registry does not have. */
const OF_A_CHECKOUT = ['wrangler.toml', 'scripts/start.mjs', 'node_modules/wrangler/package.json']

/**
 * Directory of the checkout that this command line is part of: with the server's sources, and the packages that run and deploy it.
 * @throws CliError where it was installed without them
 */
export function checkout(from: string = import.meta.dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    if (isOurs(join(directory, 'package.json'))) {
      const missing = OF_A_CHECKOUT.find((path) => !existsSync(join(directory, path)))
      if (missing === undefined) return directory
      throw new CliError(
        `${directory} has no ${missing}`,
        'this command needs a checkout of the server: clone its repository, run npm ci there, and npx toolyard in it',
      )
    }
    if (directory === dirname(directory)) throw new CliError('the package of this command line was not found', '')
  }
}

function isOurs(file: string): boolean {
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'toolyard'
}

/** Node that `npm ci` brought into the checkout, else the one that runs this. */
export function nodeOf(root: string): string {
  const own = join(root, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}
