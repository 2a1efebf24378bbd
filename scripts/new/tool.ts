import { refuseWordOf, spellingsOf } from './names.ts'
import { codeBlocks, importOf, type Kind, Refusal, renamed } from './pattern.ts'

const PAGE = 'docs/adding-a-tool.md'
const TOOLKITS = 'src/tools/toolkits.ts'

export const newTool: Kind = {
  takes: 'TOOLKIT',
  about: 'a tool of that toolkit, and its test',
  make(name, [toolkit = ''], read) {
    const { kebab, snake, camel } = spellingsOf(name)
    const kits = toolkitsIn(read(TOOLKITS))
    const folder = kits.get(toolkit)
    if (folder === undefined) {
      throw new Refusal(`there is no toolkit "${toolkit}": name one of ${[...kits.keys()].join(', ')}`)
    }
    const [tool = '', , test = ''] = codeBlocks(read(PAGE))
    if (camel !== 'wordCount') refuseWordOf(tool, camel)
    refuseWordOf(read(TOOLKITS) + read('src/tools/catalog.ts'), camel)
    const names = { 'word-count': kebab, word_count: snake, wordCount: camel }
    const file = `src/tools/${folder}/${kebab}.ts`
    const itsTest = `test/unit/tools/${folder}/${kebab}.test.ts`
    return {
      files: { [file]: renamed(tool, names), [itsTest]: renamed(test, names) },
      insertions: [
        importOf(TOOLKITS, camel, `./${folder}/${kebab}.ts`),
        { path: TOOLKITS, text: `, ${camel}`, at: (text) => endOfTools(text, toolkit) },
      ],
      scripts: [],
      next: [
        `Put your work into ${file}, and what it says into ${itsTest}`,
        `npx vitest run --project unit ${itsTest}`,
        'npx vitest run --project unit test/unit/tools/catalog.test.ts -u   # and read what a model will be told',
        PAGE,
      ],
    }
  },
}

const LIST = /name: '(\w+)',\s+description:[^[]*\btools: \[([^\]]*)/g

/** Folders of toolkits by their names: where the first tool of each is. */
export const toolkitsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(LIST)].map(([, name = '', tools = '']) => {
      const first = /\w+/.exec(tools)?.[0]
      return [name, new RegExp(`^import \\{ ${first} \\} from '\\./([\\w-]+)/`, 'm').exec(text)?.[1] ?? name]
    }),
  )

/** The place behind the last tool of a toolkit, or -1. */
function endOfTools(text: string, toolkit: string): number {
  const found = [...text.matchAll(LIST)].find(([, name]) => name === toolkit)
  return found ? found.index + found[0].trimEnd().replace(/,$/, '').length : -1
}
