import { capital, oneWord, refuseWordOf } from './names.ts'
import { codeBlocks, importOf, type Kind, renamed } from './pattern.ts'

const PAGE = 'docs/adding-a-provider.md'
const PROVIDERS = 'src/adapters/providers.ts'
const STAND_INS = 'test/contract/search-stand-ins.ts'

export const newProvider: Kind = {
  takes: '',
  about: 'a provider of searches of the web, and its stand-in for the contract',
  make(name, _, read) {
    const word = oneWord(name, 'provider')
    const constant = `search${capital(word)}`
    refuseWordOf(read(PROVIDERS), constant)
    const names = {
      'search-example': `search-${word}`,
      searchExample: constant,
      "'example'": `'${word}'`,
      'Example Search': `${capital(word)} Search`,
      EXAMPLE_: `${word.toUpperCase()}_`,
    }
    const [provider = '', line = '', standIn = ''] = codeBlocks(read(PAGE)).map((block) => renamed(block, names))
    const file = `src/adapters/search-${word}.ts`
    return {
      files: { [file]: provider },
      insertions: [
        importOf(PROVIDERS, constant, `./search-${word}.ts`),
        { path: PROVIDERS, text: line, at: (text) => endOfLast(text, /^ {2}search\w+,\n/gm) },
        { path: STAND_INS, text: standIn, at: (text) => text.lastIndexOf(']\n') },
      ],
      scripts: ['settings'],
      next: [
        `Put the service's address, request and answer into ${file}, and the same into its stand-in in ${STAND_INS}`,
        'npx vitest run --project unit test/contract test/unit/scripts/settings.test.ts',
        PAGE,
      ],
    }
  },
}

function endOfLast(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1)
  return last ? last.index + last[0].length : -1
}
