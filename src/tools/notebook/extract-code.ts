import { isPythonAsItStands } from '../python-text.ts'

/**
 * Code in a model's text: the first block between lines of three backticks, else the text between the first two backticks,
 * else `code` of a JSON object, else all of it.
 * Source: Lagent, actions/ipython_interpreter.py, extract_code. There backticks in the code's own strings count too, and
 * the text between them runs in the place of the code.
 */
export function extractCode(text: string): string {
  const marked = isPythonAsItStands(text) ? null : (fenced(text) ?? quoted(text))
  return marked ?? codeOfJson(text) ?? text
}

function fenced(text: string): string | null {
  const open = text.indexOf('```')
  const line = open === -1 ? -1 : text.indexOf('\n', open)
  const close = line === -1 ? -1 : text.indexOf('```', line + 2)
  return close === -1 ? null : text.slice(line + 1, close)
}

function quoted(text: string): string | null {
  const open = text.indexOf('`')
  const close = open === -1 ? -1 : text.indexOf('`', open + 1)
  return close === -1 ? null : text.slice(open + 1, close)
}

function codeOfJson(text: string): string | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const { code } = JSON.parse(text)
    return typeof code === 'string' ? code : null
  } catch {
    return null // a dict of Python begins like this, too
  }
}
