import { readFileSync } from 'node:fs'
import type { Plugin } from 'vitest/config'

/** Gives vite the text of programs for sandboxes, as esbuild does for `with { type: 'text' }`. */
export const guestTexts: Plugin = {
  name: 'guest-texts',
  enforce: 'pre',
  load: (id) =>
    /\.(py|sh)$|\/guest\/.*\.mjs$/.test(id)
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, map: null }
      : undefined,
}
