import { readdirSync, readFileSync } from 'node:fs'

/** Every page of the repository that people read, by its path. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['docs', 'examples', 'corpus'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

export const textOf = (path: string) => readFileSync(path, 'utf8')

/** A fenced block, and the JSON that is printed below it as its answer. */
export interface Snippet {
  readonly language: string
  readonly text: string
  readonly answer: unknown
}

/** Fenced blocks of a page, in their order. */
export const blocksOf = (path: string) =>
  [...textOf(path).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

export function snippetsOf(path: string): Snippet[] {
  const blocks = blocksOf(path)
  return blocks.map((block, at) => {
    const next = blocks[at + 1]
    const answered = block.language === 'bash' && next?.language === 'json'
    return { ...block, answer: answered ? JSON.parse(next.text) : undefined }
  })
}

/** The commands of a block: a line each, or several when a line, or a quoted text, goes on. */
export function commandsOf(script: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of script.split('\n')) {
    open += open === '' ? line : `\n${line}`
    const goesOn = line.endsWith('\\') || (open.match(/'/g)?.length ?? 0) % 2 === 1
    if (goesOn) continue
    const command = open.replace(/\s+#.*$/, '').trim()
    if (command !== '') commands.push(command)
    open = ''
  }
  return commands
}
