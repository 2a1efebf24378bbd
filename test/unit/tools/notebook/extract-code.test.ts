import { describe, expect, it } from 'vitest'
import { extractCode } from '../../../../src/tools/notebook/extract-code.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

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
    ["It's `x`, isn't it?", 'x'],
    ['# Look\n```python\nx\n```', 'x\n'],
    ['open("a `b`', 'b'],
    ['', ''],
  ])('finds the code in %j', (text, code) => {
    expect(extractCode(text)).toBe(code)
  })

  it.each([
    'print("use `npm install` to go")',
    "text = r'''# Title\n```bash\nrm -r build\n```\n'''\nprint(text)",
    'x = 1  # as in `y`, or ```z```\nx',
    `print('it\\'s \`a\`', f"\`{x}\`", b"\`")`,
    '"a \\\n`b`"',
  ])('leaves backticks in strings and comments to the code: %j', (code) => {
    expect(extractCode(code)).toBe(code)
  })

  it.each([
    '```'.repeat(200_000),
    '"""`'.repeat(100_000),
    `${"'".repeat(300_001)}\``,
    `${'x'.repeat(300_000)}'\``,
    '`\n'.repeat(1),
    '```\n'.repeat(1) + '``'.repeat(200_000),
    `{"code":${'['.repeat(400_000)}`,
  ])('takes no long time over a flood of marks', async (text) => {
    await expectCost(() => extractCode(text), { below: () => 50 * plainPassMs(1_000_000) })
  })
})
