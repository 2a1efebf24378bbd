import { describe, expect, it } from 'vitest'
import { MAX_REQUIREMENTS } from '../../../src/core/limits/sessions.ts'
import { specifiers } from '../../../src/http/specifiers.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

describe('the packages that a task names', () => {
  it.each([
    ['', []],
    [' \n,; ', []],
    ['numpy', ['numpy']],
    ['numpy,pandas', ['numpy', 'pandas']],
    ['numpy pandas\nscipy;flask', ['numpy', 'pandas', 'scipy', 'flask']],
    ['a>=1,<2', ['a>=1,<2']],
    ['a >= 1, < 2, b', ['a>=1,<2', 'b']],
    ['a==1.*,b~=2.0;c!=3', ['a==1.*', 'b~=2.0', 'c!=3']],
    ['requests[socks, security]>=2', ['requests[socks,security]>=2']],
    ['tomli; python_version < "3.11"\nnumpy', ['tomli; python_version < "3.11"', 'numpy']],
    ['pip @ https://example.com/pip.whl, six', ['pip @ https://example.com/pip.whl', 'six']],
    ['git+https://example.com/r.git', ['git+https://example.com/r.git']],
    ['# needed\nnumpy  # for arrays\n', ['numpy']],
    ['zope.interface scikit-learn', ['zope.interface', 'scikit-learn']],
  ])('%j names %j', (text, found) => {
    expect(specifiers(text)).toEqual(found)
  })

  it.each(['-r other.txt', 'numpy --index-url http://evil', 'numpy,-e .'])('%j would be an option of pip', (text) => {
    expect(() => specifiers(text)).toThrow(/option of pip/)
  })

  it('are limited in number', () => {
    expect(specifiers('a '.repeat(MAX_REQUIREMENTS))).toHaveLength(MAX_REQUIREMENTS)
    expect(() => specifiers('a '.repeat(MAX_REQUIREMENTS + 1))).toThrow(/more than/)
  })

  it('are found in time that grows with the text', async () => {
    await expectCost(
      () => {
        for (const piece of ['a', 'a>=', ' ', 'a[', '<1,', '.-', '@ ', '; ', '#']) {
          try {
            specifiers(`x${piece.repeat(20_000)}!`)
          } catch {
            // too many, or an option: only the time matters here
          }
        }
      },
      { below: () => 30 * plainPassMs(9 * 20_000) },
    )
  })
})
