import { type Macros, Reader, type Token } from './reader.ts'

/** Formula as written, its own commands replaced. */
export function formula(source: string, macros: Macros): string {
  const reader = new Reader(source, macros)
  let out = ''
  let isAfterCommand = false
  for (let token = reader.next(); token; token = reader.next()) {
    const written = writtenInMath(token, reader)
    // The next text may have come from elsewhere: "\\foo" and "bar" are not "\\foobar".
    out += isAfterCommand && /^[a-zA-Z]/.test(written) ? ` ${written}` : written
    isAfterCommand = token.kind === 'command' && /[a-zA-Z]$/.test(written)
  }
  return out.replace(/\s+/g, ' ').trim()
}

function writtenInMath(token: Token, reader: Reader): string {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'math':
      return token.text
    case 'paragraph':
      return ' '
    case 'tie':
      return ' '
    case 'cell':
      return '&'
    case 'open':
      return '{'
    case 'close':
      return '}'
    case 'command':
      if (token.name === 'label') {
        reader.argument()
        return ''
      }
      return token.name === 'xspace' || token.name === 'ensuremath' ? '' : `\\${token.name}`
  }
}
