/**
 * Links the Node that `npm ci` brought as `node_modules/.bin/node`, where npm's scripts find it before the machine's own. npm makes this
 * link itself, but version 9 (Debian 13 has it) takes it away again with the packages of other platforms, which have one of the same name.
 * npm runs this after each install (`prepare`).
 */
import { existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'

const modules = join(import.meta.dirname, '../node_modules')
const brought = [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]
  .map((name) => join(name, 'bin/node'))
  .find((path) => existsSync(join(modules, path)))
const link = join(modules, '.bin/node')
if (brought !== undefined && !existsSync(link)) {
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
  symlinkSync(join('..', brought), link)
}
