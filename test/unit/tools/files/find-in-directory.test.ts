import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { ANSWER_CHARS } from '../../../../src/core/limits/answers.ts'
import { MAX_MATCHES_PER_LINE } from '../../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { costOf, expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { randomOf } from '../../../support/random.ts'
import { bytes, toolbench } from '../../../support/toolbench.ts'

interface Found {
  readonly matches: readonly {
    readonly file_path: string
    readonly line_number: number
    readonly line_content: string
  }[]
  readonly next_after?: string
}

/** A bench with files. */
async function bench(files: Readonly<Record<string, string | Uint8Array>>) {
  const { workspace, ...rest } = toolbench(catalog)
  await workspace.commit(
    Object.entries(files).map(([path, content]) => ({
      op: 'write' as const,
      path: workspacePath(path),
      content: bytes(content),
    })),
  )
  const search = async (args: object) =>
    (await rest.data('file_search', args)) as unknown as Found & Record<string, unknown>
  const places = async (args: object) =>
    (await search(args)).matches.map(({ file_path, line_number }) => `${file_path}:${line_number}`)
  return { ...rest, workspace, search, places }
}

describe('file_search over a directory', () => {
  it('finds lines in all text files below it, by path and number, and the whole task without one', async () => {
    const { places, call, search } = await bench({
      'b/two.py': 'x = 1\ndef run():\n',
      'b/deep/er.ts': 'function run() {}\r\n// Run\r\n',
      'a.txt': 'running',
      'pic.png': 'run',
    })
    expect(await places({ search_text: 'run' })).toEqual(['a.txt:1', 'b/deep/er.ts:1', 'b/deep/er.ts:2', 'b/two.py:2'])
    expect(await places({ search_text: 'Run', case_sensitive: true, dir_path: 'b' })).toEqual(['b/deep/er.ts:2'])
    expect(await places({ search_text: '^(def|function)\\s+run\\b', regex: true })).toEqual([
      'b/deep/er.ts:1',
      'b/two.py:2',
    ])
    expect(await places({ search_text: 'run', glob: '*.{py,txt}' })).toEqual(['a.txt:1', 'b/two.py:2'])
    expect(await places({ search_text: 'run', glob: '*/*.py' })).toEqual(['b/two.py:2'])
    expect(await places({ search_text: 'run', glob: '!*.ts' })).toEqual(['a.txt:1', 'b/two.py:2'])
    expect(await search({ search_text: 'run' })).toMatchObject({
      total_matches: 4,
      files_with_matches: 3,
      files_searched: 3,
      skipped: { binary: 1 },
    })
    expect((await call('file_search', { search_text: 'nowhere' })).text).toMatch(
      /^no line has "nowhere"\n\[0 lines in 0 of 3/,
    )
  })

  it('numbers the lines as file_read does, and shows those around them', async () => {
    const { search, data, call } = await bench({ 'a.txt': 'one\ntwo\fthree\nfour\nfive' })
    const { matches } = await search({ search_text: 'three', context: 1 })
    expect(matches).toMatchObject([{ line_number: 3, before: ['two'], after: ['four'], match_positions: [0] }])
    expect(await data('file_read', { file_path: 'a.txt', start_line: 3, end_line: 3 })).toMatchObject({
      content: 'three\n',
    })
    expect((await call('file_search', { search_text: 'three', context: 1 })).text).toMatch(
      /^a\.txt-2-two\na\.txt:3:three\na\.txt-4-four\n/,
    )
    expect(
      await data('file_search', { file_path: 'a.txt', search_text: 't.o', regex: true, context: 1 }),
    ).toMatchObject({
      total_matches: 1,
      matches: [{ line_number: 2, before: ['one'], after: ['three'] }],
    })
  })

  it('stops at a limit, and goes on behind what it says until each line was shown once', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`f${n}.txt`, 'hit\nmiss\nhit\nhit\n']))
    const { search } = await bench(files)
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await search({ search_text: 'hit', max_matches: 4, after })
      seen.push(...page.matches.map(({ file_path, line_number }) => `${file_path}:${line_number}`))
      after = page.next_after
    } while (after !== undefined)
    expect(seen).toEqual(Object.keys(files).flatMap((name) => [1, 3, 4].map((line) => `${name}:${line}`)))
  })

  it('says of the lines that it counted whether they are all, or at least so many', async () => {
    const { search, call } = await bench({ 'a.txt': 'hit\nhit\n', 'b.txt': 'hit\n' })
    expect(await search({ search_text: 'hit', max_matches: 2 })).toMatchObject({ total_matches: 2, at_least: true })
    expect((await call('file_search', { search_text: 'hit', max_matches: 2 })).text).toContain('[at least 2 lines in 1')
    expect(await search({ search_text: 'hit', max_matches: 3 })).not.toHaveProperty('at_least')
  })

  it('goes on in a file whose name looks like a place in another one', async () => {
    const { places } = await bench({ a: 'x\nx\nx', 'a:2': 'x', b: 'x' })
    expect(await places({ search_text: 'x', after: 'a:2' })).toEqual(['b:1'])
    expect(await places({ search_text: 'x', after: 'a:1' })).toEqual(['a:2', 'a:3', 'a:2:1', 'b:1'])
  })

  it('shows no more than fits into an answer, of long lines the part around the match', async () => {
    const long = `${'-'.repeat(3_000)}needle${'-'.repeat(3_000)}\n`
    const { call, search } = await bench({ 'a.txt': long.repeat(200) })
    const { text } = await call('file_search', { search_text: 'needle', max_matches: 500 })
    expect(text.length).toBeLessThan(ANSWER_CHARS)
    expect(JSON.stringify(await search({ search_text: 'needle', max_matches: 500 })).length).toBeLessThan(ANSWER_CHARS)
    expect(await search({ search_text: 'needle', max_matches: 500, max_chars: 1 })).toMatchObject({
      total_matches: 1,
      next_after: 'a.txt:1',
    })
    expect(await search({ search_text: 'needle', max_matches: 500, max_chars: 1_000_000 })).toMatchObject({
      total_matches: 200,
    })
    const inFile = await search({ file_path: 'a.txt', search_text: 'needle' })
    expect(inFile).toMatchObject({ total_matches: 200, truncated: true })
    expect(JSON.stringify(inFile).length).toBeLessThan(ANSWER_CHARS)
    expect(text).toMatch(/go on with after "a\.txt:\d+"/)
    const { matches } = await search({ search_text: 'needle', max_matches: 1 })
    expect(matches).toMatchObject([{ match_positions: [3_000], content_offset: 2_750 }])
  })

  it('leaves out code_env, .git and node_modules and says so, unless asked to look there', async () => {
    const { search, places } = await bench({
      'node_modules/m/a.js': 'x',
      'web/node_modules/m/a.js': 'x',
      '.git/config': 'x',
      'sub/.git/config': 'x',
      'code_env/a.py': 'x',
      'b.txt': 'x',
      'code_environment.txt': 'x',
      'my_node_modules/a.txt': 'x',
    })
    const found = await search({ search_text: 'x' })
    expect(found.matches.map(({ file_path }) => file_path)).toEqual([
      'b.txt',
      'code_environment.txt',
      'my_node_modules/a.txt',
    ])
    expect(found.left_out).toEqual(['.git', 'code_env', 'node_modules', 'sub/.git', 'web/node_modules'])
    expect(await places({ search_text: 'x', all_directories: true })).toHaveLength(8)
    // An empty one is not worth a word.
    expect(await (await bench({ 'b.txt': 'x' })).search({ search_text: 'x' })).not.toHaveProperty('left_out')
    // Who names such a directory means it.
    expect(await places({ search_text: 'x', dir_path: 'web/node_modules' })).toEqual(['web/node_modules/m/a.js:1'])
  })

  it('leaves out the outputs of commands and says so, unless asked to look there', async () => {
    const log = 'logs/execute_shell-call_0mwsl8iwj7f2a47ce7b22'
    const { search, places } = await bench({
      [`${log}.stdout.txt`]: 'x',
      [`${log}-1.stderr.txt`]: 'x',
      [`${log}.txt`]: 'x',
      // The log of a call of an earlier version.
      'logs/execute_shell-c0mwsl8iwj7f2a47ce7b22.txt': 'x',
      'logs/app.log': 'x',
      [`my/${log}.txt`]: 'x',
    })
    const found = await search({ search_text: 'x' })
    expect(found.matches.map(({ file_path }) => file_path)).toEqual(['logs/app.log', `my/${log}.txt`])
    expect(found.left_out).toEqual(['logs (outputs of commands)'])
    expect(await places({ search_text: 'x', dir_path: 'logs' })).toHaveLength(5)
    expect(await places({ search_text: 'x', glob: 'logs/*' })).toHaveLength(5)
    expect(await places({ search_text: 'x', all_directories: true })).toHaveLength(6)
  })

  it('reads other encodings as file_read does, counts binary files, and follows no links', async () => {
    const { workspace, places, search } = await bench({
      'gbk.txt': iconv.encode('第一行\n这是中文内容\n', 'gbk'),
      'utf16.txt': iconv.encode('中文\n', 'utf-16'),
      'latin.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
      'broken.txt': Uint8Array.from([0xff, 0xc3, 0x28, 0x0a, 0x61]),
      'nul.txt': 'a\0b',
      'bom.txt': '\ufeff中文',
    })
    await workspace.commit([
      { op: 'link', path: workspacePath('out'), target: '/etc/passwd' },
      { op: 'link', path: workspacePath('in'), target: 'gbk.txt' },
    ])
    expect(await places({ search_text: '中文' })).toEqual(['bom.txt:1', 'gbk.txt:2', 'utf16.txt:1'])
    expect(await places({ search_text: '^中', regex: true })).toEqual(['bom.txt:1', 'utf16.txt:1'])
    expect(await places({ search_text: 'CAFÉ' })).toEqual(['latin.txt:1'])
    expect(await search({ search_text: 'a' })).toMatchObject({ skipped: { binary: 1, links: 2 } })
  })

  it('takes the same characters for the same in files that the fast look would pass over', async () => {
    const { places } = await bench({ 'a.txt': '\u212aELVIN', 'b.txt': 'kelvin', 'c.txt': 'GRO\u017f\u017f' })
    expect(await places({ search_text: 'kelvin' })).toEqual(['a.txt:1', 'b.txt:1'])
    expect(await places({ search_text: 'gross' })).toEqual(['c.txt:1'])
  })

  it('heeds .gitignore files as git does, when asked to', async () => {
    const { places, search } = await bench({
      '.gitignore': '# made\n*.log\n!keep.log\n/build/\ndocs/**/*.tmp\n\\#odd\n{x}.txt\n',
      'a.log': 'x',
      'keep.log': 'x',
      'build/out.txt': 'x',
      'src/build/in.txt': 'x',
      'docs/a/b.tmp': 'x',
      'docs/c.tmp': 'x',
      '#odd': 'x',
      '{x}.txt': 'x',
      'x.txt': 'x',
      'sub/.gitignore': '!*.log\nout/\n',
      'sub/b.log': 'x',
      'sub/out/!re.txt': 'x',
      'sub/out/.gitignore': '!*\n',
    })
    const dir = { search_text: 'x', respect_gitignore: true, glob: '!.gitignore' }
    expect(await places(dir)).toEqual(['keep.log:1', 'src/build/in.txt:1', 'sub/b.log:1', 'x.txt:1'])
    expect(await search(dir)).toMatchObject({ ignored: 7 })
  })

  it('is not held up by hostile .gitignore files', async () => {
    const { search } = await bench({
      '.gitignore': `${'**/'.repeat(60)}${'*a'.repeat(120)}*b\n[\n${'{'.repeat(300)}\n!\n/\n**\n!**\n${'x\n'.repeat(5_000)}`,
      [`${'a'.repeat(200)}.txt`]: 'needle',
    })
    expect(await search({ search_text: 'needle', respect_gitignore: true })).toMatchObject({
      total_matches: 1,
      notes: [expect.stringContaining('too many rules')],
    })
  })

  it('gives up in a file that would take too long, says which limit, and how to go on', async () => {
    const draw = randomOf(58)
    const text = Array.from({ length: 300_000 }, () => (draw() < 0.5 ? 'a' : 'b')).join('')
    const { search } = await bench({ 'a.txt': text, 'b.txt': 'x' })
    const found = await search({ search_text: '[ab]*a[ab]{900}c|x', regex: true })
    expect(found).toMatchObject({ truncated: true, next_after: 'a.txt', skipped: { unfinished: 1 } })
    expect(await search({ search_text: '[ab]*a[ab]{900}c|x', regex: true, after: 'a.txt' })).toMatchObject({
      total_matches: 1,
    })
  })

  it('finds the places of a pattern in one line of 10 MB', async () => {
    const { search } = await bench({ 'a.txt': `${'ab '.repeat(3_333_333)}needle42` })
    const { matches } = await search({ search_text: 'n\\w+\\d$', regex: true })
    expect(matches).toMatchObject([{ match_positions: [9_999_999] }])
    const { matches: many } = await search({ search_text: '\\bab\\b', regex: true })
    expect(many).toMatchObject([{ match_positions: { length: MAX_MATCHES_PER_LINE, 1: 3 } }])
  })

  it.each([
    ['a file', { file_path: 'a.txt' }],
    ['a directory', {}],
  ])('looks for a long text in %s that is like it everywhere as quickly as for a short one', async (_where, where) => {
    const { search } = await bench({ 'a.txt': 'a'.repeat(2_000_000) })
    const looking = (search_text: string) => async () =>
      expect(await search({ ...where, search_text, case_sensitive: true })).toMatchObject({ total_matches: 0 })
    await expectCost(looking(`aaaaab${'a'.repeat(994)}`), {
      below: async () => 20 * ((await costOf(looking('aaab'))) + plainPassMs(2_000_000)),
    })
  })

  it('finds a text longer than the engine looks for in one go', async () => {
    const long = `${'ab'.repeat(150)}c${'d'.repeat(300)}`
    const { search } = await bench({ 'a.txt': `x\n${long}${long}y\n${long.slice(0, -1)}` })
    for (const where of [{ file_path: 'a.txt' }, {}]) {
      expect(await search({ ...where, search_text: long })).toMatchObject({
        matches: [{ line_number: 2, match_positions: [0, long.length] }],
      })
    }
  })

  it('takes an empty glob, and an empty place to go on, for none', async () => {
    const { places } = await bench({ 'a.txt': 'x', 'b/c.txt': 'x' })
    expect(await places({ search_text: 'x', glob: '', after: '' })).toEqual(['a.txt:1', 'b/c.txt:1'])
  })

  it('names the files alone, or with how many of their lines match, and goes on behind the last', async () => {
    const { call, search } = await bench({ 'a.txt': 'x\ny\nx\n', 'b.txt': 'y\n', 'c.txt': 'x\n', 'd.txt': 'X x\n' })
    const counted = { search_text: 'x', output_mode: 'count' }
    expect(await search(counted)).toMatchObject({
      total_matches: 4,
      files_with_matches: 3,
      files: [
        { file_path: 'a.txt', matches: 2 },
        { file_path: 'c.txt', matches: 1 },
        { file_path: 'd.txt', matches: 1 },
      ],
    })
    expect(await search(counted)).not.toHaveProperty('matches')
    const named = { search_text: 'x', output_mode: 'files_with_matches', max_matches: 2 }
    const first = await call('file_search', named)
    expect(first.data).toMatchObject({
      files: ['a.txt', 'c.txt'],
      truncated: true,
      at_least: true,
      next_after: 'c.txt',
    })
    expect(first.data).not.toHaveProperty('total_matches')
    expect(first.text).toMatch(/^a\.txt\nc\.txt\n\[at least 2 of 4 files\]/)
    expect(await search({ ...named, after: 'c.txt' })).toMatchObject({ files: ['d.txt'], files_with_matches: 1 })
    expect(await search({ ...counted, search_text: 'none' })).toMatchObject({ files: [], total_matches: 0 })
  })

  describe('rules of .gitignore that take too long', () => {
    const deep = Array.from({ length: 200 }, () => 'aaaaaaaaaa').join('/')
    const rules = Array.from({ length: 500 }, (_, n) => `**/*a*a*a*b${n}`).join('\n')
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}/${deep}/f.txt`, 'x']))

    it('end a search early, and it says so', async () => {
      const { search } = await bench({ '.gitignore': rules, ...files })
      expect(await search({ search_text: 'x', respect_gitignore: true })).toMatchObject({ truncated: true })
    })

    it('end a list of names, which says why', async () => {
      const { failure } = await bench({ '.gitignore': rules, ...files })
      const { message } = await failure('file_glob', { pattern: '**/*.txt', respect_gitignore: true })
      expect(message).toMatch(/too much to look at/)
    })
  })

  it('searches the file that dir_path names, since a path alone may be either', async () => {
    const { search } = await bench({ 'd/a.txt': 'x\ny', 'd/b.txt': 'x' })
    expect(await search({ dir_path: 'd/a.txt', search_text: 'x' })).toMatchObject({
      file_path: 'd/a.txt',
      total_matches: 1,
      total_lines: 2,
    })
    expect(await search({ dir_path: 'd', search_text: 'x' })).toMatchObject({ total_matches: 2 })
  })

  it('refuses what it cannot do, and says what to give instead', async () => {
    const { failure } = await bench({ 'd/a.txt': 'x' })
    const message = async (args: object) => (await failure('file_search', args)).message
    expect(await message({ file_path: 'd', search_text: 'x' })).toMatch(/^Not a file: d; give a directory as dir_path/)
    expect(await message({ dir_path: '/tmp/d', search_text: 'x' })).toMatch(/is outside of the /)
    expect(await message({ file_path: '/tmp/a.txt', search_text: 'x' })).toMatch(/is outside of the /)
    expect(await message({ dir_path: 'none', search_text: 'x' })).toMatch(/^Directory not found: none/)
    expect(await message({ dir_path: 'd', file_path: 'd/a.txt', search_text: 'x' })).toMatch(/both given/)
    expect(await message({ search_text: '(?!x)', regex: true })).toMatch(/looks around/)
    expect(await message({ dir_path: '../..', search_text: 'x' })).toMatch(/leaves/)
  })
})
