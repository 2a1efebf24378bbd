import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILE_CHECK_MS } from '../../../src/core/limits/sync.ts'
import type { RunResult } from '../../../src/ports/sandbox.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { isListing, type SessionBench, sandboxTree, sessionBench, workspaceTree } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

/** Looks at the sandbox's files, as they come: at those of the watcher's journal, or at all. */
function looksOf(bench: SessionBench): ('part' | 'whole')[] {
  const looks: ('part' | 'whole')[] = []
  bench.host.after = (request, result) => {
    if (isListing(request)) looks.push(/^part 1$/m.test((result as RunResult).stderr) ? 'part' : 'whole')
    return result
  }
  return looks
}

/** A session whose sandbox has some directories with files, all of them taken over. */
async function filled() {
  const bench = sessionBench(sandboxd)
  await bench.sh(
    'mkdir -p a/b/c d/e node_modules/x; for f in a/{1,2} a/b/{1,2} a/b/c/{1,2} d/{1,2} d/e/{1,2} top node_modules/x/f; do echo "$f" > $f; done',
  )
  return bench
}

async function expectSame(bench: SessionBench) {
  // What is in an ignored directory stays in the sandbox.
  const tree = (await sandboxTree(bench)).filter((line) => !line.startsWith('node_modules/'))
  expect(tree).toEqual(workspaceTree(bench.workspace).filter((line) => !line.startsWith('node_modules/')))
}

/** Python that runs on in the background; its `step(n)` waits for the next {@link next}. */
const inBackground = (program: string) => `cat > ../program.py <<'END'
import mmap, os, time
def step(n):
    if n: open("../did%d" % n, "w").close()
    while not os.path.exists("../go%d" % (n + 1)): time.sleep(0.02)
${program}
END
python3 ../program.py > /dev/null 2>&1 & disown; until [ -e ../began ]; do sleep 0.02; done`
const next = (n: number) => `touch ../go${n}; until [ -e ../did${n} ]; do sleep 0.02; done`

it.each([
  ['one file written', 'echo new > a/b/1'],
  ['one file made', 'echo new > a/b/3'],
  ['one file removed', 'rm a/b/1'],
  ['a mode', 'chmod 600 a/1; chmod 700 a/b'],
  ['a file written in the tick in which it was made', 'echo 1 > n; echo 2 > n; printf 3 > n'],
  ['a file replaced as editors do', 'echo new > a/.1.tmp; mv a/.1.tmp a/1'],
  ['a file from elsewhere', 'echo new > ../other; mv ../other d/other; cp -p d/other d/copy'],
  ['a directory renamed', 'mv a z; echo new > z/b/c/1; rm z/b/2'],
  ['two directories swapped', 'mv a t; mv d a; mv t d; echo 1 > a/1; echo 2 > d/1; echo 3 > d/b/c/2'],
  [
    'two directories exchanged in one step',
    'python3 -c \'import ctypes; assert ctypes.CDLL(None).renameat2(-100, b"a", -100, b"d", 2) == 0\'; echo 1 > a/e/1; echo 2 > d/b/1',
  ],
  ['a directory from elsewhere', 'mkdir -p ../n/m; echo 1 > ../n/m/f; mv ../n d/n; echo 2 >> d/n/m/f'],
  [
    'directories made and filled at once',
    'mkdir -p n/{1..20}/{x,y}; for i in {1..20}; do echo $i > n/$i/x/f; echo $i > n/$i/f; done; cp -r a n/copy',
  ],
  ['a directory that is unpacked', 'tar -cf ../a.tar a d; mkdir out; tar -xf ../a.tar -C out; rm -r d'],
  ['a directory removed and made again', 'rm -r a; mkdir a; echo new > a/1'],
  ['a directory that is a file now', 'rm -r a; echo file > a'],
  ['a directory that is a link to another now', 'rm a/b/c/1; rm -r a; ln -s d a; echo new > a/1'],
  [
    'a directory that is a link to a place outside now',
    'mkdir -p ../far/c; echo secret > ../far/c/1; rm a/b/c/1; rm -r a/b; ln -s ../far a/b',
  ],
  ['a file that is a directory now', 'rm top; mkdir top; echo 1 > top/1'],
  ['links', 'ln -s top l; ln -s nowhere m; ln -sf a/1 l; rm m'],
  ['a file that left an ignored directory', 'mv node_modules/x y; echo new > y/f'],
  [
    'names of all kinds',
    String.raw`echo 1 > $'line\nbreak'; echo 2 > $'\xff\xfe'; echo 3 > -rf; echo 4 > 'a/b/tab	and  blanks'; mkdir $'d\n'; echo 5 > $'d\n/ü'`,
  ],
  [
    'what is stored through memory',
    'python3 -c \'import mmap; f = open("a/1", "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"Z"\'',
  ],
])('what the watcher names is all that changed: %s', async (_, command) => {
  const bench = await filled()
  const looks = looksOf(bench)
  await bench.sh(command)
  expect(looks).toEqual(['part'])
  await bench.sh(
    'echo later >> top 2>/dev/null || echo later >> later; for f in */1 */*/1 */*/*/2; do [ -w "$f" ] && echo later >> "$f"; done',
  )
  await expectSame(bench)
  bench.evict()
  await bench.sh('echo last > last')
  await expectSame(bench)
})

it.each([
  [
    'a file without a name that gets one',
    'python3 -c \'import os; f = os.open("a", os.O_TMPFILE | os.O_RDWR, 0o644); os.write(f, b"one"); os.link("/proc/self/fd/%d" % f, "a/named", follow_symlinks=True); os.write(f, b"two")\'',
  ],
  [
    'directories that were closed for a while',
    'chmod 000 a/b; mv a z; chmod 755 z/b; mkdir z/b/n; echo 1 > z/b/n/f; echo 2 > z/b/c/1',
  ],
  [
    'a directory renamed three times, with writes in between',
    'mv a x; echo 1 > x/1; mv x y; echo 2 > y/b/1; mv y z; echo 3 > z/b/c/1',
  ],
  [
    'a directory that went away, changed and came back',
    'mv a ../a; echo new > ../a/b/1; rm ../a/b/2; mkdir ../a/n; echo 1 > ../a/n/f; mv ../a a',
  ],
  [
    'a directory that went away, and another in its place',
    'mv a ../a; mkdir -p a/b/c; echo new > a/b/c/1; echo far > ../a/b/c/1; rm -r ../a',
  ],
  ['a file that went away and came back', 'mv a/1 ../away; echo new >> ../away; mv ../away a/1'],
  [
    'a directory that went into an ignored one',
    'mv a node_modules/a; echo new > node_modules/a/1; mkdir a; echo 1 > a/9',
  ],
  [
    'a directory that went into an ignored one and came back',
    'mv a node_modules/a; echo new > node_modules/a/b/1; mv node_modules/a z; echo newer > z/b/2',
  ],
  ['a name that a file had for a while', 'ln a/1 d/other; echo new > d/other; rm d/other'],
  [
    'a name that a file had for a while, which moved',
    'ln a/1 d/other; chmod 600 d/other; mv d/other d/third; rm d/third',
  ],
  [
    'a name that a file had for a while, in a directory that moved',
    'ln a/1 d/e/other; echo new > d/e/other; mv d z; rm z/e/other',
  ],
  [
    'a name that a file had for a while, until it became another one',
    'ln a/1 d/other; echo new > d/other; mv d/1 d/other',
  ],
  [
    'a name that a file had for a while, until it left the task',
    'ln a/1 d/other; echo new > d/other; mv d/other ../other',
  ],
  [
    'a storm of renames',
    'for i in {1..300}; do mv a z; mv z a; done; echo new > a/b/c/2; for i in {1..100}; do mv a/b a/y; mv a/y a/b; done; echo newer > a/b/1',
  ],
  ['a directory renamed and back', 'mv a x; echo new > x/b/c/1; mv x a'],
  ['a storm of renames, and nothing else', 'for i in {1..300}; do mv a z; mv z a; done'],
  ['files that have several names', 'ln a/1 a/linked; echo new > a/2'],
  [
    'more than the kernel keeps for the watcher',
    'pkill -STOP toolyard-watch; for i in {1..6000}; do echo $i > a/1; echo $i > a/2; done; mkdir -p n/m; echo 1 > n/m/f; pkill -CONT toolyard-watch',
  ],
  [
    'what happened before the watcher was killed',
    'echo new > a/b/1; pkill -KILL toolyard-watch; mkdir n; echo 1 > n/f',
  ],
  [
    'what happened after its journal was read by somebody else',
    'echo new > a/b/1; read -r p < ../.toolyard/journal-*; exec 5<>/dev/tcp/127.0.0.1/$p; echo 99999999 >&5; cat <&5 >/dev/null; exec 5>&-; echo new > a/b/2',
  ],
])('nothing is missed that the watcher cannot be sure of: %s', async (_, command) => {
  const bench = await filled()
  await bench.sh(command)
  await expectSame(bench)
  await bench.sh('echo later > a/b/1; mkdir -p later/dir; echo 1 > later/dir/f; rm d/1')
  await expectSame(bench)
})

it('a process that stays and writes is followed file by file, and by whole looks once it has mapped one', async () => {
  const bench = await filled()
  const looks = looksOf(bench)
  await bench.sh(
    inBackground(`f = open("a/b/1", "r+b", buffering=0)
f.write(b"1")
open("../began", "w")
step(0)
f.write(b"2")
step(1)
m = mmap.mmap(f.fileno(), 0)
m[0:1] = b"M"
step(2)
m[1:2] = b"N"
step(3)`),
  )
  looks.length = 0
  await bench.sh(next(1), { timeout: 20 })
  expect(await bench.text('a/b/1')).toBe('12b/1\n')
  // Beside such a process a command is preceded by a look too, so that the changes are not taken for its own.
  expect(looks).toEqual(['part', 'part'])
  await bench.sh(next(2), { timeout: 20 })
  expect(await bench.text('a/b/1')).toBe('M2b/1\n')
  await bench.sh(next(3), { timeout: 20 })
  expect(await bench.text('a/b/1')).toBe('MNb/1\n')
  expect(looks.at(-1)).toBe('whole')
})

it('a file that is written under a name that it had before is found', async () => {
  const bench = await filled()
  await bench.sh(
    inBackground('f = open("a/1", "r+b", buffering=0)\nopen("../began", "w")\nstep(0)\nf.write(b"late")\nstep(1)'),
  )
  await bench.sh('ln a/1 a/new; rm a/1')
  await bench.sh(next(1), { timeout: 20 })
  expect(await bench.text('a/new')).toBe('late')
})

it('more paths than the watcher keeps are taken over, every one', async () => {
  const bench = await filled()
  const made = (directory: string) =>
    `mkdir -p ${directory} && for j in {1..800}; do echo $j > ${directory}/a-file-with-a-name-that-is-as-long-as-those-of-compilers-and-package-managers-sometimes-are-$j; done`
  await bench.sh(`${made('a/n')}; ${made('d/n')}; rm -r a/b`)
  await bench.sh(`${made('.')}; rm -r d/n`)
  const { stdout } = await bench.sh('find a d . -maxdepth 2 -type f ! -path "./code_env/*" | wc -l')
  const count = workspaceTree(bench.workspace).length
  expect(count).toBeGreaterThan(1_600)
  await bench.sh('rm -r a/n a-file-*')
  expect(Number(stdout)).toBeGreaterThan(1_600)
  await expectSame(bench)
})

/** A change that no watcher of directories sees: under a name outside of the task. */
const UNSEEN = 'ln a/1 ../outside'
const CHANGE_UNSEEN = 'echo unseen > ../outside; echo seen > d/1'

it('what the watcher missed is taken over half a minute later, and the watcher is not believed any more', async () => {
  const bench = await filled()
  const looks = looksOf(bench)
  await bench.sh(
    'pkill -KILL toolyard-watch; cat > ../forged.py <<"E"\nimport os,socket,threading\nport=int([f for f in os.listdir("../.toolyard") if f.startswith("journal-")][0][8:])\njournal=socket.create_server(("127.0.0.1",0))\nopen("../.toolyard/journal-%d"%port,"w").write("%d\\n"%journal.getsockname()[1])\ndef serve(server,answer):\n  while True:\n    c,_=server.accept()\n    if answer!=b"5000\\n": c.recv(99)\n    c.sendall(answer); c.close()\ncount=socket.create_server(("127.0.0.1",port))\nthreading.Thread(target=serve,args=(journal,b"5000\\nend\\0")).start()\nserve(count,b"5000\\n")\nE\nsetsid python3 ../forged.py > /dev/null 2>&1 & sleep 0.5; true',
  )
  await bench.sh('echo missed > a/b/1; mkdir n; echo missed > n/f')
  await bench.sh('true')
  expect(await bench.text('a/b/1')).toBe('a/b/1\n')
  expect(looks.at(-1)).toBe('part')
  bench.clock.ahead = FILE_CHECK_MS
  await bench.session.fileCheck.keepUp()
  expect([await bench.text('a/b/1'), await bench.text('n/f')]).toEqual(['missed\n', 'missed\n'])
  looks.length = 0
  await bench.sh('echo again > a/b/1')
  expect(looks).not.toContain('part')
  expect(await bench.text('a/b/1')).toBe('again\n')
})

it('a write while all files are listed costs the watcher no trust', async () => {
  const bench = await filled()
  await bench.sh('echo new > a/b/1')
  let count = ''
  // As if it came when the watcher had been asked, and the files were not listed yet.
  bench.host.before = async (request) => {
    if (!isListing(request)) return
    count = (
      await bench.host.inside(
        'read -r c < /dev/tcp/127.0.0.1/$(cd ../.toolyard; echo journal-* | cut -d- -f2); echo $c',
      )
    ).trim()
    await bench.host.inside('echo beside > a/b/2; rm d/1')
  }
  bench.host.after = (request, result) => {
    if (!isListing(request)) return result
    const run = result as RunResult
    return { ...run, stderr: run.stderr.replace(/^watched \d+$/m, `watched ${count}`) }
  }
  await bench.session.fileCheck.keepUp()
  bench.clock.ahead = FILE_CHECK_MS
  await bench.session.fileCheck.keepUp()
  expect(count).toMatch(/^\d+$/)
  expect([await bench.text('a/b/2'), await bench.text('d/1')]).toEqual(['beside\n', null])
  bench.host.before = () => undefined
  const looks = looksOf(bench)
  await bench.sh('echo again > a/b/1')
  expect(looks).toEqual(['part'])
  expect(await bench.text('a/b/1')).toBe('again\n')
})

it('a write under a name outside of the task is taken over by the check, and before a pause', async () => {
  const bench = await filled()
  await bench.sh(UNSEEN)
  const looks = looksOf(bench)
  await bench.sh(CHANGE_UNSEEN)
  expect(looks).toEqual(['part'])
  expect(await bench.session.fileCheck.keepUp()).toBeGreaterThan(FILE_CHECK_MS / 2)
  expect(await bench.text('a/1')).toBe('a/1\n')
  bench.clock.ahead = FILE_CHECK_MS
  expect(await bench.session.fileCheck.keepUp()).toBeNull()
  expect(looks).toEqual(['part', 'whole'])
  expect(await bench.text('a/1')).toBe('unseen\n')
  await bench.sh('echo more >> ../outside')
  expect(await bench.text('a/1')).toBe('unseen\nmore\n')

  const other = await filled()
  await other.sh(UNSEEN)
  await other.sh(CHANGE_UNSEEN)
  await other.session.quiet.pauseNow()
  expect(await other.text('a/1')).toBe('unseen\n')
})
