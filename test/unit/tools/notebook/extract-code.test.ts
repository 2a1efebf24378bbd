import { describe, expect, it } from 'vitest'
import { extractCode } from '../../../../src/tools/notebook/extract-code.ts'
import { processorMs } from '../../../support/processor-time.ts'

describe('extractCode()', () => {
  it.each([
    ['1 + 1', '1 + 1'],
    ['see:\n```python\nx = 1\nx\n```\nand\n```\ny\n```', 'x = 1\nx\n'],
    ['```\nx\n```', 'x\n'],
    ['run `x + 1` now', 'x + 1'],
    ['```x = 1```', ''],
    ['{"code": "1 + 1", "more": 2}', '1 + 1'],
    ['{"text": "1"}', '{"text": "1"}'],
    ['{1: 2}[1]', '{1: 2}[1]'],
    ['a ` b', 'a ` b'],
    ['', ''],
  ])('finds the code in %j', (text, code) => {
    expect(extractCode(text)).toBe(code)
  })

  it.each([
    '```'.repeat(200_000),
    '`\n'.repeat(1),
    '```\n'.repeat(1) + '``'.repeat(200_000),
    `{"code":${'['.repeat(400_000)}`,
  ])('takes no long time over a flood of marks', (text) => {
    const start = processorMs()
    extractCode(text)
    expect(processorMs() - start).toBeLessThan(500)
  })
})
