import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonBench } from '../../support/python-bench.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, isFetch, type SessionBench, sessionBench } from '../../support/session-bench.ts'

/** A disk notes the first store to each clean page of a mapped file; a file system in memory notes none. */
const hosts: Record<string, Sandboxd> = {}
let onDisk: string
beforeAll(async () => {
  onDisk = await mkdtemp(join(tmpdir(), 'toolyard-disk-'))
  hosts.memory = await startSandboxd()
  hosts.disk = await startSandboxd({ state: onDisk })
})
afterAll(async () => {
  for (const host of Object.values(hosts)) await host.stop()
  await rm(onDisk, { recursive: true, force: true })
})

const bench = (place: string): SessionBench => sessionBench(hosts[place] as Sandboxd)

const cell = async (bench: SessionBench, command: string) => {
  dataOf(await bench.call('ipython_run', { command }))
}

/** What the next sandbox has, without a look at this one's files. */
async function afterLoss(bench: SessionBench, command: string) {
  await bench.host.crash()
  await bench.call('execute_shell', { command: 'true' })
  return (await bench.sh(command)).stdout
}

const MAPPED = `import mmap
with open('f', 'wb') as f: f.write(b'\\0' * 8192)
file = open('f', 'r+b')
m = mmap.mmap(file.fileno(), 8192)`

describe.each(['memory', 'disk'])('a file that is mapped into memory, in %s', (place) => {
  it('is in the workspace as each cell left it, and in the next sandbox', async () => {
    const session = bench(place)
    await cell(session, `${MAPPED}\nm[0:4] = b'ONE!'; m[4096:4100] = b'ONE!'`)
    expect(await session.text('f')).toMatch(/^ONE!/)
    for (const word of ['TWO!', 'THR!', 'FOU!']) {
      await cell(session, `m[0:4] = b'${word}'`)
      expect(await session.text('f')).toMatch(new RegExp(`^${word}`))
    }
    await cell(session, `m[0:4] = b'FIV!'; m.close(); file.close()`)
    expect((await session.text('f'))?.slice(0, 4)).toBe('FIV!')
    expect(await afterLoss(session, 'head -c 4 f')).toBe('FIV!')
  })

  it('is taken over when the kernel that changed it has gone with its mapping', async () => {
    const session = bench(place)
    await cell(session, `${MAPPED}\nm[0:4] = b'ONE!'`)
    await session.call('ipython_run', { command: `import os; m[0:4] = b'TWO!'; os.kill(os.getpid(), 9)` })
    await session.sh('true')
    expect(await session.text('f')).toMatch(/^TWO!/)
  })

  it('is taken over when one program after another maps it, stores and ends', async () => {
    const session = bench(place)
    await session.sh(`python3 -c "${MAPPED.replaceAll('"', '\\"')}"`)
    for (const word of ['ONE!', 'TWO!']) {
      await session.sh(`python3 -c "
import mmap
with open('f', 'r+b') as file, mmap.mmap(file.fileno(), 0) as m: m[0]; m[0:4] = b'${word}'"`)
      expect(await session.text('f')).toMatch(new RegExp(`^${word}`))
    }
    expect(await afterLoss(session, 'head -c 4 f')).toBe('TWO!')
  })
})

describe('a file that is mapped into memory', () => {
  it('is compared whole, and does not come again when nothing changed in its 2 MiB', async () => {
    const session = bench('memory')
    await cell(session, `${MAPPED.replaceAll('8192', '(1 << 21)')}\nm[0:4] = b'ONE!'`)
    await cell(session, 'a = 1')
    const before = session.host.requests.length
    await cell(session, 'a = 2')
    expect(session.host.requests.slice(before).filter(isFetch)).toEqual([])
    await cell(session, `m[-4:] = b'TWO!'`)
    expect((await session.text('f'))?.slice(-4)).toBe('TWO!')
  })

  it('keeps what a tool wrote when only the tool did, and names no conflict', async () => {
    const session = bench('memory')
    await cell(session, `${MAPPED}\nm[0:4] = b'ONE!'`)
    await session.write('f', 'tool')
    const { stdout, conflicts } = await session.sh('cat f')
    expect({ stdout, conflicts }).toEqual({ stdout: 'tool', conflicts: undefined })
  })

  it('by a Python module, which nobody may look into, is as each call left it', async () => {
    const python = pythonBench(hosts.memory as Sandboxd)
    const source = `import mmap
m = None
def store(word):
    global m
    if m is None:
        open('f', 'wb').write(bytes(4096))
        with open('f', 'r+b') as file: m = mmap.mmap(file.fileno(), 0)
    m[0:4] = word.encode()`
    for (const word of ['ONE!', 'TWO!', 'THR!']) {
      await python.call(source, 'store', { args: { word } })
      expect(await python.bench.text('f')).toMatch(new RegExp(`^${word}`))
    }
  })
})

/**
 * Each of them appends a word by stores into memory: numpy; SQLite, whose index of its log is mapped; and what LMDB does
 * with MDB_WRITEMAP: a file as long as the map, written by stores alone and synced asynchronously (mdb_env_map, mdb_env_sync0).
 */
const STORES = `import mmap, numpy, os, sqlite3
if not os.path.exists('a.txt'):
    numpy.memmap('a.txt', dtype='u1', mode='w+', shape=(4096,))[:] = 32
    with open('data.mdb', 'wb') as file: file.truncate(1 << 20)
a = numpy.memmap('a.txt', dtype='u1', mode='r+')
db = sqlite3.connect('rows.db', isolation_level=None)
db.execute('PRAGMA journal_mode = wal'); db.execute('PRAGMA mmap_size = 1000000')
db.execute('CREATE TABLE IF NOT EXISTS t (word)')
with open('data.mdb', 'r+b') as file: env = mmap.mmap(file.fileno(), 0)
def store(word):
    at = bytes(a).find(b' ')
    a[at:at + len(word)] = list(word.encode())
    db.execute('INSERT INTO t VALUES (?)', (word,))
    at = env.find(b'\\0')
    env[at:at + len(word)] = word.encode()
    env.flush(0, 4096)
`
const STORED = `tr -d ' ' < a.txt; echo; tr -d '\\0' < data.mdb; echo
python3 -c "import sqlite3; print(*(word for word, in sqlite3.connect('rows.db').execute('SELECT word FROM t')), sep='')"`

describe('numpy, SQLite and LMDB', () => {
  const ALL = 'ONE!TWO!THR!\n'.repeat(3)

  it('have all that was stored in cells of a kernel that keeps them open, in the next sandbox', async () => {
    const session = bench('memory')
    await cell(session, STORES)
    for (const word of ['ONE!', 'TWO!', 'THR!']) {
      await cell(session, `store('${word}')`)
      expect((await session.text('a.txt'))?.trimEnd().slice(-4)).toBe(word)
    }
    expect(await afterLoss(session, STORED)).toBe(ALL)
  })

  it('have all that one program after another stored, in the next sandbox', async () => {
    const session = bench('memory')
    await session.sh(`cat > stores.py <<'END'\n${STORES}\nimport sys; store(sys.argv[1])\nEND`)
    for (const word of ['ONE!', 'TWO!', 'THR!']) {
      await session.sh(`python3 stores.py ${word}`)
      expect((await session.text('a.txt'))?.trimEnd().slice(-4)).toBe(word)
    }
    expect(await afterLoss(session, STORED)).toBe(ALL)
  })

  it('have what a process in the background stored so far, whenever a file tool looks, and in the next sandbox', async () => {
    const session = bench('memory')
    await session.sh(`cat > stores.py <<'END'
${STORES}
import time
for word in ['ONE!', 'TWO!', 'THR!']:
    store(word)
    open('/tmp/stored-' + word, 'w').close()
    while not os.path.exists('/tmp/go-' + word): time.sleep(0.01)
END
(python3 stores.py &) >/dev/null 2>&1`)
    for (const word of ['ONE!', 'TWO!', 'THR!']) {
      await session.host.inside(`until [ -e /tmp/stored-${word} ]; do sleep 0.02; done`)
      const { content } = dataOf(await session.call('file_read', { file_path: 'a.txt' })) as { content: string }
      expect(content.trimEnd().slice(-4)).toBe(word)
      if (word !== 'THR!') await session.host.inside(`touch /tmp/go-${word}`)
    }
    expect(await afterLoss(session, STORED)).toBe(ALL)
  })
})

const SET_UP = `python3 - <<'END'
with open('f', 'wb') as f: f.write(b'ONE!' * 1024)
END
cp -p f ../ref`

/** Each changes \`f\` to begin with TWO!, or with zeros, and leaves its size, and mostly its mtime, as they were. */
const WAYS: [string, string][] = [
  ['by a program that sets the mtime back', `printf TWO! | dd of=f conv=notrunc status=none; touch -r ../ref f`],
  ['by cp -p of a file as old and long', `sed 's/^ONE!/TWO!/' f > ../new; touch -r ../ref ../new; cp -p ../new f`],
  ['by mv of a file as old and long', `sed 's/^ONE!/TWO!/' f > ../new; touch -r ../ref ../new; mv ../new f`],
  [
    'by tar, from an archive with a file as old and long',
    `mkdir ../t; sed 's/^ONE!/TWO!/' f > ../t/f; touch -r ../ref ../t/f; tar -C ../t -cf - f | tar -xf -`,
  ],
  [
    'by a write past the page cache',
    `python3 -c "
import mmap, os
page = mmap.mmap(-1, 4096); page[:] = b'TWO!' * 1024
os.writev(os.open('f', os.O_WRONLY | os.O_DIRECT), [page])"; touch -r ../ref f`,
  ],
  ['by a hole that was punched into it', `fallocate -p -l 4096 f; touch -r ../ref f`],
  ['by copying in the kernel', `printf TWO! > ../new; python3 -c "
import os
os.copy_file_range(os.open('../new', os.O_RDONLY), os.open('f', os.O_WRONLY), 4)"; touch -r ../ref f`],
  ['by sendfile', `printf TWO! > ../new; python3 -c "
import os
os.sendfile(os.open('f', os.O_WRONLY), os.open('../new', os.O_RDONLY), 0, 4)"; touch -r ../ref f`],
  ['under another name of it', `ln f other; printf TWO! | dd of=other conv=notrunc status=none; rm other`],
] // biome-ignore format: a table reads best with a row for each

describe.each(['memory', 'disk'])('a file that keeps its size, in %s', (place) => {
  it('is taken over however its bytes changed', async () => {
    const session = bench(place)
    const seen: [string, string | undefined][] = []
    for (const [how, command] of WAYS) {
      await session.sh(`rm -rf f ../t ../new; ${SET_UP}`)
      expect(await session.text('f')).toMatch(/^ONE!/)
      await session.sh(command)
      seen.push([how, (await session.text('f'))?.slice(0, 4)])
    }
    expect(seen).toEqual(WAYS.map(([how]) => [how, how.includes('hole') ? '\0\0\0\0' : 'TWO!']))
  })

  it('is taken over when it was written under a name outside of the task, in a command of its own', async () => {
    const session = bench(place)
    await session.sh('printf ONE! > f; ln f ../outside')
    await session.sh('printf TWO! > ../outside')
    expect(await session.text('f')).toBe('TWO!')
  })

  it('is taken over by the next look when it changed while it was fetched, or just after it was listed', async () => {
    const session = bench(place)
    let isFirst = true
    session.host.before = async (request) => {
      if (!isFirst || !isFetch(request)) return
      isFirst = false
      await session.host.inside('printf TWO! > f')
    }
    await session.sh('printf ONE! > f')
    await session.host.inside('printf THR! > f')
    await session.sh('true')
    expect(await session.text('f')).toBe('THR!')
  })

  it('loses nothing that a program appends while it is looked at', async () => {
    const session = bench(place)
    await session.sh(
      `(python3 -c "
import os, time
log = open('log', 'wb', buffering=0)
n = 0
while not os.path.exists('/tmp/enough'):
    log.write(b'%07d\\n' % n); n += 1
open('/tmp/count', 'w').write(str(n))" &) >/dev/null 2>&1`,
    )
    for (let look = 0; look < 3; look++) await session.call('file_read', { file_path: 'log', end_line: 1 })
    const count = Number(
      await session.host.inside('touch /tmp/enough; until [ -s /tmp/count ]; do sleep 0.02; done; cat /tmp/count'),
    )
    await session.sh('true')
    const lines = (await session.text('log'))?.trimEnd().split('\n') ?? []
    expect([lines.length, Number(lines.at(-1))]).toEqual([count, count - 1])
  })
})
