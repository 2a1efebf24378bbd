import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_PATCH_CHARS, MAX_PATCH_FILES, MAX_PATCH_HUNKS } from '../../../../src/core/limits/edits.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { randomOf } from '../../../support/random.ts'
import { toolbench } from '../../../support/toolbench.ts'

const EIGHT = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'

async function bench(files: Readonly<Record<string, string | Uint8Array>> = { 'a.txt': EIGHT }) {
  const made = toolbench(catalog)
  for (const [path, content] of Object.entries(files)) await made.put(path, content)
  return {
    ...made,
    patched: (patch: string) => made.data('file_patch', { patch }),
    refused: (patch: string) => made.failure('file_patch', { patch }),
    exists: (path: string) => made.workspace.stat(workspacePath(path)) !== null,
  }
}

/** A patch of a.txt with one hunk. */
const hunk = (header: string, ...lines: string[]) => ['--- a/a.txt', '+++ b/a.txt', header, ...lines, ''].join('\n')

describe('file_patch', () => {
  it('changes several files, makes and deletes others, in one commit, and shows what changed', async () => {
    const { patched, content, exists, workspace } = await bench({ 'a.txt': EIGHT, 'old.txt': 'x\ny\n' })
    const before = workspace.headSeq()
    const patch = `Some words before.
diff --git a/a.txt b/a.txt
index 1234567..89abcde 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
-one
+ONE
 two
@@ -7,2 +7,3 @@ section
 seven
+seven and a half
 eight
--- /dev/null
+++ b/new/file.txt
@@ -0,0 +1,2 @@
+first
+second
--- a/old.txt	2026-11-23 00:00:00
+++ /dev/null
@@ -1,2 +0,0 @@
-x
-y
`
    expect(await patched(patch)).toEqual({
      files: [
        {
          path: 'a.txt',
          status: 'modified',
          added: 2,
          removed: 1,
          encoding: 'utf-8',
          line_endings: 'LF',
          changed_lines:
            '    1: ONE\n    2: two\n    3: three\n    4: four\n    5: five\n    6: six\n    7: seven\n    8: seven and a half\n    9: eight',
        },
        { path: 'new/file.txt', status: 'created', added: 2, removed: 0 },
        { path: 'old.txt', status: 'deleted', added: 0, removed: 2 },
      ],
    })
    expect(await content('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\nseven\nseven and a half\neight\n')
    expect(await content('new/file.txt')).toBe('first\nsecond\n')
    expect(exists('old.txt')).toBe(false)
    expect(workspace.headSeq()).toBe(before + 1)
  })

  it('changes nothing when one hunk of many does not fit, and says which, what was expected and what stands there', async () => {
    const { refused, content, exists } = await bench()
    const patch = `--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n${hunk('@@ -1 +1 @@', '-one', '+1')}@@ -4,3 +4,3 @@\n four\n-fife\n+5\n six\n`
    expect(await refused(patch)).toEqual({
      code: 'conflict',
      message:
        'hunk 2 of a.txt does not fit at line 4: line 5 is expected to be "fife" and is "five". Nothing was changed. There stands:\n' +
        '    1: one\n    2: two\n    3: three\n    4: four\n    5: five\n    6: six\n    7: seven\n    8: eight',
    })
    expect([await content('a.txt'), exists('new.txt')]).toEqual([EIGHT, false])
  })

  it('finds a hunk that stands elsewhere, and says where', async () => {
    const { patched, content } = await bench({ 'a.txt': `zero\nzero\n${EIGHT}` })
    const { notes } = await patched(hunk('@@ -4,2 +4,2 @@', ' four', '-five', '+5', '@@ -7,1 +7,1 @@', '-seven', '+7'))
    expect(notes).toEqual([
      'Hunk 1 of a.txt fitted 2 lines further down, at line 6.',
      'Hunk 2 of a.txt fitted 2 lines further down, at line 9.',
    ])
    expect(await content('a.txt')).toBe('zero\nzero\none\ntwo\nthree\nfour\n5\nsix\n7\neight\n')
  })

  it('refuses a hunk that stands elsewhere in several places', async () => {
    const { refused } = await bench({ 'a.txt': 'a\nb\nx\nb\nx\nb\n' })
    expect((await refused(hunk('@@ -1,1 +1,1 @@', '-b', '+c'))).message).toBe(
      'hunk 1 of a.txt fits in several places, lines 2, 4, 6; correct its line number or give more lines around. Nothing was changed',
    )
  })

  it('looks for the lines of a hunk without numbers, and takes wrong numbers with a note', async () => {
    const { patched, content } = await bench()
    expect(await patched(hunk('@@', ' two', '-three', '+3'))).not.toHaveProperty('notes')
    expect((await patched(hunk('@@ -5,9 +5,1 @@', ' five', '-six', '+6', '+6b', ''))).notes).toEqual([
      'Hunk 1 of a.txt says 9 old and 1 new lines and has 2 and 3: it was taken as it is.',
    ])
    expect(await content('a.txt')).toBe('one\ntwo\n3\nfour\nfive\n6\n6b\nseven\neight\n')
  })

  it('says of a hunk that was applied already, and of one out of order, that it was', async () => {
    const { refused } = await bench()
    expect((await refused(hunk('@@ -1,2 +1,2 @@', ' one', '-2', '+two'))).message).toBe(
      'hunk 1 of a.txt does not fit; its new lines stand at line 1 already. Nothing was changed',
    )
    expect((await refused(hunk('@@ -5 +5 @@', '-five', '+5', '@@ -1 +1 @@', '-one', '+1'))).message).toBe(
      'hunk 2 of a.txt fits at line 1, before the end of the hunk above it; order hunks by line. Nothing was changed',
    )
  })

  it('takes lines that look like headers for lines, where the numbers say so', async () => {
    const { patched, content } = await bench({ 'a.txt': '-- a\nb\n' })
    await patched(hunk('@@ -1,2 +1,2 @@', '--- a', '+++ c', ' b'))
    expect(await content('a.txt')).toBe('++ c\nb\n')
  })

  it.each([
    ['a CRLF file', 'one\r\ntwo\r\nthree\r\n', ['-two', '+2', '+2b'], 'one\r\n2\r\n2b\r\nthree\r\n'],
    ['a file of mixed line breaks', 'one\r\ntwo\nthree\r\n', ['-two', '+2', '+2b'], 'one\r\n2\r\n2b\r\nthree\r\n'],
    ['a patch with CRLF', 'one\r\ntwo\r\n', ['-two\r', '+2\r'], 'one\r\n2\r\n'],
    ['a last line without a break', 'one\ntwo', ['-two', '+2'], 'one\n2'],
    ['one that gets a break', 'one\ntwo', ['-two', '\\ No newline at end of file', '+two'], 'one\ntwo\n'],
    ['one that loses it', 'one\ntwo\n', ['-two', '+2', '\\ No newline at end of file'], 'one\n2'],
    ['a line after it', 'one\ntwo', [' two', '+three'], 'one\ntwo\nthree'],
    ['a mark', '\ufeffone\ntwo\n', ['-two', '+2'], '\ufeffone\n2\n'],
  ])('keeps line breaks: %s', async (_, before, lines, after) => {
    const { patched, workspace } = await bench({ 'a.txt': before })
    await patched(hunk('@@ -2 +2 @@', ...lines))
    expect(Buffer.from((await workspace.read(workspacePath('a.txt'))) ?? '').toString()).toBe(after)
  })

  it('keeps the encoding', async () => {
    const { patched, workspace } = await bench({ 'a.txt': iconv.encode('第一行是中文\n第二行也是中文\n', 'gbk') })
    const { files } = await patched(hunk('@@ -2 +2 @@', '-第二行也是中文', '+新的一行'))
    expect(files).toMatchObject([{ encoding: 'GB2312' }])
    const read = await workspace.read(workspacePath('a.txt'))
    expect(iconv.decode(Buffer.from(read ?? ''), 'gbk')).toBe('第一行是中文\n新的一行\n')
  })

  it("does what git's headers say: renames, modes, empty files, quoted names", async () => {
    const { patched, workspace, content, exists } = await bench({ 'a.txt': EIGHT, 'run.sh': 'x\n', empty: '' })
    const { files } = await patched(`diff --git a/a.txt b/docs/b.txt
similarity index 90%
rename from a.txt
rename to docs/b.txt
--- a/a.txt
+++ b/docs/b.txt
@@ -1 +1 @@
-one
+1
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/\\303\\274 \\"q\\".txt" "b/\\303\\274 \\"q\\".txt"
new file mode 100755
index 0000000..e69de29
--- /dev/null
+++ "b/\\303\\274 \\"q\\".txt"
@@ -0,0 +1 @@
+x
diff --git a/made b/made
new file mode 100644
index 0000000..e69de29
diff --git a/empty b/empty
deleted file mode 100644
index e69de29..0000000
`)
    expect(files).toMatchObject([
      { path: 'docs/b.txt', status: 'renamed', renamed_from: 'a.txt' },
      { path: 'run.sh', status: 'modified' },
      { path: 'ü "q".txt', status: 'created' },
      { path: 'made', status: 'created' },
      { path: 'empty', status: 'deleted' },
    ])
    expect(await content('docs/b.txt')).toBe(EIGHT.replace('one', '1'))
    expect([exists('a.txt'), exists('empty'), await content('made')]).toEqual([false, false, ''])
    const mode = (path: string) => workspace.stat(workspacePath(path))?.mode
    expect([mode('run.sh'), mode('ü "q".txt')]).toEqual([0o755, 0o755])
  })

  it.each([
    ['a directory', 'rename from d\nrename to e\n', /^d is a directory, and patches are for files; file_move moves it/],
    ['the virtual environment', 'rename from code_env\nrename to e\n', /^code_env is a directory/],
    ['a link in its place', 'rename from code_env\nrename to e\n', /^code_env is the virtual environment/],
    ['what lies into it', 'rename from a.txt\nrename to code_env/a.txt\n', /^code_env is .* move it elsewhere/],
  ])('moves no %s', async (what, headers, message) => {
    const { refused, workspace, exists } = await bench({ 'a.txt': EIGHT, 'd/f.txt': 'x\n' })
    const path = workspacePath('code_env')
    await workspace.commit([what.includes('link') ? { op: 'link', path, target: 'd' } : { op: 'mkdir', path }])
    expect((await refused(`diff --git a/x b/y\n${headers}`)).message).toMatch(message)
    expect([exists('code_env'), exists('a.txt'), exists('d/f.txt'), exists('e')]).toEqual([true, true, true, false])
  })

  it('changes nothing when two of its names are links to one file, whose first change would be lost', async () => {
    const { refused, workspace, content } = await bench({ 'a.txt': 'one\n' })
    await workspace.commit([{ op: 'link', path: workspacePath('b.txt'), target: 'a.txt' }])
    const patch = ['a', 'b'].map((n) => `--- a/${n}.txt\n+++ b/${n}.txt\n@@ -1 +1 @@\n-one\n+${n}\n`).join('')
    expect((await refused(patch)).message).toMatch(/^the patch names a\.txt twice/)
    expect(await content('a.txt')).toBe('one\n')
  })

  it('refuses a quoted name that is longer than any file has', async () => {
    const { refused } = await bench()
    const { code } = await refused(`--- "a/${'a'.repeat(400_000)}"\n+++ "b/x"\n@@ -1 +1 @@\n-one\n+1\n`)
    expect(code).not.toBe('internal')
  })

  it('takes a patch between "*** Begin Patch" and "*** End Patch": changed, moved, new and deleted files', async () => {
    const { patched, content, exists } = await bench({
      'a.txt': EIGHT,
      'src/b.py': 'x\ny\nz\n',
      'old.txt': '1\n2\n',
      c: 'c\n',
    })
    const { files } = await patched(`*** Begin Patch
*** Update File: a.txt
 one
-two
+TWO
@@ class Six:
@@     def six():
-six
+6
*** Update File: src/b.py
*** Move to: src/c.py
@@
 y
-z
+Z
*** End of File
*** Add File: new/d.txt
+first
+
+-- third
*** Add File: new/empty.txt
*** Delete File: old.txt
*** Update File: c
@@
-c
+C
*** End Patch
`)
    expect(files).toMatchObject([
      { path: 'a.txt', status: 'modified', added: 2, removed: 2 },
      { path: 'src/c.py', status: 'renamed', renamed_from: 'src/b.py' },
      { path: 'new/d.txt', status: 'created', added: 3 },
      { path: 'new/empty.txt', status: 'created', added: 0 },
      { path: 'old.txt', status: 'deleted', removed: 2 },
      { path: 'c', status: 'modified' },
    ])
    expect(await content('a.txt')).toBe(EIGHT.replace('two', 'TWO').replace('six', '6'))
    expect(await content('src/c.py')).toBe('x\ny\nZ\n')
    expect(await content('new/d.txt')).toBe('first\n\n-- third\n')
    expect([await content('new/empty.txt'), await content('c')]).toEqual(['', 'C\n'])
    expect([exists('old.txt'), exists('src/b.py')]).toEqual([false, false])
  })

  it.each([
    ['a line that is not marked', '*** Add File: b\n+x\ny', /^line 4 of the patch must begin with "\+"$/],
    ['a line outside of a file', '+x', /^line 2 of the patch must begin with "\*\*\* Update File: "$/],
    ['lines that do not stand there', '*** Update File: a.txt\n@@\n-none\n+1', /does not fit/],
    ['a missing file', '*** Delete File: none.txt', /^File not found: none\.txt/],
    ['a new file that exists', '*** Add File: a.txt\n+1', /^a\.txt exists already/],
    ['a path outside', '*** Delete File: ../x', /leaves the task directory/],
    ['nothing', '', /has no file/],
  ])('refuses %s in such a patch, and changes nothing', async (_what, lines, message) => {
    const { refused, content } = await bench()
    expect((await refused(`*** Begin Patch\n${lines}\n*** End Patch`)).message).toMatch(message)
    expect(await content('a.txt')).toBe(EIGHT)
  })

  it('knows a directory that is really called a', async () => {
    const { patched, content } = await bench({ 'a/x': 'one\n', y: 'one\n' })
    await patched('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\n'.replaceAll('b/x', 'a/x'))
    await patched('--- y.orig\n+++ y\n@@ -1 +1 @@\n-one\n+1\n')
    expect([await content('a/x'), await content('y')]).toEqual(['1\n', '1\n'])
  })

  it('tells lines apart that stand several times in a hunk', async () => {
    const { refused } = await bench({ 'a.txt': 'a\na\na\n' })
    expect((await refused(hunk('@@ -1,3 +1,3 @@', ' a', ' a', '-b', '+c'))).code).toBe('conflict')
    const { patched, content } = await bench({ 'a.txt': 'a\na\na\nb\n' })
    await patched(hunk('@@ -2,3 +2,3 @@', ' a', ' a', '-b', '+c'))
    expect(await content('a.txt')).toBe('a\na\na\nc\n')
  })

  it.each([
    ['words', 'no patch at all', /^the patch has no file; a unified diff has the lines "--- a\/FILE"/],
    ['another form', 'A patch:\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch', /is not a unified diff/],
    ['a hunk without a file', '@@ -1 +1 @@\n-one\n+1\n', /^line 1 of the patch begins a hunk, and no file was named/],
    ['no hunk', '--- a/a.txt\n+++ b/a.txt\n', /changes nothing in (?:b\/)?a\.txt/],
    ['a hunk that changes nothing', hunk('@@ -1 +1 @@', ' one'), /^hunk 1 at line 3 of the patch has no line with/],
    ['a broken header', hunk('@@ -1,x @@', '-one', '+1'), /^line 3 of the patch is not a hunk's header/],
    ['a missing file', '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+1\n', /^File not found: b\.txt; dir_list shows/],
    ['a new file that exists', '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+1\n', /^a\.txt exists already/],
    [
      'a deleted file with more lines',
      '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
      /7 of its lines are not in it/,
    ],
    ['a path outside', '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-one\n+1\n', /leaves the task directory/],
    [
      'a path of the machine',
      '--- /tmp/x\n+++ /tmp/x\n@@ -1 +1 @@\n-one\n+1\n',
      /outside of the task directory; use "x"/,
    ],
    ['a file twice', hunk('@@ -1 +1 @@', '-one', '+1') + hunk('@@ -2 +2 @@', '-two', '+2'), /names a\.txt twice/],
    ['a binary file', 'diff --git a/a.png b/a.png\nGIT binary patch\nliteral 3\n', /binary file/],
    ['a copy', 'diff --git a/a.txt b/b.txt\ncopy from a.txt\ncopy to b.txt\n', /copies a file/],
    ['lines behind the end', hunk('@@ -20,0 +20 @@', '+x'), /only adds lines, and the file has 8 lines/],
    ['lines like none', hunk('@@ -20 +20 @@', '-zzzzzzzz', '+y'), /nothing in the file is like its lines/],
  ])('refuses %s, and says what to do', async (_, patch, message) => {
    const { refused, content } = await bench()
    expect((await refused(patch)).message).toMatch(message)
    expect(await content('a.txt')).toBe(EIGHT)
  })

  it('bounds the length of a patch, its files and its hunks', async () => {
    const { refused } = await bench()
    expect((await refused(`--- a\n${'x'.repeat(MAX_PATCH_CHARS)}`)).message).toMatch(/has more than 1000000 characters/)
    const files = Array.from(
      { length: MAX_PATCH_FILES + 1 },
      (_, at) => `--- /dev/null\n+++ b/${at}\n@@ -0,0 +1 @@\n+x\n`,
    )
    expect(await refused(files.join(''))).toMatchObject({ code: 'limit_exceeded' })
    const hunks = Array.from({ length: MAX_PATCH_HUNKS + 1 }, () => '@@ -1 +1 @@\n-one\n+1\n')
    expect(await refused(`--- a/a.txt\n+++ b/a.txt\n${hunks.join('')}`)).toMatchObject({ code: 'limit_exceeded' })
  })

  it('makes of any text what diff -u made a patch of', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patch-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const random = randomOf(57)
    const below = (most: number) => Math.floor(random() * most)
    for (let round = 0; round < 20; round++) {
      const before = Array.from({ length: below(60) }, () => 'abcd'[below(4)] ?? '')
      const after = before.flatMap((line) => (below(6) > 0 ? [line] : below(2) > 0 ? [] : ['new', line]))
      const text = (lines: readonly string[]) => lines.join('\n') + (below(2) > 0 && lines.length > 0 ? '\n' : '')
      const [one, other] = [text(before), text(after)]
      writeFileSync(join(folder, 'one'), one)
      writeFileSync(join(folder, 'other'), other)
      const names = ['--label', 'a/a.txt', '--label', 'b/a.txt']
      const { stdout } = spawnSync('diff', ['-u', ...names, 'one', 'other'], { cwd: folder, encoding: 'utf8' })
      if (stdout === '') continue
      const { patched, content } = await bench({ 'a.txt': one })
      expect(await patched(stdout)).not.toHaveProperty('notes')
      expect(await content('a.txt'), `${JSON.stringify(one)}\n${stdout}`).toBe(other)
    }
  })

  it('costs no more for a hunk that nearly fits everywhere than a few passes over the file', async () => {
    const { refused } = await bench({ 'a.txt': 'a\n'.repeat(100_000) })
    const patch = hunk('@@ -1,20001 +1,20001 @@', ...Array.from({ length: 20_000 }, () => ' a'), '-b', '+c')
    const failure = await expectCost(() => refused(patch), { below: () => FEW_PASSES * plainPassMs(patch.length) })
    expect(failure).toMatchObject({ code: 'conflict' })
  })
})

/** The product of the lengths would be twenty thousand passes. */
const FEW_PASSES = 150

describe('a patch that was made in another directory', () => {
  const PATCH = '--- a/core/a.py\n+++ b/core/a.py\n@@ -1 +1 @@\n-x\n+y\n'

  it.each([
    ['code_run/shop', PATCH],
    ['/home/user/workspace/code_run/shop/', PATCH],
    ['code_run/shop', PATCH.replaceAll('core/', 'code_run/shop/core/')],
    ['code_run/shop', '*** Begin Patch\n*** Update File: core/a.py\n@@\n-x\n+y\n*** End Patch'],
  ])('is applied to the files below %s', async (workdir, patch) => {
    const { data, put, content } = toolbench(catalog)
    await put('code_run/shop/core/a.py', 'x\n')
    expect(await data('file_patch', { patch, workdir })).toMatchObject({ files: [{ path: 'code_run/shop/core/a.py' }] })
    expect(await content('code_run/shop/core/a.py')).toBe('y\n')
  })

  it('makes new files there, and never leaves the task', async () => {
    const { data, failure, content } = toolbench(catalog)
    await data('file_patch', { patch: '--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n', workdir: 'sub' })
    expect(await content('sub/n.txt')).toBe('n\n')
    expect((await failure('file_patch', { patch: PATCH, workdir: '../x' })).code).toBe('invalid_input')
    expect((await failure('file_patch', { patch: PATCH.replaceAll('core', '..'), workdir: 'sub' })).code).toBe(
      'invalid_input',
    )
  })
})
