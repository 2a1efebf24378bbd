/** Files of one new thing: texts by their paths from the root of the repository. */
export interface Pattern {
  readonly files: Readonly<Record<string, string>>
  /** Texts that are put into files that exist. */
  readonly insertions: readonly Insertion[]
  /** Scripts of npm that bring other files up to date. */
  readonly scripts: readonly string[]
  /** Next steps for the user, a line each. */
  readonly next: readonly string[]
}

export interface Insertion {
  readonly path: string
  readonly text: string
  /** Position of the addition in the file's text; negative when the place is not found. */
  readonly at: (file: string) => number
}

/** Kind of thing that `npm run new` makes. */
export interface Kind {
  /** Arguments besides the name. */
  readonly takes: string
  readonly about: string
  /** Makes the pattern. @throws Refusal */
  make(name: string, rest: readonly string[], read: (path: string) => string): Pattern
}

/** Refusal: why nothing was written, and what to do. */
export class Refusal extends Error {}

/** Blocks of TypeScript of a page, in their order. */
export const codeBlocks = (page: string): readonly string[] =>
  [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text)

/** Text with its names replaced. @param names new names by old ones; at each place the first that fits counts */
export function renamed(text: string, names: Readonly<Record<string, string>>): string {
  const wanted = new RegExp(
    Object.keys(names)
      .map((name) => RegExp.escape(name))
      .join('|'),
    'g',
  )
  return text.replace(wanted, (name) => names[name] ?? name)
}

/** An import, which goes first: the formatter sorts imports. */
export const importOf = (path: string, name: string, from: string): Insertion => ({
  path,
  text: `import { ${name} } from '${from}'\n`,
  at: (file) => file.search(/^import /m),
})

/** Position behind a text. @returns the place behind the first `text`, or -1 */
export const behind = (text: string) => (file: string) => {
  const at = file.indexOf(text)
  return at < 0 ? at : at + text.length
}
