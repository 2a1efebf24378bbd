import { ACCENTS, CHARACTERS } from './accents.ts'
import { DROPPED, SECTION_LEVELS } from './commands.ts'
import type { Macro, Reader } from './reader.ts'

/**
 * Takes in a definition.
 * @param theorems environments that begin with a word, by name
 * @returns false for a command that defines nothing
 */
export function takeDefinition(name: string, reader: Reader, theorems: Map<string, string>): boolean {
  switch (name) {
    case 'newcommand':
    case 'renewcommand':
    case 'providecommand':
    case 'DeclareRobustCommand': {
      reader.star()
      const command = reader.argument().trim().replace(/^\\/, '')
      const parameters = Number(reader.option() ?? 0)
      const preset = reader.option()
      keep(reader, command, { parameters: Math.min(9, parameters || 0), preset, body: reader.argument() })
      break
    }
    case 'DeclareMathOperator': {
      reader.star()
      const command = reader.argument().trim().replace(/^\\/, '')
      keep(reader, command, { parameters: 0, preset: null, body: `\\operatorname{${reader.argument()}}` })
      break
    }
    case 'def':
    case 'gdef':
    case 'edef':
    case 'xdef': {
      const head = reader.definitionHead()
      if (!head) break
      const body = reader.argument()
      // Parameters with text between them are beyond a reader that does not typeset.
      if (/^(?:#\d)*$/.test(head.parameters.trim())) {
        keep(reader, head.name, { parameters: head.parameters.trim().length / 2, preset: null, body })
      }
      break
    }
    case 'newtheorem': {
      reader.star()
      const environment = reader.argument().trim().toLowerCase()
      reader.option()
      const title = oneLine(reader.argument())
      reader.option()
      if (theorems.size < MAX_THEOREMS) theorems.set(environment, title)
      break
    }
    default:
      return false
  }
  return true
}

/**
 * Keeps a definition, except of commands that this reader itself understands, and of programs of TeX's, which would need
 * TeX.
 */
function keep(reader: Reader, name: string, macro: Macro): void {
  const isOurs =
    CHARACTERS.has(name) || ACCENTS.has(name) || SECTION_LEVELS.has(name) || DROPPED.has(name) || STRUCTURE.has(name)
  if (!isOurs && name !== '' && !PROGRAM.test(macro.body)) reader.macros.define(name, macro)
}

const PROGRAM = /\\(?:@|if|else\b|fi\b|loop\b|futurelet|expandafter|csname|mathchoice|let\b|def\b)/
const MAX_THEOREMS = 200
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    'begin end item title author and And AND abstract caption footnote url path verb par newline iffalse fi else appendix ' +
    'cite citep citet citealp ref eqref label newcommand renewcommand providecommand def gdef newtheorem maketitle'
  ).split(' '),
)

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
