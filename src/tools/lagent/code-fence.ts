import { isPythonAsItStands } from '../python-text.ts'

/** What stands behind the first fence, one that says python before others, up to the next. */
export function withoutFence(text: string): string {
  if (isPythonAsItStands(text)) return text
  const [, python] = text.split('```python', 2)
  const [, any] = text.split('```', 2)
  const inside = python ?? any?.replace(LANGUAGE, '\n')
  return inside === undefined ? text : (inside.split('```', 1)[0] ?? '')
}

/** Python by another spelling than Lagent's: to it the word is the first line of the code. */
const LANGUAGE = /^(?:py|python)3?[^\S\n]*\n/i
