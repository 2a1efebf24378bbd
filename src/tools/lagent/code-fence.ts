import { isPythonAsItStands } from '../python-text.ts'

/** Code behind the first fence, up to the next one; a fence that says python comes before others. */
export function withoutFence(text: string): string {
  if (isPythonAsItStands(text)) return text
  const [, python] = text.split('```python', 2)
  const [, any] = text.split('```', 2)
  const inside = python ?? any?.replace(LANGUAGE, '\n')
  return inside === undefined ? text : (inside.split('```', 1)[0] ?? '')
}

/** Fence in another spelling than Lagent's, which takes the word for the first line of the code. */
const LANGUAGE = /^(?:py|python)3?[^\S\n]*\n/i
