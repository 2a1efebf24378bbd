import { expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { bytes, toolbench } from '../../../support/toolbench.ts'

async function bench(paths: readonly string[]) {
  const { workspace, data, ...rest } = toolbench(catalog)
  await workspace.commit(
    paths.map((path, n) => ({
      op: 'write',
      path: workspacePath(path),
      content: bytes('x'.repeat(n)),
      mtimeMs: n * 1_000,
    })),
  )
  const glob = async (pattern: string, more: object = {}) =>
    (await data('file_glob', { pattern, ...more })) as unknown as {
      readonly total: number
      readonly files: readonly { readonly path: string }[]
      readonly next_offset?: number
      readonly notes?: readonly string[]
    }
  const paths_ = async (pattern: string, more?: object) => (await glob(pattern, more)).files.map(({ path }) => path)
  return { ...rest, data, workspace, glob, paths: paths_ }
}

const TREE = ['a.py', 'src/b.py', 'src/deep/c.ts', 'src/deep/d.tsx', '.github/ci.yml', '.env', 'node_modules/m/x.py']

it('finds files by their paths, with sizes and times, sorted by path or newest first', async () => {
  const { glob, paths } = await bench(TREE)
  expect(await paths('**/*.py')).toEqual(['a.py', 'src/b.py'])
  expect(await paths('src/**/*.{ts,tsx}')).toEqual(['src/deep/c.ts', 'src/deep/d.tsx'])
  expect(await paths('*.py', { dir_path: 'src' })).toEqual(['src/b.py'])
  expect(await paths('**/', { dir_path: 'src' })).toEqual(['src/deep/'])
  expect(await paths('**', { newest_first: true })).toEqual(['src/deep/d.tsx', 'src/deep/c.ts', 'src/b.py', 'a.py'])
  expect((await glob('src/b.py')).files).toEqual([{ path: 'src/b.py', size: 1, modified: '1970-01-01T00:00:01' }])
})

it('finds hidden files when asked to, or when the pattern names one', async () => {
  const { paths } = await bench(TREE)
  expect(await paths('*')).toEqual(['a.py'])
  expect(await paths('*', { include_hidden: true })).toEqual(['.env', 'a.py'])
  expect(await paths('.github/*')).toEqual(['.github/ci.yml'])
  expect(await paths('**/*.py', { all_directories: true })).toEqual(['a.py', 'node_modules/m/x.py', 'src/b.py'])
})

it('shows a part, says how to go on, and where it did not look', async () => {
  const { glob, call, failure } = await bench(Array.from({ length: 7 }, (_, n) => `d/f${n}`).concat('node_modules/x'))
  const first = await glob('**/f*', { max_results: 3 })
  expect(first).toMatchObject({
    total: 7,
    next_offset: 3,
    notes: ['4 more; go on with offset 3', expect.stringContaining('node_modules')],
  })
  expect((await glob('**/f*', { max_results: 3, offset: 6 })).files).toMatchObject([{ path: 'd/f6' }])
  expect((await call('file_glob', { pattern: 'f*' })).text).toMatch(
    /^nothing matches f\*\n\[only the task root itself was looked at; \*\*\/f\*/,
  )
  expect((await glob('d')).notes).toContain('d is a directory; d/** finds what is in it')
  expect((await glob('/home/user/workspace/d/f1')).files).toMatchObject([{ path: 'd/f1' }])
  expect((await failure('file_glob', { pattern: 'x', dir_path: 'none' })).message).toMatch(/^Directory not found: none/)
  expect((await failure('file_glob', { pattern: '{a' })).message).toMatch(/has no "}"/)
})

it('finds among 10,000 files, some of them 500 directories deep', async () => {
  const deep = Array.from({ length: 500 }, () => 'd').join('/')
  const names = Array.from({ length: 10_000 }, (_, n) => (n % 100 === 0 ? `${deep}/f${n}.txt` : `s/f${n}.txt`))
  const { glob } = await bench(names)
  const total = names.filter((name) => /f\d*9\d*0\d*0\.txt$/.test(name)).length
  expect(await glob('**/**/**/*f*9*0*0.txt')).toMatchObject({ total })
})

it.each(['code_run', 'upload'])('says of a pattern of files that are in %s where they are', async (place) => {
  const { glob } = await bench([`${place}/many/f1.txt`, 'here/f1.txt'])
  expect((await glob('many/*.txt')).notes).toEqual([`many is in ${place}; did you mean ${place}/many/*.txt?`])
  expect(await glob('here/*.md')).not.toHaveProperty('notes')
  expect(await glob('*/many/*.md')).not.toHaveProperty('notes')
  expect(await glob('none/*.txt')).not.toHaveProperty('notes')
})

it('says of hidden names that it passed over, where it finds nothing else', async () => {
  const { data, put } = toolbench(catalog)
  await put('a/.env', 'x')
  await put('a/.git-blame', 'x')
  expect(await data('file_glob', { pattern: '**/*', dir_path: 'a' })).toMatchObject({
    total: 0,
    notes: ['2 with a name that begins with a point passed over; include_hidden shows them'],
  })
  await put('a/b', 'x')
  expect(await data('file_glob', { pattern: '**/*', dir_path: 'a' })).not.toHaveProperty('notes')
})
