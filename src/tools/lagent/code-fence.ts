/** What stands behind the first fence, one that says python before others, up to the next. */
export function withoutFence(text: string): string {
  const [, python] = text.split('```python', 2)
  const [, any] = text.split('```', 2)
  const inside = python ?? any
  return inside === undefined ? text : (inside.split('```', 1)[0] ?? '')
}
