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

/** Text of a page, or of the section whose heading stands behind a `#`: up to the next heading. */
export function pageOrSection(page: string): string {
  const [path = '', heading] = page.split('#')
  const text = textOf(path)
  if (heading === undefined) return text
  const [, section] = new RegExp(`^#+ ${RegExp.escape(heading)}\\n([^]*?)(?=^#+ [A-Z]|(?![^]))`, 'm').exec(text) ?? []
  if (section === undefined) throw new Error(`${path} has no section "${heading}"`)
  return section
}

/** Fenced blocks of a text, in their order. */
export const blocksIn = (text: string) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

/** Snippets of a page. @param without sections that are left out, as {@link pageOrSection} names them */
export function snippetsOf(path: string, without: readonly string[] = []): Snippet[] {
  const sections = without.filter((section) => section.startsWith(`${path}#`)).map(pageOrSection)
  const blocks = blocksIn(sections.reduce((text, section) => text.replace(section, ''), textOf(path)))
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
