import { oneWord, refuseWordOf } from './names.ts'
import { behind, codeBlocks, importOf, type Kind, Refusal } from './pattern.ts'

const PAGE = 'docs/adding-a-dialect.md'
const SERVER = 'src/server.ts'

export const newDialect: Kind = {
  takes: '',
  about: 'a dialect: its codec and routes, the list of its behaviours, its first tests',
  make(name, _, read) {
    const word = oneWord(name, 'dialect')
    const blocks = codeBlocks(read(PAGE))
    if (word !== 'ping') refuseWordOf(blocks.join(''), word)
    refuseWordOf(read(SERVER), word)
    const paths = [
      `src/http/dialects/${word}/codec.ts`,
      `src/http/dialects/${word}/routes.ts`,
      `test/unit/http/${word}/routes.test.ts`,
      `test/dialects/${word}/requirements.ts`,
      `test/dialects/${word}/${word}.test.ts`,
    ]
    if (blocks.length !== paths.length) throw new Refusal(`${PAGE} does not show ${paths.length} files any more`)
    return {
      files: Object.fromEntries(paths.map((path, at) => [path, (blocks[at] ?? '').replaceAll(/\bping\b/g, word)])),
      insertions: [
        importOf(SERVER, word, `./http/dialects/${word}/routes.ts`),
        { path: SERVER, text: `  () => ${word},\n`, at: behind('  () => toolserver,\n') },
      ],
      scripts: [],
      next: [
        `List what clients of the original can observe in test/dialects/${word}/requirements.ts`,
        `npx vitest run --project unit test/unit/http/${word}`,
        `npx vitest run --project e2e test/dialects/${word}`,
        PAGE,
      ],
    }
  },
}
