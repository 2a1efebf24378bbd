/**
 * Copies those files of packages that the server serves to `src/assets`: the ones of Swagger UI, which shows the reference at `/docs`;
 * and builds the console there.
 * npm runs it after each install (`prepare`); by hand it is `npm run prepare`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildConsoleAssets } from './console-assets.mjs'

const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const text = (name) => readFileSync(join(from, name), 'utf8')
/** In the licence's words: the package's own, and those of what its script contains. */
const licence = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(text).join('\n\n')

const files = {
  'swagger-ui.js': text('swagger-ui-bundle.js').replace('swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.licence.txt'),
  'swagger-ui.css': `/*! For license information please see swagger-ui.licence.txt */\n${text('swagger-ui.css')}`,
  'swagger-ui.licence.txt': licence,
}
for (const [name, content] of Object.entries(files)) {
  // A debugger's map is not served, and its absence would be an error in the log.
  const served = content.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: ?\*\/)?\s*$/, '\n')
  writeFileSync(join(import.meta.dirname, '../src/assets', name), served)
}
await buildConsoleAssets()
